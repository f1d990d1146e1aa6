"""What an operator sets, with its default; read from CHAPTERVERSE_* once, where a program starts.

Every other number is a constant of the plan, limit or class that it tunes. docs/reference.md lists these fields."""

import os
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator, model_validator

from chapterverse.core.errors import BadRequest
from chapterverse.core.names import is_key, is_web_address, mail_server_of
from chapterverse.essays import FEEDBACK_SECONDS

PREFIX = "CHAPTERVERSE_"
VERTEX_MODEL = r"projects/(?P<project>[^/]+)/locations/(?P<location>[^/]+)/publishers/google/models/(?P<model>[^/]+)"
GS = r"^(gs://.+)?$"
DEFAULT_HOME = Path.home() / ".chapterverse"
MISSPELT = 0.92  # how like a setting a name is that is probably meant to be it
MIN_KEY = 32  # characters of SETUP_KEY


class Settings(BaseModel):
    """All settings, frozen. Raises ValidationError for a value that does not parse and for settings that contradict."""

    model_config = ConfigDict(frozen=True, extra="ignore", str_strip_whitespace=True)

    # One machine
    home: Path = Field(DEFAULT_HOME, description="Folder for all data on one machine.")
    school: str = Field("local", pattern=r"^[^./\\][^/\\]*$", description="School that commands are about; no path.")
    paper: str = Field("a4", pattern="^(a4|letter)$", description="Paper size of feedback as a PDF: a4 or letter.")

    # Storage
    catalog: SecretStr = Field(
        SecretStr(""), description="postgresql+psycopg:// address of the catalogue; empty: SQLite in HOME."
    )
    artefacts: str = Field("", pattern=GS, description="gs://BUCKET for parsed books and vectors; empty: a folder in HOME.")
    uploads: str = Field(
        "", pattern=r"^((gs|s3)://.+)?$", description="gs://BUCKET or s3://BUCKET for uploaded files; empty: a folder in HOME."
    )
    results: str = Field(
        "", pattern=GS, description="gs://BUCKET for batches of essays and their feedback; empty: a folder in HOME."
    )
    index: str = Field(
        "",
        pattern=r"^(pgvector|https?://.+)?$",
        description="Vector index: http(s)://HOST:PORT of a Chroma server, "
        "`pgvector`, or empty: files in ARTEFACTS or HOME, which this process maps into "
        "memory (docs/vector-index.md).",
    )
    keep_days: int = Field(30, ge=0, le=3650, description="Days that feedback and essays are stored for teachers; 0: never.")

    # Embedder
    embedder: str = Field(
        "onnx",
        pattern="^(onnx|sentence-transformers|remote|vertex)$",
        description="What runs the embedding model: this process (onnx, sentence-transformers), or the embedder container "
        "on Cloud Run (remote) or at an endpoint of Vertex AI (vertex).",
    )
    embedding_model: str = Field(
        "all-MiniLM-L6-v2", description="Name on the model hub, with @REVISION if wanted, or a folder."
    )
    embedder_url: str = Field(
        "", description="Address of the embedder, if remote; if vertex: https://HOST/v1/projects/P/locations/L/endpoints/E."
    )

    # Queue and services
    queue: str = Field("", description="projects/P/locations/L/queues/Q of Cloud Tasks; empty: a queue in this process.")
    tasks_url: str = Field(
        "", description="Address of the embedder container, which does the tasks; the audience of the tokens sent to it."
    )
    batch_url: str = Field("", description="Address of the function run_nightly_batches, which does batches of essays.")
    tasks_account: str = Field("", description="Service account whose OIDC token goes with each task.")
    allowed_callers: str = Field(
        "", description="Service accounts that may call the embedder, separated by commas; empty: everyone."
    )
    max_task_sentences: int = Field(512, ge=1, description="Sentences per indexing task.")

    # Language model
    llm_url: str = Field(
        "",
        description="Address of the language model's server (OpenAI's chat API); on Cloud Run it is called with an identity "
        "token. For Gemini: another than Google's.",
    )
    llm_model: str = Field(
        "",
        description="Name on its server; for Gemini: projects/P/locations/L/publishers/google/models/M. Empty: there is none.",
    )
    llm_key: SecretStr = Field(SecretStr(""), description="API key of the language model.")
    llm_prices: str = Field(
        "0,0",
        pattern=r"^\d+(\.\d+)?,\d+(\.\d+)?$",
        description="Prices of a million tokens read and of a million written, e.g. 0.3,2.5.",
    )
    max_llm_cost_per_day: float = Field(
        5.0, ge=0, description="Cost ceiling of one school per day (UTC), in the prices' currency; above it, no model writes."
    )

    # Feedback and answers
    max_feedback_seconds: float = Field(
        FEEDBACK_SECONDS,
        gt=0,
        description="Seconds for the whole feedback (S1-5), a third of them for an answer; what is late is left out and named.",
    )

    # Limits
    max_books: int = Field(20, ge=1, description="Books per school (S1-3).")
    max_open_requests: int = Field(64, ge=1, description="Requests that one process answers at once; above it: 429.")
    requests_per_minute: int = Field(
        120,
        ge=1,
        description="Requests per minute of one person, or of one API key that names no person; all keys of a school together "
        "may send 50 times as many.",
    )

    # Sign-in
    site_url: str = Field("", description="https:// address of the pages, as letters name it; empty: where `serve` listens.")
    mail_server: SecretStr = Field(
        SecretStr(""),
        description="smtps://user:password@host or smtp://host for sign-in links; empty: files in outbox/ of HOME.",
    )
    mail_from: str = Field("", description="E-mail address of the sender.")
    lti_keys: SecretStr = Field(
        SecretStr(""),
        description="Output of `chapterverse lti keys --print-new`, if several machines sign; empty: lti-keys.json in HOME.",
    )

    setup_key: SecretStr = Field(
        SecretStr(""),
        description="32 characters or more, the same on all machines, to encrypt what admins set up on the page; empty: a file "
        "in HOME, or nothing where CATALOG is set.",
    )

    # Optional models
    llm_tasks: str = Field(
        "none",
        pattern="^(batch|none)$",
        description="batch: Gemini writes on a class in one job of Vertex AI, for half the price; none: essay by essay.",
    )
    rerank: str = Field(
        "",
        description="A cross-encoder that re-ranks a lecture's candidates, by name (with @REVISION if wanted) or folder; "
        "empty: none.",
    )

    @field_validator("home", mode="before")
    @classmethod
    def _home(cls, given: str | Path) -> Path:
        """Empty is the default, not the current folder; "~" is the user's home."""
        try:
            return Path(given).expanduser() if str(given).strip() else DEFAULT_HOME
        except RuntimeError:
            raise ValueError("there is no such user") from None

    @model_validator(mode="after")
    def _fits(self) -> Self:
        for contradiction in contradictions(self):
            raise ValueError(contradiction)
        return self

    @property
    def embedder_is_elsewhere(self) -> bool:
        """Whether the embedder is a container, called over the network."""
        return self.embedder in {"remote", "vertex"}

    @property
    def llm(self) -> Literal["", "gemini", "openai"]:
        """What the language model is, by its name; empty: there is none."""
        return "gemini" if self.vertex else "openai" if self.llm_model else ""

    @property
    def vertex(self) -> Mapping[str, str]:
        """Project, location and model of Gemini; empty for another model."""
        found = re.fullmatch(VERTEX_MODEL, self.llm_model)
        return found.groupdict() if found else {}


def read_settings() -> Settings:
    """From the environment. Raises BadRequest, which names the setting that is wrong or misspelt."""
    for name in unknown_names():
        if near := get_close_matches(name.upper(), _known().values(), n=1, cutoff=MISSPELT):
            raise BadRequest("setting_misspelt", name=name, near=near[0])
    try:
        return Settings.model_validate({field: given for field, name in _known().items() if (given := os.environ.get(name))})
    except ValidationError as error:
        raise BadRequest("setting_invalid", problem=_sentence(error)) from error


def unknown_names() -> list[str]:
    """What is set in the environment as our settings are, and is none: misspelt, of an older release, or another program's."""
    return sorted(name for name in os.environ if name.upper().startswith(PREFIX) and name not in _known().values())


def _known() -> dict[str, str]:
    return {field: f"{PREFIX}{field.upper()}" for field in Settings.model_fields}


def _sentence(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    if not first["loc"]:  # a contradiction between several
        return f"The settings do not fit together: {PREFIX}{first['ctx']['error']}"
    name = "_".join(str(part) for part in first["loc"]).upper()
    if choices := re.fullmatch(r"\^\(\|?([\w|-]+)\)\$", first.get("ctx", {}).get("pattern", "")):
        return f"The setting {PREFIX}{name} is wrong: choose from {choices[1].replace('|', ', ')}."
    if first["type"] == "string_pattern_mismatch":
        return f"The setting {PREFIX}{name} is wrong. It is: {Settings.model_fields[name.lower()].description}"
    return f"The setting {PREFIX}{name} is wrong: {first['msg'].removeprefix('Value error, ')}."


def contradictions(s: Settings) -> Iterator[str]:
    """What is set and cannot work, each with what to do; names without CHAPTERVERSE_."""
    for name in ("site_url", "llm_url", "embedder_url", "tasks_url", "batch_url"):
        if (given := getattr(s, name)) and not is_web_address(given):
            yield f"{name.upper()} has to be a web address, with http:// or https://."
    catalog = s.catalog.get_secret_value()
    if catalog and not catalog.startswith("postgresql+psycopg://"):
        yield "CATALOG is postgresql+psycopg://USER@HOST/DATABASE, or nothing for SQLite."
    if s.index == "pgvector" and not catalog:
        yield "INDEX=pgvector stores vectors in the catalogue's PostgreSQL: set CATALOG, too."
    if s.embedder_is_elsewhere and not s.embedder_url:
        yield f"EMBEDDER={s.embedder} needs an address: set CHAPTERVERSE_EMBEDDER_URL."
    yield from _of_llm(s)
    if s.batch_url and not (s.queue and s.results):
        yield "BATCH_URL is where a queue brings essays, whose results other machines have to see: set QUEUE and RESULTS, too."
    if s.queue and not s.tasks_url:
        yield "QUEUE needs TASKS_URL, the address of the service that does the tasks."
    if s.queue and not (s.artefacts and s.uploads and catalog):
        yield "QUEUE hands work to other machines, which see no folder of this one: set ARTEFACTS, UPLOADS, CATALOG."
    if s.allowed_callers and not s.tasks_url:
        yield "ALLOWED_CALLERS needs TASKS_URL, the address that their tokens must name."
    if (mail := s.mail_server.get_secret_value()) and not mail_server_of(mail):
        yield "MAIL_SERVER is smtps://user:password@host or smtp://host, or nothing for files. In a password, write %2F for /."
    if mail and "@" not in s.mail_from:
        yield "MAIL_FROM is missing: set it to the e-mail address that sends."
    if 0 < len(s.setup_key.get_secret_value()) < MIN_KEY:
        yield f"SETUP_KEY needs {MIN_KEY} characters or more."


def _of_llm(s: Settings) -> Iterator[str]:
    if (s.llm_url or s.llm_key.get_secret_value()) and not s.llm_model:
        yield "LLM_MODEL is missing: set it to the model's name on that server."
    if not is_key(s.llm_key.get_secret_value()):
        yield "LLM_KEY has signs that no key has: copy it again."
    if s.llm == "openai" and not s.llm_url:
        yield "LLM_URL has to be the server's address, unless LLM_MODEL is projects/P/locations/L/publishers/google/models/M."
    if s.llm_tasks == "batch" and not (s.llm == "gemini" and s.results):
        yield "LLM_TASKS=batch is for Gemini, and reads and writes in a bucket: set LLM_MODEL to one of Gemini's, and RESULTS."
