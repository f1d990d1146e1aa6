"""Every setting with its default, its unit and its source; read from CHAPTERVERSE_* once, at the composition root."""

from pathlib import Path

from pydantic import Field, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """One frozen object. A value that does not parse stops the program with a sentence that names it."""

    model_config = SettingsConfigDict(env_prefix="CHAPTERVERSE_", frozen=True, extra="ignore")

    home: Path = Field(Path.home() / ".chapterverse", description="Folder that holds everything on one machine.")

    @field_validator("home", mode="before")
    @classmethod
    def _home(cls, given: str | Path) -> Path:
        """An empty name is the default, not the current folder; "~" is the user's own."""
        return Path(given).expanduser() if str(given).strip() else Path.home() / ".chapterverse"

    school: str = Field("local", description="The school whose books are meant, where nothing else says so.")
    embedding_model: str = Field("all-MiniLM-L6-v2", description="Name on the model hub, or a folder.")
    embedder: str = Field("onnx", pattern="^(onnx|sentence-transformers)$", description="What runs the model.")
    search: str = Field("exact", pattern="^(exact|graph)$", description="Compare every sentence, or follow Chroma's graphs.")
    memory_megabytes: int = Field(512, ge=0, description="MiB of books kept in memory between essays.")

    max_books: int = Field(20, ge=1, description="Books a school (S1, Scale).")
    max_book_bytes: int = Field(200 * 2**20, ge=1, description="Bytes of one PDF.")
    max_book_pages: int = Field(3000, ge=1, description="Pages of one PDF.")
    max_book_words: int = Field(600_000, ge=1, description="Words of one book; S1 plans for 50-150 thousand.")
    parse_seconds: float = Field(300.0, gt=0, description="Wall-clock seconds a PDF may take to parse.")
    parse_megabytes: int = Field(2048, ge=256, description="MiB of address space the parsing process may take.")

    max_essay_words: int = Field(20_000, ge=1, description="Words of one essay.")
    key_sentences: int = Field(3, ge=0, description="Key sentences looked up per paragraph, at most.")
    candidates_per_query: int = Field(100, ge=1, description="Sentences re-scored per query before one is kept (S1 keeps 1).")
    max_similarity: float = Field(0.9, ge=0, le=1, description="Cosine above which two sentences say the same (S1, Diversity).")
    min_score: float = Field(0.44, ge=-1, le=2, description="Re-scored cosine below which the books have nothing on it.")
