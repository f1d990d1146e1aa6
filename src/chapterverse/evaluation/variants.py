"""Variants of a sentence by a language model (S1, "Relevance scoring"): what it is asked, and what is taken of what it writes.

Three levels, told apart by what they keep of the sentence's words (stems; without names, numbers and words such as "the", for
which there is no other word) and by their length:

    level1   minor rewrite                          keeps 60 % or more       0.7 to 1.5 times as long
    level2   full paraphrase                        keeps 60 % or less       0.5 to 2
    level3   the claim as a student would put it    keeps 35 % or less       0.3 to 2

None is the sentence itself. Whether it means the same, no rule sees."""

from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chapterverse.errors import BadAnswer
from chapterverse.evaluation.cases import LEVELS, words_of
from chapterverse.evidence.checks.words import read_words
from chapterverse.feedback.prompting import TAG_LENGTH, fenced
from chapterverse.language import Answer, Prompt, Schema
from chapterverse.prompts import prompt

PROMPT = "variants-1"
FEWEST_WORDS, MOST_WORDS = 10, 45  # of a sentence that variants are made of: shorter ones say little, longer ones too much


@dataclass(frozen=True, slots=True)
class Bounds:
    """least, most: share of the sentence's words that is kept; shortest, longest: times the sentence's words."""

    least: float
    most: float
    shortest: float
    longest: float


BOUNDS = dict(zip(LEVELS, (Bounds(0.6, 1, 0.7, 1.5), Bounds(0, 0.6, 0.5, 2), Bounds(0, 0.35, 0.3, 2)), strict=True))


class Written(BaseModel):
    """A language model's answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    level1: str = Field(description="Minor rewrite: the sentence with a few small changes.")
    level2: str = Field(description="Full paraphrase: all that the sentence says, in other words.")
    level3: str = Field(description="Heavily reworded: the claim as a student would put it.")

    def levels(self) -> Iterator[tuple[str, str]]:
        """Name and text of each, without blanks around it."""
        return ((level, " ".join(getattr(self, level).split())) for level in LEVELS)


SCHEMA: Schema = Written.model_json_schema()


@dataclass(frozen=True, slots=True)
class Source:
    """A sentence that variants are made of, as its reader meets it. previous, next: empty at the edges of the paragraph."""

    title: str
    sentence: str
    previous: str = ""
    next: str = ""


def ask_for_variants(source: Source) -> Prompt:
    """The prompt: our instructions, and the book's words fenced off as material."""
    blocks = {"book": source.title, "before": source.previous, "sentence": source.sentence, "after": source.next}
    tag = sha256("\n".join(blocks.values()).encode("utf-8", "replace")).hexdigest()[:TAG_LENGTH]
    return Prompt(
        PROMPT, prompt(PROMPT).substitute(tag=tag), fenced({name: text for name, text in blocks.items() if text}, tag)
    )


def variants_in(answer: Answer, sentence: str) -> dict[str, str]:
    """The three by level. Raises BadAnswer, which says which are amiss and how, and quotes none."""
    try:
        written = dict(Written.model_validate(dict(answer.value)).levels())
    except ValidationError as error:
        amiss = {".".join(map(str, each["loc"])): each["type"] for each in error.errors(include_input=False, include_url=False)}
        raise BadAnswer("llm_answer_not_schema", problem=amiss) from None
    if problems := list(what_is_amiss(written, sentence)):
        raise BadAnswer("llm_variants_invalid", problems="; ".join(problems))
    return written


def what_is_amiss(written: dict[str, str], sentence: str) -> Iterator[str]:
    """In words that help to write it better."""
    for level, text in written.items():
        yield from _amiss(level, text, sentence)


def _amiss(level: str, text: str, sentence: str) -> Iterator[str]:
    bounds, share = BOUNDS[level], kept(text, sentence)
    length = len(text.split()) / len(sentence.split())
    if words_of(text) == words_of(sentence):
        yield f"{level} is the sentence itself"
    if not bounds.shortest <= length <= bounds.longest:
        yield f"{level} is {length:.1f} times as long as the sentence, not {bounds.shortest} to {bounds.longest}"
    if not bounds.least <= share <= bounds.most:
        yield f"{level} keeps {share:.0%} of the sentence's words, not {bounds.least:.0%} to {bounds.most:.0%}"


def kept(variant: str, sentence: str) -> float:
    """The share of the sentence's words that the variant keeps; of a sentence without any, none."""
    words = _words(sentence)
    return len(words & {word.stem for word in read_words(variant)}) / len(words) if words else 0.0


def _words(text: str) -> frozenset[str]:
    """Stems of those that say something; a capital within the sentence makes a name."""
    words = read_words(text)
    names = {word.stem for word in words[1:] if word.written[0].isupper()}
    return frozenset(word.stem for word in words if word.means and word.stem not in names)
