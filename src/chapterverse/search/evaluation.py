"""How well the search finds a book's sentences by variants of them (S1-20): Recall@K and mean reciprocal rank, by level.

Variants of a book's sentences (S1-19): written by a language model, checked, and stored; or with words left out.

Three levels differ in how many of the sentence's words they keep (stems of content words; without names and numbers, which have
no synonyms) and in length:

    level1   minor rewrite                          keeps 60 % or more       0.7 to 1.5 times as long
    level2   full paraphrase                        keeps 60 % or less       0.5 to 2
    level3   the claim as a student would put it    keeps 35 % or less       0.3 to 2

No variant is the sentence itself. Whether it means the same is not checked.

Sentences are drawn at random. The results are stored below the book's version, one object for each language model, so a series
can be continued after an interruption or with a larger number, and nothing is paid for twice. Without a language model, words
are left out: these hold no paraphrases, so their figures cannot be compared with those of a language model's variants.

An embedding model is fitted to the thresholds, which were chosen for all-MiniLM-L6-v2: sentences that have nothing in common
have a cosine of 0.8 in one model and of 0.1 in another. So a share of the books' mean vector is taken away from every vector:
as much as leaves the nearest wrong sentence as near as with the reference. How near the right one then is, is printed."""

import random
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePath
from time import monotonic
from typing import Self

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, Field

from chapterverse.core.book import Book, BookId, Sentence, SentenceId
from chapterverse.core.errors import BadAnswer, BadRequest, ModelRefused, NotFound
from chapterverse.core.hits import Hit, Query, QueryKind, Scope, Vectors, unit
from chapterverse.core.names import fingerprint, path_part, slug
from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import Embedder, ModelAnswer, Prompt, fenced
from chapterverse.core.requests import adapter
from chapterverse.core.words import EMPTY, stem, terms_of
from chapterverse.infrastructure.embedding.local import LocalEmbedder
from chapterverse.infrastructure.embedding.model_files import CENTRE
from chapterverse.library.artefacts import indexed, load_book, version_folder
from chapterverse.library.model import CatalogBook, VersionKey
from chapterverse.library.scope import open_books
from chapterverse.library.services import CollectionServices
from chapterverse.prompts import prompt
from chapterverse.search.engine import OpenBooks, embedded, search
from chapterverse.search.plan import ESSAY_FEEDBACK, EmbeddedQueries, RetrievalPlan

PROMPT, REPAIR = "variants-1", "variants-repair-1"
BY_RULES = "rules"  # who made variants with words left out
LEVELS = ("level1", "level2", "level3")
SHARES: Mapping[str, float] = {"level1": 3 / 4, "level2": 1 / 2, "level3": 1 / 3}  # of content words where words are left out
MIN_TERMS, MAX_TERMS = 4, 30  # content words of a sentence that words are left out of
_NOT_A_WORD = re.compile(r"[\W_]+")
MIN_WORDS, MAX_WORDS = 10, 45  # of a sentence that is drawn; shorter ones say little, longer ones too much


BOUNDS = {"level1": (0.6, 1, 0.7, 1.5), "level2": (0, 0.6, 0.5, 2), "level3": (0, 0.35, 0.3, 2)}
"""Of the share of the sentence's words kept, least and greatest, and of the length relative to the sentence."""
MAX_WRITTEN = 1_000  # characters: twice the longest sentence that is drawn
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
SECONDS = 20.0  # for one sentence; three variants take two or three
KS = (1, 3, 5, 10)  # of Recall@K
QUERIES_AT_ONCE = 30  # like a long essay; limits the hits in memory
RESAMPLES = 2000  # enough for two stable digits of an interval's ends
LEVEL = 0.95  # of an interval
Values = NDArray[np.float64]
STEPS = 16  # of a bisection
REACHES = ESSAY_FEEDBACK.min_score


class Variant(BaseModel, frozen=True):
    """A sentence of a book, by the book's file name without its ending, in three other wordings, from a minor rewrite to a
    student's own words (S1-19). id, chapter: of the sentence, where they are known."""

    id: str = ""
    book: str
    chapter: str | None = None
    sentence: str
    level1: str = Field(min_length=1)
    level2: str = Field(min_length=1)
    level3: str = Field(min_length=1)

    @classmethod
    def of(cls, book: str, sentence: Sentence, levels: Mapping[str, str]) -> Self:
        """book: its name in cases."""
        return cls(id=sentence.id, book=book, chapter=sentence.address.chapter.name, sentence=sentence.text, **levels)


class WrittenVariants(BaseModel, extra="forbid", frozen=True):
    """A language model's answer."""

    level1: str = Field(max_length=MAX_WRITTEN, description="Minor rewrite: the sentence with a few small changes.")
    level2: str = Field(max_length=MAX_WRITTEN, description="Full paraphrase: all that the sentence says, in other words.")
    level3: str = Field(max_length=MAX_WRITTEN, description="Heavily reworded: the claim as a student would put it.")


def ask_for_variants(sentence: Sentence, texts: Mapping[SentenceId | None, str], title: str) -> Prompt:
    """The prompt, with the book's text fenced off from the instructions. texts: of its sentences."""
    before, after = texts.get(sentence.prev_id), texts.get(sentence.next_id)
    blocks = {"book": title, "before": before, "sentence": sentence.text, "after": after}
    return Prompt(PROMPT, prompt(PROMPT).template, fenced({name: text for name, text in blocks.items() if text}))


def variants_in(answer: ModelAnswer, sentence: str) -> dict[str, str]:
    """The three variants by level. Raises BadAnswer, which lists the problems and quotes no text."""
    written = {level: " ".join(answer.value[level].split()) for level in LEVELS}
    if problems := list(problems_of(written, sentence)):
        raise BadAnswer("llm_variants_invalid", problems="; ".join(problems))
    return written


def problems_of(written: dict[str, str], sentence: str) -> Iterator[str]:
    """Problems of the variants, as sentences for the language model."""
    for level, text in written.items():
        least, most, shortest, longest = BOUNDS[level]
        share, length = shared_word_share(text, sentence), len(text.split()) / len(sentence.split())
        if words_of(text) == words_of(sentence):
            yield f"{level} is the sentence itself"
        if not shortest <= length <= longest:
            yield f"{level} is {length:.1f} times as long as the sentence, not {shortest} to {longest}"
        if not least <= share <= most:
            yield f"{level} keeps {share:.0%} of the sentence's words, not {least:.0%} to {most:.0%}"


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


Stored = dict[str, Variant | None]  # cases by the sentence's id, None for a dropped one


@dataclass(frozen=True, slots=True)
class SentenceSample:
    """n sentences of a book, drawn with a seed; a larger n adds to the sentences of a smaller one."""

    school: str
    book: BookId
    n: int
    seed: int


def of_sample(
    sample: SentenceSample, services: CollectionServices
) -> tuple[CatalogBook, VersionKey, Book, tuple[Sentence, ...]]:
    """The book, its active version, its text, and the sentences drawn. Raises NotFound without a version that is ready."""
    book = services.catalog.book(sample.school, sample.book)
    if book.active is None:
        raise NotFound("book_not_ready_for_variants")
    parsed = load_book(services.bucket, book.active.key)
    return book, book.active.key, parsed, draw(indexed(parsed), sample.n, sample.seed)


def cases_by_model(sample: SentenceSample, services: CollectionServices, paid: PaidModel) -> Iterator[Variant | None]:
    """Cases of the sentences in the order drawn, None for a dropped one; each is stored as soon as it is made. A sentence whose
    answer was late twice is left out.

    Raises CeilingReached, LanguageModelUnavailable, ModelUnavailable, NotFound if the book was removed or replaced
    meanwhile, and as the bucket."""
    book, key, parsed, sampled = of_sample(sample, services)
    name, stored = f"{version_folder(key)}{PROMPT}/{path_part(paid.model.model)}.json", Stored()
    with suppress(NotFound):
        stored = adapter(Stored).validate_json(services.bucket.read(name))
    texts: dict[SentenceId | None, str] = {each.id: each.text for each in parsed.sentences}
    for sentence in sampled:
        with suppress(TimeoutError):
            if sentence.id not in stored:
                levels = with_repair(ask_for_variants(sentence, texts, book.title), sentence.text, sample.school, paid)
                stored[sentence.id] = Variant.of(stem_of(book), sentence, levels) if levels else None
                services.catalog.version(key)  # raises NotFound if it was removed meanwhile
                services.bucket.write(name, adapter(Stored).dump_json(stored))
            yield stored[sentence.id]


def with_repair(wanted: Prompt, sentence: str, school: str, paid: PaidModel) -> dict[str, str] | None:
    """The three variants, asked for once again if the answer is bad; None if they are bad then, or refused. Raises TimeoutError
    if the last answer was late."""
    for again in (True, False):
        deadline = monotonic() + SECONDS
        try:
            return variants_in(paid.answer(school, wanted, WrittenVariants.model_json_schema(), deadline), sentence)
        except ModelRefused:
            return None
        except BadAnswer as error:
            if not again and monotonic() >= deadline:
                raise TimeoutError from error
            wanted = replace(wanted, instructions=wanted.instructions + prompt(REPAIR).substitute(problem=str(error)))
    return None


def cases_by_rules(sample: SentenceSample, services: CollectionServices) -> list[Variant | None]:
    """Cases of the same sentences with words left out, None for a dropped one. Raises NotFound without a version that is
    ready."""
    book, _, _, sampled = of_sample(sample, services)
    made = ((sentence, words_left_out(sentence.text, sample.seed)) for sentence in sampled)
    return [Variant.of(stem_of(book), sentence, levels) if levels else None for sentence, levels in made]


def stem_of(book: CatalogBook) -> str:
    """The book's name in cases."""
    return slug(PurePath(book.file_name).stem)


def draw(sentences: Sequence[Sentence], n: int, seed: int) -> tuple[Sentence, ...]:
    """At most n sentences of MIN_WORDS to MAX_WORDS, drawn with the seed."""
    suitable = [sentence for sentence in sentences if MIN_WORDS <= len(sentence.text.split()) <= MAX_WORDS]
    return tuple(sorted(suitable, key=lambda sentence: fingerprint(str(seed), sentence.id, digits=32))[:n])


@dataclass(frozen=True, slots=True)
class Estimate:
    """A measured value. low, high: its 95 % bootstrap interval. n: number of cases."""

    value: float
    low: float
    high: float
    n: int


Metrics = Mapping[str, Estimate]  # by name of the measure: recall_at_1 … recall_at_10, mrr


@dataclass(frozen=True, slots=True)
class OpenLibrary:
    """A school's books, open for many searches with the product's plan. known: words and id of each sentence, by name of the
    book in cases, in reading order."""

    services: CollectionServices
    plan: RetrievalPlan
    opened: OpenBooks
    known: Mapping[str, Sequence[tuple[str, SentenceId]]]

    def candidates(self, embedded: EmbeddedQueries) -> list[list[Hit]]:
        """The candidates of each query, best first."""
        return search(embedded, self.opened, self.plan, self.services).candidates


def open_library(scope: Scope, services: CollectionServices, plan: RetrievalPlan) -> OpenLibrary:
    """Open the books in scope. Raises NotFound without books."""
    books = open_books(scope, services.catalog, services.embedder.model)
    names = {book.id: stem_of(book) for book in services.catalog.books(scope.school)}
    known = {
        names[book.key.book]: [(words_of(each.text), each.id) for each in indexed(load_book(services.bucket, book.key))]
        for book in books.values()
    }
    return OpenLibrary(services, plan, books, known)


def evaluate(variants: Sequence[Variant], library: OpenLibrary) -> dict[str, Metrics]:
    """The metrics by level, before candidates are cut to min_score and top_k. variants: at least one. Raises every
    RetryableError of the ports."""
    return {level: metrics_of(list(_ranks(variants, level, library))) for level in LEVELS}


def _ranks(variants: Sequence[Variant], level: str, library: OpenLibrary) -> Iterator[int | None]:
    """The place of each variant's own sentence among its candidates, from 1; None if it is none of them."""
    for start in range(0, len(variants), QUERIES_AT_ONCE):
        batch = variants[start : start + QUERIES_AT_ONCE]
        queries = [Query(getattr(each, level), QueryKind.KEY_SENTENCE, number) for number, each in enumerate(batch)]
        for one, hits in zip(batch, library.candidates(embedded(queries, library.services)), strict=True):
            own = words_of(one.sentence)
            ids = {id for words, id in library.known[one.book] if words == own}  # none if the book was read differently
            yield next((rank for rank, hit in enumerate(hits, start=1) if hit.record.id in ids), None)


def metrics_of(ranks: Sequence[int | None]) -> Metrics:
    """ranks: from 1, at least one, None if not found."""
    places = np.array([rank or np.inf for rank in ranks], np.float64)
    recalls = {f"recall_at_{k}": mean_estimate((places <= k).astype(np.float64)) for k in KS}
    return recalls | {"mrr": mean_estimate(1 / places)}  # Voorhees 1999, TREC-8 question answering


def mean_estimate(values: Values) -> Estimate:
    """The mean of at least one value, with a percentile bootstrap (Efron & Tibshirani 1993, chapter 13)."""
    random = np.random.default_rng(0)
    means = [random.choice(values, len(values)).mean() for _ in range(RESAMPLES)]
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(float(np.mean(values)), float(low), float(high), len(values))


@dataclass(frozen=True, slots=True)
class Nearness:
    """Cosines of variants to their own sentence, and to the nearest other one of the book: medians, and the shares that reach
    the threshold of essays."""

    own: float
    other: float
    own_reaching: float
    other_reaching: float


@dataclass(frozen=True, slots=True)
class Embedded:
    """Variants and all sentences of a book. queries: (m, d), passages: (n, d), both of unit norm; places: (m,), of each
    variant's own sentence."""

    queries: Vectors
    passages: Vectors
    places: Sequence[int]

    @classmethod
    def by(cls, model: Embedder, sentences: Sequence[str], cases: Sequence[Variant]) -> Self:
        """The cases' full paraphrases, or half their words."""
        queries = model.embed_queries([case.level2 for case in cases])
        return cls(queries, model.embed_passages(sentences), [sentences.index(case.sentence) for case in cases])

    def without(self, centre: Vectors) -> "Embedded":
        """With the centre, (d,), taken away from each."""
        return replace(self, queries=unit(self.queries - centre), passages=unit(self.passages - centre))

    def nearness(self) -> Nearness:
        cosines, rows = self.queries @ self.passages.T, np.arange(len(self.queries))
        own = cosines[rows, self.places].copy()
        cosines[rows, self.places] = -1.0
        other = cosines.max(axis=1)
        reaching = (float(np.mean(each >= REACHES)) for each in (own, other))
        return Nearness(float(np.median(own)), float(np.median(other)), *reaching)


def fit(
    model: Embedder, reference: Embedder, sentences: Sequence[str], cases: Sequence[Variant]
) -> tuple[Nearness, Nearness, Nearness]:
    """Write the centre into the folder of the model, and return the nearness with the model as it was, with its centre, and
    with the reference. sentences: of a book, those of the cases among them. Raises BadRequest for a model without a folder."""
    if not isinstance(model, LocalEmbedder) or not (folder := Path(model.name).expanduser()).is_dir():
        raise BadRequest("fit_needs_folder")
    wanted = Embedded.by(reference, sentences, cases).nearness()
    before = Embedded.by(replace(model, is_centred=False), sentences, cases)
    centre = centre_of(before, wanted.other)
    np.save(folder / CENTRE, centre)
    return before.nearness(), before.without(centre).nearness(), wanted


def centre_of(embedded: Embedded, other: float) -> Vectors:
    """(d,): the least share of the passages' mean without which the nearest other sentence is not nearer than this."""
    mean, low, high = embedded.passages.mean(axis=0), 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        is_near = embedded.without(middle * mean).nearness().other > other
        low, high = (middle, high) if is_near else (low, middle)
    centre: Vectors = (high * mean).astype(np.float32)
    return centre
