"""The cases that retrieval is judged by: variants of sentences, essays with gold evidence, books with numbered sentences.

    variants   JSON lines {"book", "sentence", "level1", "level2", "level3"}: how near to the sentence's words each says it
    essays     JSON lines {"paragraphs": [{"text", "evidence": [{"book", "n"} or {"book", "sentence"}]}]}
    claims     JSON lines {"book", "sentence", "previous", "next", "claims": [{"text", "verdict"}]}
    gold       {book}.gold.jsonl.gz, JSON lines {"n", "text"}: the sentences of a book by number, in reading order

book is the stem of the PDF's file name. What else a line holds is not looked at."""

import gzip
import re
import unicodedata
import zlib
from collections.abc import Iterator
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError, model_validator

from chapterverse.errors import BadRequest

GOLD_ENDING = ".gold.jsonl.gz"
LEVELS = ("level1", "level2", "level3")

_NOT_A_WORD = re.compile(r"[\W_]+")

Line = TypeVar("Line")


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True)


class Variant(_Line):
    """A sentence of a book and three ways to say the same, from nearly its words to a student's own (S1)."""

    book: str
    sentence: str
    level1: str = Field(min_length=1)
    level2: str = Field(min_length=1)
    level3: str = Field(min_length=1)


class GoldEvidence(_Line):
    """A sentence that bears on a paragraph: by its number in the gold, or by its text."""

    book: str
    n: int | None = None
    sentence: str | None = None

    @model_validator(mode="after")
    def _names_a_sentence(self) -> "GoldEvidence":
        if self.n is None and self.sentence is None:
            raise ValueError('evidence names its sentence by "n" or by "sentence"')
        return self


class GoldParagraph(_Line):
    """A paragraph of an essay; without evidence there is nothing on it in the books."""

    text: str = Field(min_length=1)
    evidence: tuple[GoldEvidence, ...] = ()


class GoldEssay(_Line):
    """An essay whose evidence is known."""

    paragraphs: tuple[GoldParagraph, ...] = Field(min_length=1)


class GoldSentence(_Line):
    """A sentence of a book with its number."""

    n: int
    text: str


class GoldClaim(_Line):
    """A claim and what the sentence does for it; a claim borne out in part counts as supported."""

    text: str = Field(min_length=1)
    verdict: Literal["supports", "partly", "contradicts", "not_found"]


class JudgedSentence(_Line):
    """A sentence between its neighbours, null or empty at the edge of a paragraph, and claims with their verdicts."""

    book: str
    sentence: str = Field(min_length=1)
    previous: str | None = None
    next: str | None = None
    claims: tuple[GoldClaim, ...] = Field(min_length=1)


def read_claims(data: bytes) -> list[JudgedSentence]:
    """Raises BadRequest, which names the line that is wrong."""
    return list(_lines(data, TypeAdapter(JudgedSentence), "claims"))


def read_variants(data: bytes) -> list[Variant]:
    """Raises BadRequest, which names the line that is wrong."""
    return list(_lines(data, TypeAdapter(Variant), "variants"))


def read_essays(data: bytes) -> list[GoldEssay]:
    """Raises BadRequest, which names the line that is wrong."""
    return list(_lines(data, TypeAdapter(GoldEssay), "essays"))


def read_gold(data: bytes) -> list[GoldSentence]:
    """Raises BadRequest, also for what is not gzip."""
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
    """What two writings of a sentence have in common: its words in lower case, whatever the quotes, dashes and blanks."""
    return _NOT_A_WORD.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()
