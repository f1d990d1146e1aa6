"""Questions on documents, to the textbook, to the helpdesk."""

from pydantic import Field

from chapterverse.settings.group import Group


class QuestionSettings(Group):
    """Questions on documents, to the textbook, to the helpdesk."""

    answer_seconds: float = Field(5.0, gt=0, description="Seconds that the language model may take for an answer.")
    question_rerank: str = Field(
        "off",
        description="What has a closer look at the chunks found on a question, as in CHAPTERVERSE_RERANK; nothing (off) by "
        "measurement.",
    )
    max_question_characters: int = Field(1000, ge=1, description="Characters of a question on documents.")
