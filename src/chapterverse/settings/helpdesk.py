"""The help desk."""

from pydantic import Field

from chapterverse.settings.group import Group


class HelpdeskSettings(Group):
    """The help desk."""

    helpdesk_least: float | None = Field(
        None,
        ge=-1,
        le=1,
        description="Cosine of a source that the help desk answers from; empty: as measured for the embedding model, for "
        "others 0.65 (S5, 5.4).",
    )
    helpdesk_sources: int = Field(7, ge=1, le=50, description="Sources that it looks for on a message, at most (S5, 8).")
    message_characters: int = Field(4000, ge=1, description="Characters of a message (S5, 9); beyond it callers get 413.")
    context_characters: int = Field(
        2000,
        ge=0,
        description="Characters of what was said before, that a language model is told; the oldest go first (S5, 9).",
    )
    context_turns: int = Field(5, ge=0, le=100, description="Messages of it, at most (S5, 6).")
    follow_up: str = Field(
        "rules",
        pattern="^(rules|llm)$",
        description="What makes a question of a follow-up that stands alone: rules, or the language model (llm).",
    )
    messages_per_minute: int = Field(20, ge=1, description="Messages a minute of one user of the help desk.")
    conversation_messages_per_minute: int = Field(10, ge=1, description="Messages a minute in one conversation.")
    redaction_model: str = Field(
        "", description="spaCy model that finds names in messages, installed or a folder; empty: patterns and known names."
    )
    query_cache_seconds: float = Field(
        300.0, ge=0, description="Seconds that the vector of a question is remembered, in this process; 0: not at all."
    )
