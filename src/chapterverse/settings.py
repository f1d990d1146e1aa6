"""Every setting with its default, its unit and its source; read from CHAPTERVERSE_* once, at the composition root."""

from collections.abc import Iterator
from pathlib import Path
from typing import Self

from pydantic import Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict

from chapterverse.errors import BadRequest


class Settings(BaseSettings):
    """One frozen object. A value that does not parse stops the program with a sentence that names it."""

    model_config = SettingsConfigDict(env_prefix="CHAPTERVERSE_", env_ignore_empty=True, frozen=True, extra="ignore")

    home: Path = Field(Path.home() / ".chapterverse", description="Folder that holds everything on one machine.")

    @field_validator("home", mode="before")
    @classmethod
    def _home(cls, given: str | Path) -> Path:
        """An empty name is the default, not the current folder; "~" is the user's own."""
        return Path(given).expanduser() if str(given).strip() else Path.home() / ".chapterverse"

    school: str = Field("local", description="The school whose books are meant, where nothing else says so.")
    embedding_model: str = Field("all-MiniLM-L6-v2", description="Name on the model hub, or a folder.")
    embedder: str = Field(
        "onnx",
        pattern="^(onnx|sentence-transformers|remote|openai)$",
        description="What runs the model: this process (onnx, sentence-transformers), our embedder container (remote), or any "
        "server that speaks OpenAI's embeddings (openai).",
    )
    embedder_url: str = Field("", description="Address of the embedder, where it is remote or openai.")
    embedder_key: SecretStr = Field(SecretStr(""), description="API key of the embedder, where it is openai.")
    embedder_dimensions: int = Field(384, ge=1, description="Length of a vector, where the embedder is remote or openai.")
    search: str = Field(
        "",
        pattern="^(|exact|graph)$",
        description="Compare every sentence here (exact), or follow Chroma's graphs (graph); empty: exact, but where the index "
        "is a server, that searches. PostgreSQL always does.",
    )
    memory_megabytes: int = Field(512, ge=0, description="MiB of books kept in memory between essays.")

    max_books: int = Field(20, ge=1, description="Books a school (S1, Scale).")
    max_book_bytes: int = Field(200 * 2**20, ge=1, description="Bytes of one PDF.")
    max_book_pages: int = Field(3000, ge=1, description="Pages of one PDF.")
    max_book_words: int = Field(600_000, ge=1, description="Words of one book; S1 plans for 50-150 thousand.")
    parse_seconds: float = Field(300.0, gt=0, le=86_400, description="Wall-clock seconds a PDF may take to parse.")
    parse_megabytes: int = Field(2048, ge=256, le=2**24, description="MiB of address space the parsing process may take.")

    max_essay_words: int = Field(20_000, ge=1, description="Words of one essay.")
    max_essay_sentences: int = Field(
        300,
        ge=1,
        description="Sentences of one essay that key sentences are chosen among; its paragraphs are looked up in any case.",
    )
    key_sentences: int = Field(3, ge=0, description="Key sentences looked up per paragraph, at most.")
    key_sentence_by: str = Field(
        "auto",
        pattern="^(auto|likelihood|embedding)$",
        description="What chooses them: a small language model in this process (likelihood), the vectors (embedding), or what "
        "was measured to do better (auto: the vectors).",
    )
    key_sentence_seconds: float = Field(
        1.0, gt=0, description="Seconds that it may take of an essay's time; vectors choose the rest."
    )
    candidates_per_query: int = Field(100, ge=1, description="Sentences re-scored per query before one is kept (S1 keeps 1).")
    max_similarity: float = Field(0.9, ge=0, le=1, description="Cosine above which two sentences say the same (S1, Diversity).")
    min_score: float = Field(0.44, ge=-1, le=2, description="Re-scored cosine below which the books have nothing on it.")
    rerank: str = Field(
        "off",
        description="What has a closer look at the candidates: a small model in this process (likelihood), the model at "
        "LLM_URL by the probabilities of its prompt (server), the language model by one question (listwise), a cross-encoder "
        "(its name or folder), or nothing (off).",
    )
    rerank_seconds: float = Field(1.5, gt=0, description="Seconds that it may take of an essay's time.")
    rerank_candidates: int = Field(10, ge=2, description="First candidates of each query that it looks at, at most.")

    llm: str = Field(
        "",
        pattern="^(|gemini|openai|local)$",
        description="What writes feedback: Gemini on Vertex AI (gemini), any server that speaks OpenAI's chat completions "
        "(openai), a small model in this process (local), or rules without a language model (empty).",
    )
    llm_url: str = Field("", description="Address of the language model that ends in /v1; for gemini: another than Google's.")
    llm_model: str = Field(
        "", description="The language model, as its server calls it; for local: a .gguf file, or nothing for SmolLM2-135M."
    )
    llm_key: SecretStr = Field(SecretStr(""), description="API key of the language model, where it is openai.")
    llm_audience: str = Field(
        "",
        description="Audience of the identity token that goes along, where it is openai on Cloud Run: the service's address.",
    )
    llm_project: str = Field("", description="Google Cloud project that Gemini is called in.")
    llm_location: str = Field("global", description="Vertex AI location that Gemini is called at, e.g. europe-west1.")
    llm_seconds: float = Field(2.0, gt=0, description="Seconds that the language model may take of an essay's time.")
    llm_day_ceiling: float = Field(
        5.0, ge=0, description="What a school's language model may cost in a day (UTC); beyond it rules write the feedback."
    )
    llm_price_prompt: float = Field(
        0.0, ge=0, description="Price of a million tokens that are read, in the ceiling's currency."
    )
    llm_price_answer: float = Field(0.0, ge=0, description="Price of a million tokens that are written.")

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

    artefacts: str = Field("", description="gs://BUCKET that keeps parsed books and vectors; empty: a folder below HOME.")
    uploads: str = Field(
        "", description="gs://BUCKET or s3://BUCKET that teachers' PDFs arrive in; empty: a folder below HOME."
    )
    catalog: SecretStr = Field(
        SecretStr(""), description="postgresql+psycopg:// address of the catalog; empty: SQLite in HOME."
    )
    index: str = Field(
        "",
        description="Vector index: http(s)://HOST:PORT of a Chroma server, or `pgvector` for the catalog's own PostgreSQL; "
        "empty: Chroma inside this process.",
    )
    chroma_tenant: str = Field("", description="Tenant of a Chroma Cloud or distributed Chroma; empty: the server's default.")
    chroma_database: str = Field("", description="Database of that tenant.")
    chroma_key: SecretStr = Field(SecretStr(""), description="API key of Chroma Cloud.")
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
    max_body_bytes: int = Field(2**20, ge=1024, description="Bytes of one HTTP request.")
    requests_per_minute: int = Field(120, ge=1, description="Requests a minute of one API key.")
    max_open_requests: int = Field(
        64, ge=1, description="Requests that one process answers at once; beyond it callers get 429."
    )
    upload_url_seconds: int = Field(900, ge=60, description="Seconds that an address for an upload is good for.")

    @model_validator(mode="after")
    def _fits(self) -> Self:
        """What is chosen works together."""
        for contradiction in contradictions(self):
            raise ValueError(contradiction)
        return self


def contradictions(s: Settings) -> Iterator[str]:
    """What is set and cannot work, each with what to do; names without CHAPTERVERSE_."""
    if s.artefacts and not s.artefacts.startswith("gs://"):
        yield "ARTEFACTS is gs://BUCKET, or nothing for a folder."
    if s.uploads and not s.uploads.startswith(("gs://", "s3://")):
        yield "UPLOADS is gs://BUCKET or s3://BUCKET, or nothing for a folder."
    if (catalog := s.catalog.get_secret_value()) and not catalog.startswith("postgresql+psycopg://"):
        yield "CATALOG is postgresql+psycopg://USER@HOST/DATABASE, or nothing for SQLite."
    if s.index not in {"", "pgvector"} and not s.index.startswith(("http://", "https://")):
        yield "INDEX is http(s)://HOST:PORT of a Chroma server, pgvector, or nothing for Chroma inside this process."
    if s.index == "pgvector" and not catalog:
        yield "INDEX=pgvector keeps vectors in the catalog's PostgreSQL: set CATALOG, too."
    if s.chroma_key.get_secret_value() and not s.index.startswith("http"):
        yield "CHROMA_KEY is for a Chroma server: set INDEX to its address."
    if s.embedder in {"remote", "openai"} and not s.embedder_url:
        yield f"EMBEDDER={s.embedder} needs EMBEDDER_URL."
    yield from _contradictions_of_llm(s)
    yield from _contradictions_of_reranker(s)
    yield from _contradictions_of_batches(s)
    if s.queue and not s.tasks_url:
        yield "QUEUE needs TASKS_URL, the address of the service that does the tasks."
    if s.queue and not (s.artefacts and s.uploads and catalog and s.index):
        yield "QUEUE hands work to other machines, which see no folder of this one: set ARTEFACTS, UPLOADS, CATALOG and INDEX."
    if s.allowed_callers and not s.audience:
        yield "ALLOWED_CALLERS needs AUDIENCE, the address that their tokens must name."


def _contradictions_of_reranker(s: Settings) -> Iterator[str]:
    if s.rerank == "server" and not (s.llm_url and s.llm_model):
        yield "RERANK=server needs LLM_URL and LLM_MODEL, a server that tells the probabilities of its prompt (vLLM)."
    if s.rerank == "listwise" and not s.llm:
        yield "RERANK=listwise asks the language model: set LLM, too."


def _contradictions_of_batches(s: Settings) -> Iterator[str]:
    if s.results and not s.results.startswith("gs://"):
        yield "RESULTS is gs://BUCKET, or nothing for a folder."
    if s.batch_llm == "vertex" and not (s.llm == "gemini" and s.results):
        yield "BATCH_LLM=vertex is for Gemini, and reads and writes in a bucket: set LLM=gemini and RESULTS."
    if s.night_url and not (s.queue and s.results):
        yield "NIGHT_URL is where a queue brings essays, whose results other machines have to see: set QUEUE and RESULTS, too."


def _contradictions_of_llm(s: Settings) -> Iterator[str]:
    if s.llm in {"gemini", "openai"} and not s.llm_model:
        yield f"LLM={s.llm} needs LLM_MODEL, its name."
    if s.llm == "openai" and not s.llm_url:
        yield "LLM=openai needs LLM_URL, the server's address that ends in /v1."
    if s.llm == "gemini" and not s.llm_project:
        yield "LLM=gemini needs LLM_PROJECT, the Google Cloud project."


def read_settings() -> Settings:
    """From the environment. Raises BadRequest, which names the setting that is wrong."""
    try:
        return Settings()
    except ValidationError as error:
        raise BadRequest(_sentence(error)) from error


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    if not first["loc"]:  # a contradiction between several
        return f"The settings do not fit together: CHAPTERVERSE_{first['ctx']['error']}"
    name = "_".join(str(part) for part in first["loc"]).upper()
    return f"The setting CHAPTERVERSE_{name} is wrong: {first['msg']}."
