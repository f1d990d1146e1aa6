"""Cases for the evaluation of search and verdicts, read from files, and the school's books as cases name them.

    variants   JSON lines {"book", "sentence", "level1", "level2", "level3"}: a sentence in three other wordings
    essays     JSON lines {"paragraphs": [{"text", "evidence": [{"book", "n"} or {"book", "sentence"}]}]}
    claims     JSON lines {"book", "sentence", "previous", "next", "claims": [{"text", "verdict"}]}
    gold       {book}.gold.jsonl.gz, JSON lines {"n", "text"}: the numbered sentences of a book, in reading order

`book` is the stem of the PDF's file name. Other fields are ignored.

Without a language model, variants are sentences with words left out. They contain no paraphrases, so their metrics cannot be
compared with those of a language model's variants."""

import gzip
import random
import re
import unicodedata
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import TYPE_CHECKING, Literal, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from chapterverse.core.book import Sentence, SentenceId
from chapterverse.core.errors import BadRequest
from chapterverse.core.hits import Scope
from chapterverse.core.names import slug
from chapterverse.core.ports import Bucket
from chapterverse.evaluation.calibration import question_of
from chapterverse.library.artefacts import indexed, load_book
from chapterverse.library.model import CatalogBook
from chapterverse.library.scope import OpenBook

if TYPE_CHECKING:
    from chapterverse.library.store import SqlCatalog

GOLD_ENDING = ".gold.jsonl.gz"
LEVELS = ("level1", "level2", "level3")
_NOT_A_WORD = re.compile(r"[\W_]+")
Line = TypeVar("Line")


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True)


class Variant(_Line):
    """A sentence of a book in three other wordings, from a minor rewrite to a student's own words (S1)."""

    book: str
    sentence: str
    level1: str = Field(min_length=1)
    level2: str = Field(min_length=1)
    level3: str = Field(min_length=1)


class VariantCase(Variant):
    """A variant as it is written to a file: with the sentence's id and chapter."""

    id: str
    chapter: str | None

    @classmethod
    def of(cls, book: str, sentence: Sentence, levels: Mapping[str, str]) -> Self:
        """book: its name in cases."""
        chapter = sentence.address.chapter.name
        return cls(id=sentence.id, book=book, chapter=chapter, sentence=sentence.text, **levels)


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


class GoldClaim(_Line):
    """A claim with the known verdict of the sentence on it; partly counts as supported."""

    text: str = Field(min_length=1)
    verdict: Literal["supports", "partly", "contradicts", "not_found"]


class JudgedSentence(_Line):
    """A sentence with claims and their verdicts. previous, next: its neighbours, null or empty at the edge of a paragraph."""

    book: str
    sentence: str = Field(min_length=1)
    previous: str | None = None
    next: str | None = None
    claims: tuple[GoldClaim, ...] = Field(min_length=1)


def read_claims(data: bytes) -> list[JudgedSentence]:
    """Sentences with claims. Raises BadRequest, which names the faulty line."""
    return list(_lines(data, TypeAdapter(JudgedSentence), "claims"))


def read_variants(data: bytes) -> list[Variant]:
    """Variants. Raises BadRequest, which names the faulty line."""
    return list(_lines(data, TypeAdapter(Variant), "variants"))


def read_essays(data: bytes) -> list[GoldEssay]:
    """Essays. Raises BadRequest, which names the faulty line."""
    return list(_lines(data, TypeAdapter(GoldEssay), "essays"))


def read_gold(data: bytes) -> list[GoldSentence]:
    """Numbered sentences. Raises BadRequest, which names the faulty line, also for data that is not gzip."""
    try:
        lines = gzip.decompress(data)
    except (OSError, EOFError, zlib.error) as error:
        raise BadRequest("gold_not_gzip", ending=GOLD_ENDING) from error
    return list(_lines(lines, TypeAdapter(GoldSentence), "gold sentences"))


def _lines(data: bytes, line: TypeAdapter[Line], what: str) -> Iterator[Line]:
    empty = True
    for number, text in enumerate(data.splitlines(), start=1):
        if text.strip():
            empty = False
            yield _line(text, line, f"Line {number} of the {what}")
    if empty:
        raise BadRequest("cases_empty", what=what)


def _line(text: bytes, line: TypeAdapter[Line], where: str) -> Line:
    try:
        return line.validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise BadRequest("case_invalid", where=where, field=field + ": " if field else "", problem=first["msg"]) from error


def words_of(text: str) -> str:
    """The words of a sentence in lower case, without punctuation: equal for two spellings of one sentence."""
    return _NOT_A_WORD.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


SHARES: Mapping[str, float] = {"level1": 3 / 4, "level2": 1 / 2, "level3": 1 / 3}  # of content words in a variant


def words_left_out(sentence: str, seed: int) -> dict[str, str] | None:
    """Three variants by level, deterministic for a seed; None for a sentence that question_of refuses."""
    draw = random.Random(f"{seed} {sentence}")  # noqa: S311 - not for secrets
    made = {level: question_of(sentence, draw, share) for level, share in SHARES.items()}
    return {level: text for level, text in made.items() if text} if all(made.values()) else None


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
        """The sentence meant and its two neighbours. Raises BadRequest for a number that gold does not have."""
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


def stem_of(book: CatalogBook) -> str:
    """The book's name in cases."""
    return slug(PurePath(book.file_name).stem)


def _numbered(evidence: GoldEvidence, gold: GoldBooks) -> Sequence[GoldSentence]:
    sentences = gold.get(slug(evidence.book), ())
    if not any(sentence.n == evidence.n for sentence in sentences):
        raise BadRequest("gold_lacks_sentence", n=evidence.n, book=evidence.book)
    return sentences


def _with_neighbours(sentences: Sequence[Item], is_meant: Sequence[bool]) -> Iterator[Item]:
    """The sentences meant, with their neighbours."""
    around = zip([False, *is_meant], is_meant, [*is_meant[1:], False], strict=False)
    return (sentence for sentence, near in zip(sentences, around, strict=True) if any(near))
