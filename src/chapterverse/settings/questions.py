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
    question_expansion: str = Field(
        "off",
        pattern="^(off|llm)$",
        description="What puts a question into other words, which are looked for, too: the language model (llm), or nothing.",
    )
    topics: str = Field(
        "",
        description="Topics that sources may be about, separated by commas; empty: each has its own nearest headings.",
    )
    max_question_characters: int = Field(1000, ge=1, description="Characters of a question on documents.")
