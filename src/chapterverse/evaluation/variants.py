"""Variants of a book's sentences (S1-19): written by a language model, checked, and stored; or with words left out.

Three levels differ in how many of the sentence's words they keep (stems of content words; without names and numbers, which have
no synonyms) and in length:

    level1   minor rewrite                          keeps 60 % or more       0.7 to 1.5 times as long
    level2   full paraphrase                        keeps 60 % or less       0.5 to 2
    level3   the claim as a student would put it    keeps 35 % or less       0.3 to 2

No variant is the sentence itself. Whether it means the same is not checked.

Sentences are drawn at random. The result of each is stored below the book's version, so a series can be continued after an
interruption or with a larger number, and nothing is paid for twice. Without a language model, words are left out: these hold no
paraphrases, so their figures cannot be compared with those of a language model's variants.

    {version folder}variants-1/{language model}/{sentence id}.json    {"id", "book", "chapter", "sentence", "level1", …}, or
                                                                      {"id", "dropped": reason}"""

import json
import random
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import PurePath
from time import monotonic
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chapterverse.core.book import Book, BookId, Sentence
from chapterverse.core.errors import BadAnswer, ModelRefused, NotFound
from chapterverse.core.names import fingerprint, path_part, slug
from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import ModelAnswer, Prompt, Schema, Usage
from chapterverse.core.words import EMPTY, stem, terms_of
from chapterverse.essays.writing.drafts import TAG_LENGTH, fenced, repair_prompt
from chapterverse.library.artefacts import indexed, load_book, version_folder
from chapterverse.library.model import CatalogBook, VersionKey
from chapterverse.library.service import show_book
from chapterverse.library.services import CollectionServices
from chapterverse.prompts import prompt

PROMPT = "variants-1"
BY_RULES = "rules"  # who made variants with words left out
LEVELS = ("level1", "level2", "level3")
SHARES: Mapping[str, float] = {"level1": 3 / 4, "level2": 1 / 2, "level3": 1 / 3}  # of content words where words are left out
MIN_TERMS, MAX_TERMS = 4, 30  # content words of a sentence that words are left out of
_NOT_A_WORD = re.compile(r"[\W_]+")
MIN_WORDS, MAX_WORDS = 10, 45  # of a sentence that is drawn; shorter ones say little, longer ones too much


@dataclass(frozen=True, slots=True)
class LevelBounds:
    """Limits of a level: share of the sentence's words kept, and length relative to the sentence."""

    min_share: float
    max_share: float
    min_length: float
    max_length: float


BOUNDS = dict(
    zip(LEVELS, (LevelBounds(0.6, 1, 0.7, 1.5), LevelBounds(0, 0.6, 0.5, 2), LevelBounds(0, 0.35, 0.3, 2)), strict=True)
)


class Variant(BaseModel):
    """A sentence of a book, by the book's file name without its ending, in three other wordings, from a minor rewrite to a
    student's own words (S1-19)."""

    model_config = ConfigDict(frozen=True)

    book: str
    sentence: str
    level1: str = Field(min_length=1)
    level2: str = Field(min_length=1)
    level3: str = Field(min_length=1)


class VariantCase(Variant):
    """A variant as it is stored and written to a file: with the sentence's id and chapter."""

    id: str
    chapter: str | None

    @classmethod
    def of(cls, book: str, sentence: Sentence, levels: Mapping[str, str]) -> Self:
        """book: its name in cases."""
        chapter = sentence.address.chapter.name
        return cls(id=sentence.id, book=book, chapter=chapter, sentence=sentence.text, **levels)


class WrittenVariants(BaseModel):
    """A language model's answer."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    level1: str = Field(description="Minor rewrite: the sentence with a few small changes.")
    level2: str = Field(description="Full paraphrase: all that the sentence says, in other words.")
    level3: str = Field(description="Heavily reworded: the claim as a student would put it.")

    def levels(self) -> Iterator[tuple[str, str]]:
        """Level and text of each variant, with single blanks."""
        return ((level, " ".join(getattr(self, level).split())) for level in LEVELS)


SCHEMA: Schema = WrittenVariants.model_json_schema()


@dataclass(frozen=True, slots=True)
class SentenceInContext:
    """A sentence to make variants of. previous, next: empty at the edges of the paragraph."""

    title: str
    sentence: str
    previous: str = ""
    next: str = ""


def ask_for_variants(source: SentenceInContext) -> Prompt:
    """The prompt, with the book's text fenced off from the instructions."""
    blocks = {"book": source.title, "before": source.previous, "sentence": source.sentence, "after": source.next}
    tag = sha256("\n".join(blocks.values()).encode("utf-8", "replace")).hexdigest()[:TAG_LENGTH]
    return Prompt(
        PROMPT, prompt(PROMPT).substitute(tag=tag), fenced({name: text for name, text in blocks.items() if text}, tag)
    )


def variants_in(answer: ModelAnswer, sentence: str) -> dict[str, str]:
    """The three variants by level. Raises BadAnswer, which lists the problems and quotes no text."""
    try:
        written = dict(WrittenVariants.model_validate(dict(answer.value)).levels())
    except ValidationError as error:
        errors = error.errors(include_input=False, include_url=False)
        problems_by_field = {".".join(map(str, each["loc"])): each["type"] for each in errors}
        raise BadAnswer("llm_answer_not_schema", problem=problems_by_field) from None
    if problems := list(problems_of(written, sentence)):
        raise BadAnswer("llm_variants_invalid", problems="; ".join(problems))
    return written


def problems_of(written: dict[str, str], sentence: str) -> Iterator[str]:
    """Problems of the variants, as sentences for the language model."""
    for level, text in written.items():
        yield from _level_problems(level, text, sentence)


def _level_problems(level: str, text: str, sentence: str) -> Iterator[str]:
    bounds, share = BOUNDS[level], shared_word_share(text, sentence)
    length = len(text.split()) / len(sentence.split())
    if words_of(text) == words_of(sentence):
        yield f"{level} is the sentence itself"
    if not bounds.min_length <= length <= bounds.max_length:
        yield f"{level} is {length:.1f} times as long as the sentence, not {bounds.min_length} to {bounds.max_length}"
    if not bounds.min_share <= share <= bounds.max_share:
        yield f"{level} keeps {share:.0%} of the sentence's words, not {bounds.min_share:.0%} to {bounds.max_share:.0%}"


def words_of(text: str) -> str:
    """The words of a sentence in lower case, without punctuation: equal for two spellings of one sentence."""
    return _NOT_A_WORD.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()


def words_left_out(sentence: str, seed: int) -> dict[str, str] | None:
    """Three variants by level: a share of the content words, in order. Deterministic for a seed; None for a sentence with fewer
    than MIN_TERMS content words, or more than MAX_TERMS."""
    draw = random.Random(f"{seed} {sentence}")  # noqa: S311 - not for secrets
    words = [word for word in sentence.split() if terms_of(word)]
    if not MIN_TERMS <= len(words) <= MAX_TERMS:
        return None

    def some(share: float) -> str:
        places = sorted(draw.sample(range(len(words)), max(2, round(share * len(words)))))
        return " ".join(words[place].strip(".,;:!?()\"'“”‘’") for place in places)

    return {level: some(share) for level, share in SHARES.items()}


def shared_word_share(variant: str, sentence: str) -> float:
    """Share of the sentence's content words in the variant; 0 for a sentence without any."""
    words = _words(sentence)
    return len(words & {stem(word.lower()) for word in _WORD.findall(variant)}) / len(words) if words else 0.0


def _words(text: str) -> frozenset[str]:
    """Stems of content words without names, which are capitalised words within the sentence."""
    words = _WORD.findall(text)
    names = {word.lower() for word in words[1:] if word[0].isupper()}
    return frozenset(stem(word) for word in map(str.lower, words) if word not in EMPTY | names)


_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
DROPPED = "dropped"
SECONDS = 20.0  # for one sentence; three variants take two or three


@dataclass(frozen=True, slots=True)
class SentenceSample:
    """n sentences of a book, drawn with a seed; a larger n adds to the sentences of a smaller one."""

    school: str
    book: BookId
    n: int
    seed: int


@dataclass(frozen=True)
class Series:
    """Sentences drawn from one version of a book, in the order drawn, and the model that writes their variants. name: of the
    book in files of cases."""

    name: str
    title: str
    key: VersionKey
    sampled: tuple[Sentence, ...]
    sources: tuple[SentenceInContext, ...]
    paid: PaidModel
    services: CollectionServices

    def make(self) -> Iterator[int]:
        """Make and store the variants of each sentence left; yields the cost of each in millionths, 0 if nothing was usable
        (the school's ledger has the full cost). A sentence whose answer was late twice stays left.

        Raises CeilingReached, LanguageModelUnavailable, ModelUnavailable, NotFound if the book was removed or replaced
        meanwhile, and as the bucket."""
        stored = self._stored_names()
        for sentence, source in zip(self.sampled, self.sources, strict=True):
            if self._name_of(sentence) not in stored:
                yield self._make(sentence, source)

    def left(self) -> int:
        """Number of sentences without a result."""
        return len(self.sampled) - len(self._stored_names() & set(map(self._name_of, self.sampled)))

    def cases(self) -> list[VariantCase | None]:
        """The results in the order drawn, as lines of a file of variants; None for a dropped sentence."""
        stored = self._stored_names()
        return [self._read(name) for sentence in self.sampled if (name := self._name_of(sentence)) in stored]

    def _make(self, sentence: Sentence, source: SentenceInContext) -> int:
        try:
            written, usage = self._with_repair(ask_for_variants(source), source.sentence)
        except TimeoutError:
            return 0
        except (BadAnswer, ModelRefused) as error:
            self._store(sentence, json.dumps({"id": sentence.id, DROPPED: str(error)}, ensure_ascii=False))
            return 0
        self._store(sentence, VariantCase.of(self.name, sentence, written).model_dump_json())
        return self.paid.price.micros(usage)

    def _with_repair(self, prompt: Prompt, sentence: str) -> tuple[dict[str, str], Usage]:
        """Ask, and once again if the answer is bad. Raises TimeoutError if the last answer was late, and BadAnswer."""
        try:
            return self._ask(prompt, sentence, monotonic() + SECONDS)
        except BadAnswer as error:
            prompt = repair_prompt(prompt, str(error))
        deadline = monotonic() + SECONDS
        try:
            return self._ask(prompt, sentence, deadline)
        except BadAnswer as error:
            if monotonic() >= deadline:
                raise TimeoutError from error
            raise

    def _ask(self, prompt: Prompt, sentence: str, deadline: float) -> tuple[dict[str, str], Usage]:
        answer = self.paid.answer(self.key.school, prompt, SCHEMA, deadline)
        return variants_in(answer, sentence), answer.usage

    @property
    def _folder(self) -> str:
        return f"{version_folder(self.key)}{PROMPT}/{path_part(self.paid.model.model)}/"

    def _name_of(self, sentence: Sentence) -> str:
        return f"{self._folder}{path_part(sentence.id)}.json"

    def _stored_names(self) -> frozenset[str]:
        return frozenset(self.services.bucket.names(self._folder))

    def _store(self, sentence: Sentence, result: str) -> None:
        self.services.catalog.version(self.key)  # raises NotFound if it was removed meanwhile
        self.services.bucket.write(self._name_of(sentence), result.encode())

    def _read(self, name: str) -> VariantCase | None:
        result = json.loads(self.services.bucket.read(name))
        return None if DROPPED in result else VariantCase.model_validate(result)


def open_series(sample: SentenceSample, services: CollectionServices, paid: PaidModel) -> Series:
    """The series of a sample. Raises NotFound without a version that is ready."""
    book = show_book(sample.school, sample.book, services)
    if book.active is None:
        raise NotFound("book_not_ready_for_variants")
    parsed = load_book(services.bucket, book.active.key)
    sampled = draw(indexed(parsed), sample.n, sample.seed)
    sources = tuple(sources_of(sampled, parsed, book.title))
    return Series(stem_of(book), book.title, book.active.key, sampled, sources, paid, services)


def cases_by_rules(sample: SentenceSample, services: CollectionServices) -> list[VariantCase | None]:
    """Cases of the same sentences with words left out, None for a dropped one. Raises NotFound without a version that is
    ready."""
    book = show_book(sample.school, sample.book, services)
    if book.active is None:
        raise NotFound("book_not_ready_for_variants")
    sampled = draw(indexed(load_book(services.bucket, book.active.key)), sample.n, sample.seed)
    made = ((sentence, words_left_out(sentence.text, sample.seed)) for sentence in sampled)
    return [VariantCase.of(stem_of(book), sentence, levels) if levels else None for sentence, levels in made]


def stem_of(book: CatalogBook) -> str:
    """The book's name in cases."""
    return slug(PurePath(book.file_name).stem)


def draw(sentences: Sequence[Sentence], n: int, seed: int) -> tuple[Sentence, ...]:
    """At most n sentences of MIN_WORDS to MAX_WORDS, drawn with the seed."""
    suitable = [sentence for sentence in sentences if MIN_WORDS <= len(sentence.text.split()) <= MAX_WORDS]
    return tuple(sorted(suitable, key=lambda sentence: fingerprint(str(seed), sentence.id, digits=32))[:n])


def sources_of(sampled: Sequence[Sentence], book: Book, title: str) -> Iterator[SentenceInContext]:
    """Each sentence with its neighbours."""
    texts = {sentence.id: sentence.text for sentence in book.sentences}
    for sentence in sampled:
        neighbours = (texts[id] if id else "" for id in (sentence.prev_id, sentence.next_id))
        yield SentenceInContext(title, sentence.text, *neighbours)
