"""Work for later, and who does it."""

from pydantic import Field

from chapterverse.settings.group import Group


class TaskSettings(Group):
    """Work for later, and who does it."""

    queue: str = Field("", description="projects/P/locations/L/queues/Q of Cloud Tasks; empty: a queue inside this process.")
    tasks_url: str = Field("", description="Address of the service that does the tasks (our embedder container).")
    tasks_emulator: str = Field("", description="HOST:PORT of a local stand-in for Cloud Tasks, without encryption.")
    identity: str = Field("", description="Service account whose OIDC token goes with each task.")
    batch_sentences: int = Field(512, ge=1, description="Sentences of one task of indexing.")
    task_attempts: int = Field(50, ge=1, description="Deliveries of a task before its book is given up.")
    task_seconds: int = Field(
        600, ge=15, le=1800, description="Seconds that Cloud Tasks waits for one delivery to be answered."
    )

    allowed_callers: str = Field(
        "", description="Service accounts that may call the embedder, separated by commas; empty: anybody."
    )
    audience: str = Field("", description="Audience that their OIDC tokens must name: the address of the service called.")
    oidc_certs_url: str = Field(
        "https://www.googleapis.com/oauth2/v1/certs", description="Public keys that OIDC tokens are checked with."
    )
    batch_tokens: int = Field(
        1024,
        ge=64,
        description="Tokens that go through the model at once; online work waits for that many of bulk work. On a GPU: 32768.",
    )
    max_queued_texts: int = Field(20_000, ge=1, description="Texts that wait for the model; beyond it callers get 429.")

    event_seconds: int = Field(
        6 * 3600, ge=60, description="Seconds that a storage event is retried for; then its file is given up."
    )
