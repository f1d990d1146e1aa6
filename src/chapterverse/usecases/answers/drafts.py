"""What a language model answers, claim by claim, as soon as each is whole."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chapterverse.errors import BadAnswer
from chapterverse.ingestion.sentences import split_sentences
from chapterverse.language import Schema
from chapterverse.usecases.answers.sources import Source

SHORTEST_NAME = 4  # characters; a shorter heading stands in a bracket by chance

_WORD = r"(?:(?:based on|see|cf\.?)\s+)?(?:sources?|evidence)\s*"
_MARK = re.compile(  # "[2]", "[Source 1, 3]", "(Source 2)"; a bare number in round brackets is a year or a room
    rf"\s*(?:[\[【]\s*(?:{_WORD})?|[(（]\s*{_WORD})#?(?P<numbers>\d+(?:\s*(?:,|;|and|&)\s*(?:sources?)?\s*#?\d+)*)\s*[\])）】]",
    re.IGNORECASE,
)
_BEHIND = re.compile(rf"(?P<stop>[.!?])(?P<marks>(?:{_MARK.pattern})+)", re.IGNORECASE)
_NAMED = re.compile(r"\bsources?\s*#?(?P<numbers>\d+(?:\s*(?:,|and)\s*\d+)*)", re.IGNORECASE)
_BRACKET = re.compile(r"\s*[\[(](?P<named>[^\[\]()]+)[\])]")
_BETWEEN = re.compile(r"[\s,]*")
_DECODER = json.JSONDecoder()


class DraftClaim(BaseModel):
    """Nothing here is believed before it was checked."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str = Field(description="One sentence of the answer, without numbers of sources in it.")
    sources: list[int] = Field(description="Numbers of the sources that it rests on; at least one.")


class Draft(BaseModel):
    """A language model's answer: no claims where the sources do not answer the question."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    claims: list[DraftClaim]


SCHEMA: Schema = Draft.model_json_schema()


def claims_in(pieces: Iterable[str], sources: Sequence[Source]) -> Iterator[DraftClaim]:
    """Those of a JSON object of SCHEMA, each as soon as it is whole; of anything else its sentences with their citations (S4,
    "post-processing regex fallback"). Raises BadAnswer where there is neither."""
    text, at, found = "", 0, False
    for piece in pieces:
        text += piece
        at = at or text.find("[") + 1
        while at and text.lstrip().startswith("{") and (step := _next(text, at)):
            claim, at = step
            found = True
            yield claim
    if not found and not _is_empty(text):
        yield from _in_prose(text, sources)


def _next(text: str, at: int) -> tuple[DraftClaim, int] | None:
    """The claim that begins there, and where it ends; None where it is not whole yet, or is none."""
    between = _BETWEEN.match(text, at)
    start = between.end() if between else at
    try:
        value, end = _DECODER.raw_decode(text, start)
        return DraftClaim.model_validate(value), end
    except (ValueError, ValidationError):
        return None


def _is_empty(text: str) -> bool:
    """Whether it is an answer that makes no claim."""
    try:
        return not Draft.model_validate_json(text).claims
    except ValidationError:
        return False


def _in_prose(text: str, sources: Sequence[Source]) -> Iterator[DraftClaim]:
    claims = [_claim_of(text[slice(*span)], sources) for span in split_sentences(_marks_inside(text))]
    if text.lstrip().startswith("{") or not any(claim.sources for claim in claims):
        raise BadAnswer("llm_answer_cites_nothing")
    yield from claims


def _marks_inside(text: str) -> str:
    """A mark behind the full stop is moved before it, where it belongs to its sentence."""
    return _BEHIND.sub(r"\g<marks>\g<stop>", text)


def _claim_of(sentence: str, sources: Sequence[Source]) -> DraftClaim:
    plain, numbers = without_marks(sentence)
    named = [one.number for one in sources if _names(plain, one)]
    return DraftClaim(text=plain if numbers else _BRACKET.sub("", plain) if named else plain, sources=[*numbers, *named])


def without_marks(text: str) -> tuple[str, list[int]]:
    """The text without "[2]", "(Source 2, 3)" and the like, and the numbers that stood there, or in its words."""
    groups = chain((found["numbers"] for found in _MARK.finditer(text)), (found["numbers"] for found in _NAMED.finditer(text)))
    numbers = [int(number) for group in groups for number in re.findall(r"\d+", group)]
    return " ".join(_MARK.sub("", text).split()), list(dict.fromkeys(numbers))


def _names(sentence: str, source: Source) -> bool:
    """Whether a bracket names its section, or the whole document where it has none."""
    names = {name.lower() for name in (source.headings or (source.title,))[-1:] if len(name) >= SHORTEST_NAME}
    return any(name in found["named"].lower() for name in names for found in _BRACKET.finditer(sentence))
