"""Where a school's books are, what embeds them, what they may cost."""

from pathlib import Path

from pydantic import Field, SecretStr, field_validator

from chapterverse.settings.group import Group


class BookSettings(Group):
    """Where a school's books are, what embeds them, what they may cost."""

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
    embedding_model_before: str = Field(
        "",
        description="Model that a school is searched with until `index reembed` has embedded its books by EMBEDDING_MODEL.",
    )
    embedder_url_before: str = Field("", description="Address of the embedder that runs it; empty: as EMBEDDER says.")
    embedder_dimensions_before: int = Field(384, ge=1, description="Length of its vectors.")
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
