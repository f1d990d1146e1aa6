"""What the benches run on: books, the model, and the sentences of the books."""

from pathlib import Path

from chapterverse import composition
from chapterverse.infrastructure.embedding.local import OnnxEmbedder
from chapterverse.infrastructure.embedding.model_files import find_model
from chapterverse.library.artefacts import indexed
from chapterverse.library.services import parsed
from chapterverse.library.versions import book_id_of
from chapterverse.settings import read_settings
from scripts.bench.report import MODEL

SAMPLE = Path("samples/on-liberty.pdf")
BUILD = Path("build/bench")


def books_in(place: Path) -> list[Path]:
    """The PDF, or those of the folder by name; the sample book alone where there is none."""
    return [place] if place.is_file() else sorted(place.glob("*.pdf")) or [SAMPLE]


def model_folders() -> tuple[Path, Path]:
    """Where our graph is, built if need be, and where the weights are that everybody uses."""
    models = BUILD / "models"
    OnnxEmbedder(MODEL, models).embed_queries(["built"])
    return models, find_model(MODEL).folder


def sentences_of(book: Path) -> list[str]:
    """The sentences of a PDF as the product reads them."""
    found = parsed(book.read_bytes(), book_id_of(book.name), composition.limits(read_settings()))
    return [sentence.text for sentence in indexed(found)]
