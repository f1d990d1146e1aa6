"""Batches of essays overnight."""

from pydantic import Field

from chapterverse.settings.group import Group


class BatchSettings(Group):
    """Batches of essays overnight."""

    batch_hours: float = Field(
        12.0,
        gt=0,
        description="Hours in which a batch of essays has to be done (S1, Latency); what is left waits for the next.",
    )
    batch_essay_seconds: float = Field(
        300.0, gt=0, description="Seconds that one essay of a batch may take, the language model's time included."
    )
    batch_llm: str = Field(
        "online",
        pattern="^(online|vertex)$",
        description="How batches ask the language model: essay by essay, as by day (online), or in one job of Vertex AI's "
        "batch prediction for half the price (vertex), where LLM is gemini and RESULTS is a bucket.",
    )
    batch_at_once: int = Field(8, ge=1, description="Essays of batches that one process works on at once.")
    max_batch_essays: int = Field(1000, ge=1, description="Essays of one batch; S1 plans for 1,000 students a school.")
    max_batch_bytes: int = Field(32 * 2**20, ge=1024, description="Bytes of one batch as it is handed in.")
    results: str = Field(
        "", description="gs://BUCKET that keeps batches of essays and the feedback on them; empty: a folder below HOME."
    )
    night_url: str = Field("", description="Address of the function run_nightly_batches, which does the essays of batches.")
