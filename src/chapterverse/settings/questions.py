"""Questions on documents, to the textbook, to the helpdesk."""

from pydantic import Field

from chapterverse.settings.group import Group


class QuestionSettings(Group):
    """Questions on documents, to the textbook, to the helpdesk."""

    answer_seconds: float = Field(5.0, gt=0, description="Seconds that the language model may take for an answer.")
    max_question_characters: int = Field(1000, ge=1, description="Characters of a question on documents.")
