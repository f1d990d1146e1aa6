"""Cases for the evaluation of search and verdicts, read from files, and the school's books as cases name them.

    variants   JSON lines {"book", "sentence", "level1", "level2", "level3"}: a sentence in three other wordings
    essays     JSON lines {"paragraphs": [{"text", "evidence": [{"book", "n"} or {"book", "sentence"}]}]}
    claims     JSON lines {"book", "sentence", "previous", "next", "claims": [{"text", "verdict"}]}
    gold       {book}.gold.jsonl.gz, JSON lines {"n", "text"}: the numbered sentences of a book, in reading order

`book` is the stem of the PDF's file name. Other fields are ignored."""

import gzip
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from chapterverse.core.book import SentenceId
from chapterverse.core.hits import Scope
from chapterverse.core.names import slug
from chapterverse.core.ports import Bucket
from chapterverse.evaluation.search import Variant, stem_of, words_of
from chapterverse.library.artefacts import indexed, load_book
from chapterverse.library.scope import OpenBook

if TYPE_CHECKING:
    from chapterverse.library.store import SqlCatalog

GOLD_ENDING = ".gold.jsonl.gz"
Line = TypeVar("Line")


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True)


class GoldEvidence(_Line):
    """A sentence that supports a paragraph: by its number in the gold file, or by its text."""

    book: str
    n: int | None = None
    sentence: str | None = None

    @model_validator(mode="after")
    def _names_a_sentence(self) -> "GoldEvidence":
        if self.n is None and self.sentence is None:
            raise ValueError('evidence names its sentence by "n" or by "sentence"')
        return self


class GoldParagraph(_Line):
    """A paragraph of an essay. evidence: empty if the books have nothing on it."""

    text: str = Field(min_length=1)
    evidence: tuple[GoldEvidence, ...] = ()


class GoldEssay(_Line):
    """An essay with known evidence."""

    paragraphs: tuple[GoldParagraph, ...] = Field(min_length=1)


class GoldSentence(_Line):
    """A numbered sentence of a book."""

    n: int
    text: str


def read_variants(data: bytes) -> list[Variant]:
    """Variants. Raises ValueError, which names the faulty line."""
    return list(_lines(data, TypeAdapter(Variant), "variants"))


def read_essays(data: bytes) -> list[GoldEssay]:
    """Essays. Raises ValueError, which names the faulty line."""
    return list(_lines(data, TypeAdapter(GoldEssay), "essays"))


def read_gold(data: bytes) -> list[GoldSentence]:
    """Numbered sentences. Raises ValueError, which names the faulty line, also for data that is not gzip."""
    try:
        lines = gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise ValueError(f"{GOLD_ENDING} is not gzip") from error
    return list(_lines(lines, TypeAdapter(GoldSentence), "gold sentences"))


def _lines(data: bytes, line: TypeAdapter[Line], what: str) -> Iterator[Line]:
    empty = True
    for number, text in enumerate(data.splitlines(), start=1):
        if text.strip():
            empty = False
            yield _line(text, line, f"Line {number} of the {what}")
    if empty:
        raise ValueError(f"The file of {what} is empty")


def _line(text: bytes, line: TypeAdapter[Line], where: str) -> Line:
    try:
        return line.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise ValueError(f"{where} is not as expected: {field}: {first['msg']}") from error


Item = TypeVar("Item")
Place = tuple[str, str]  # a sentence as cases name it: slug of the book's name, words_of(text)
GoldBooks = Mapping[str, Sequence[GoldSentence]]  # by the slug of the book's name, in reading order


@dataclass(frozen=True, slots=True)
class KnownBooks:
    """The school's books as cases name them. sentences: words and id of each, by book, in reading order. places: by id."""

    sentences: Mapping[str, Sequence[tuple[str, SentenceId]]]
    places: Mapping[SentenceId, Place]

    def ids(self, book: str, sentence: str) -> frozenset[SentenceId]:
        """All sentences of the book with these words; empty if the parser has read it differently."""
        words = words_of(sentence)
        return frozenset(id for other, id in self.sentences[slug(book)] if other == words)

    def holds(self, book: str) -> bool:
        """Whether the school has the book."""
        return slug(book) in self.sentences

    def near(self, evidence: GoldEvidence, gold: GoldBooks) -> Iterator[Place]:
        """The sentence meant and its two neighbours. Raises ValueError for a number that gold does not have."""
        book = slug(evidence.book)
        if evidence.n is None:
            is_meant = [words == words_of(evidence.sentence or "") for words, _ in self.sentences[book]]
            return ((book, words) for words, _ in _with_neighbours(self.sentences[book], is_meant))
        numbered = _numbered(evidence, gold)
        is_meant = [sentence.n == evidence.n for sentence in numbered]
        return ((book, words_of(sentence.text)) for sentence in _with_neighbours(numbered, is_meant))


def know_books(scope: Scope, books: Mapping[str, OpenBook], catalog: "SqlCatalog", bucket: Bucket) -> KnownBooks:
    """The books that are searched, given by version. Raises NotFound for a book removed meanwhile."""
    names = {book.id: stem_of(book) for book in catalog.books(scope.school)}
    sentences = {
        names[book.key.book]: [(words_of(sentence.text), sentence.id) for sentence in indexed(load_book(bucket, book.key))]
        for book in books.values()
    }
    places = {id: (name, words) for name, known in sentences.items() for words, id in known}
    return KnownBooks(sentences, places)


def _numbered(evidence: GoldEvidence, gold: GoldBooks) -> Sequence[GoldSentence]:
    sentences = gold.get(slug(evidence.book), ())
    if not any(sentence.n == evidence.n for sentence in sentences):
        raise ValueError(f"The gold of {evidence.book} has no sentence {evidence.n}")
    return sentences


def _with_neighbours(sentences: Sequence[Item], is_meant: Sequence[bool]) -> Iterator[Item]:
    """The sentences meant, with their neighbours."""
    around = zip([False, *is_meant], is_meant, [*is_meant[1:], False], strict=False)
    return (sentence for sentence, near in zip(sentences, around, strict=True) if any(near))


def read_gold_folder(folder: Path) -> dict[str, list[GoldSentence]]:
    """The numbered sentences of every book in the folder, by the slug of its name. Raises ValueError."""
    files = sorted(folder.glob(f"*{GOLD_ENDING}"))
    return {slug(file.name.removesuffix(GOLD_ENDING)): read_gold(file.read_bytes()) for file in files}
