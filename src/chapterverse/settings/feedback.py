"""Feedback on essays: for whom, how soon, how long it is kept."""

from pydantic import Field

from chapterverse.settings.group import Group


class FeedbackSettings(Group):
    """Feedback on essays: for whom, how soon, how long it is kept."""

    feedback_seconds: float = Field(
        5.0, gt=0, description="Seconds for the whole feedback (S1, Latency); what is not there by then is left out, and said."
    )
    grade: int = Field(7, ge=3, le=13, description="School grade that feedback is written for; 7 is about twelve years old.")
    tone: str = Field("kind", pattern="^(kind|plain)$", description="How feedback speaks: kind encourages, plain is brief.")
    dimensions: str = Field(
        "content,expressions,features",
        pattern="^(content|expressions|features)(,(content|expressions|features))*$",
        description="What feedback is given on (S1, Feedback types), separated by commas.",
    )
    languagetool_url: str = Field(
        "",
        description="Address before /v2/check of a LanguageTool server, which essays are then sent to; empty: none.",
    )
    languagetool_language: str = Field("en", description="What it checks by; en: no spelling, which rules do; en-GB: with it.")
    languagetool_seconds: float = Field(2.0, gt=0, description="Seconds that it may take of an essay's time.")
    rubric: str = Field(
        "", max_length=4000, description="What the teacher looks for, a criterion a line; its weight may follow."
    )
    paper: str = Field("a4", pattern="^(a4|letter)$", description="Paper that feedback is laid out on as a PDF: a4 or letter.")
    keep_days: int = Field(
        30, ge=0, le=3650, description="Days that feedback is kept, with its essay, for teachers to look at; 0: not at all."
    )
    approval: bool = Field(False, description="Whether students see feedback only when a teacher has approved it.")
