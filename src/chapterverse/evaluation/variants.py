"""Variants of a sentence by a language model (S1-19): what it is asked, and what is taken of what it writes.

Three levels, told apart by what they keep of the sentence's words (stems; without names, numbers and words such as "the", for
which there is no other word) and by their length:

    level1   minor rewrite                          keeps 60 % or more       0.7 to 1.5 times as long
    level2   full paraphrase                        keeps 60 % or less       0.5 to 2
    level3   the claim as a student would put it    keeps 35 % or less       0.3 to 2

None is the sentence itself. Whether it means the same, no rule sees.

S1's evaluation on a teacher's own book: sentences drawn at random, and variants of them by the language model.

What came of a sentence is kept below the book's version, an object each, so that whoever asks again, after a kill or for more,
goes on where it ended, and nothing is asked or paid twice:

    {version folder}variants-1/{language model}/{sentence id}.json    {"id", "book", "chapter", "sentence", "level1", …}, or
                                                                      {"id", "dropped": why}"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from time import monotonic
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chapterverse.citations.words import read_words
from chapterverse.core.book import Book, BookId, Sentence
from chapterverse.core.errors import BadAnswer, ModelRefused, ModelUnavailable, NotFound
from chapterverse.core.language import ModelAnswer, Prompt, Schema, Usage
from chapterverse.core.names import fingerprint, path_part
from chapterverse.core.paid_model import PaidModel
from chapterverse.essays.writing.drafts import TAG_LENGTH, ask_again, fenced
from chapterverse.evaluation.cases import LEVELS, stem_of, words_of
from chapterverse.library.artefacts import indexed, load_book, version_folder
from chapterverse.library.model import VersionKey
from chapterverse.library.service import show_book
from chapterverse.library.services import CollectionServices
from chapterverse.prompts import prompt

PROMPT = "variants-1"

FEWEST_WORDS, MOST_WORDS = 10, 45  # of a sentence that variants are made of: shorter ones say little, longer ones too much


@dataclass(frozen=True, slots=True)
class LevelBounds:
    """least, most: share of the sentence's words that is kept; shortest, longest: times the sentence's words."""

    least: float
    most: float
    shortest: float
    longest: float


BOUNDS = dict(
    zip(LEVELS, (LevelBounds(0.6, 1, 0.7, 1.5), LevelBounds(0, 0.6, 0.5, 2), LevelBounds(0, 0.35, 0.3, 2)), strict=True)
)


class WrittenVariants(BaseModel):
    """A language model's answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    level1: str = Field(description="Minor rewrite: the sentence with a few small changes.")
    level2: str = Field(description="Full paraphrase: all that the sentence says, in other words.")
    level3: str = Field(description="Heavily reworded: the claim as a student would put it.")

    def levels(self) -> Iterator[tuple[str, str]]:
        """Name and text of each, without blanks around it."""
        return ((level, " ".join(getattr(self, level).split())) for level in LEVELS)


SCHEMA: Schema = WrittenVariants.model_json_schema()


@dataclass(frozen=True, slots=True)
class SentenceInContext:
    """A sentence that variants are made of, as its reader meets it. previous, next: empty at the edges of the paragraph."""

    title: str
    sentence: str
    previous: str = ""
    next: str = ""


def ask_for_variants(source: SentenceInContext) -> Prompt:
    """The prompt: our instructions, and the book's words fenced off as material."""
    blocks = {"book": source.title, "before": source.previous, "sentence": source.sentence, "after": source.next}
    tag = sha256("\n".join(blocks.values()).encode("utf-8", "replace")).hexdigest()[:TAG_LENGTH]
    return Prompt(
        PROMPT, prompt(PROMPT).substitute(tag=tag), fenced({name: text for name, text in blocks.items() if text}, tag)
    )


def variants_in(answer: ModelAnswer, sentence: str) -> dict[str, str]:
    """The three by level. Raises BadAnswer, which says which are amiss and how, and quotes none."""
    try:
        written = dict(WrittenVariants.model_validate(dict(answer.value)).levels())
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


Case = dict[str, Any]

"""A line of a file of variants: see evaluation/cases.py."""

DROPPED = "dropped"

SECONDS = 20.0  # for one sentence's variants: three sentences are written in two or three


@dataclass(frozen=True, slots=True)
class SentenceSample:
    """n sentences of a book, drawn by that seed: the same for the same seed, and the first of them the same for every n."""

    school: str
    book: BookId
    n: int
    seed: int


@dataclass(frozen=True)
class Series:
    """Sentences drawn from one version of a book, in the order drawn, and the model that makes their variants.

    name: what files of cases call the book."""

    name: str
    title: str
    key: VersionKey
    drawn: tuple[Sentence, ...]
    sources: tuple[SentenceInContext, ...]
    paid: PaidModel
    services: CollectionServices

    def make(self) -> Iterator[int]:
        """Make the variants of each sentence that has not had its turn, and keep them before the next; what each has cost, in
        millionths (0 where nothing could be used; the school's ledger has all of it). One whose answer was late twice has not
        had its turn: whoever asks again begins with it.

        Raises CeilingReached, LanguageModelUnavailable, ModelUnavailable, NotFound where the book was removed or replaced
        meanwhile, and as the bucket does."""
        there = self._there()
        for sentence, source in zip(self.drawn, self.sources, strict=True):
            if self._name_of(sentence) not in there:
                yield self._make(sentence, source)

    def left(self) -> int:
        """How many sentences have not had their turn."""
        return len(self.drawn) - len(self._there() & set(map(self._name_of, self.drawn)))

    def cases(self) -> list[Case | None]:
        """Of each sentence that had its turn, in the order drawn, its line of a file of variants; None for one dropped."""
        there = self._there()
        return [self._read(name) for sentence in self.drawn if (name := self._name_of(sentence)) in there]

    def _make(self, sentence: Sentence, source: SentenceInContext) -> int:
        given = {"id": sentence.id, "book": self.name, "chapter": sentence.address.chapter.name, "sentence": source.sentence}
        try:
            written, usage = self._patient(ask_for_variants(source), source.sentence)
        except TimeoutError:
            return 0
        except (BadAnswer, ModelRefused) as error:
            self._keep(sentence, {"id": sentence.id, DROPPED: str(error)})
            return 0
        self._keep(sentence, {**given, **written})
        return self.paid.price.micros(usage)

    def _patient(self, prompt: Prompt, sentence: str) -> tuple[dict[str, str], Usage]:
        """With one repair. Raises TimeoutError where the last answer was late: that says nothing against the sentence."""
        try:
            return self._answered(prompt, sentence, monotonic() + SECONDS)
        except BadAnswer as error:
            prompt = ask_again(prompt, str(error))
        deadline = monotonic() + SECONDS
        try:
            return self._answered(prompt, sentence, deadline)
        except BadAnswer as error:
            if monotonic() >= deadline:
                raise TimeoutError from error
            raise

    def _answered(self, prompt: Prompt, sentence: str, deadline: float) -> tuple[dict[str, str], Usage]:
        answer = self.paid.answer(self.key.school, prompt, SCHEMA, deadline)
        return variants_in(answer, sentence), answer.usage

    @property
    def _folder(self) -> str:
        return f"{version_folder(self.key)}{PROMPT}/{path_part(self.paid.model.model)}/"

    def _name_of(self, sentence: Sentence) -> str:
        return f"{self._folder}{path_part(sentence.id)}.json"

    def _there(self) -> frozenset[str]:
        return frozenset(self.services.bucket.names(self._folder))

    def _keep(self, sentence: Sentence, what: Case) -> None:
        self.services.catalog.version(self.key)  # one that was removed meanwhile leaves nothing behind
        self.services.bucket.write(self._name_of(sentence), json.dumps(what, ensure_ascii=False).encode())

    def _read(self, name: str) -> Case | None:
        what = json.loads(self.services.bucket.read(name))
        return None if DROPPED in what else what


def open_series(wanted: SentenceSample, services: CollectionServices, paid: PaidModel | None) -> Series:
    """Raises ModelUnavailable without a language model, NotFound without such a book, or before any version of it is ready."""
    shelved = show_book(wanted.school, wanted.book, services)
    if paid is None:
        raise ModelUnavailable("variants_need_llm")
    if shelved.active is None:
        raise NotFound("book_not_ready_for_variants")
    parsed = load_book(services.bucket, shelved.active.key)
    drawn = draw(indexed(parsed), wanted.n, wanted.seed)
    sources = tuple(sources_of(drawn, parsed, shelved.title))
    return Series(stem_of(shelved), shelved.title, shelved.active.key, drawn, sources, paid, services)


def draw(sentences: Sequence[Sentence], n: int, seed: int) -> tuple[Sentence, ...]:
    """So many of those that are neither short nor long, or all of them."""
    fit = [sentence for sentence in sentences if FEWEST_WORDS <= len(sentence.text.split()) <= MOST_WORDS]
    return tuple(sorted(fit, key=lambda sentence: fingerprint(str(seed), sentence.id, digits=32))[:n])


def sources_of(drawn: Sequence[Sentence], book: Book, title: str) -> Iterator[SentenceInContext]:
    """Each sentence with its neighbours."""
    texts = {sentence.id: sentence.text for sentence in book.sentences}
    for sentence in drawn:
        around = (texts[id] if id else "" for id in (sentence.prev_id, sentence.next_id))
        yield SentenceInContext(title, sentence.text, *around)
