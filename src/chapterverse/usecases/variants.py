"""S1's evaluation on a teacher's own book: sentences drawn at random, and variants of them by the language model.

What came of a sentence is kept below the book's version, an object each, so that whoever asks again, after a kill or for more,
goes on where it ended, and nothing is asked or paid twice:

    {version folder}variants-1/{language model}/{sentence id}.json    {"id", "book", "chapter", "sentence", "level1", …}, or
                                                                      {"id", "dropped": why}"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from chapterverse.errors import BadAnswer, ModelRefused, ModelUnavailable, NotFound
from chapterverse.evaluation.variants import FEWEST_WORDS, MOST_WORDS, PROMPT, SCHEMA, Source, ask_for_variants, variants_in
from chapterverse.feedback.prompting import ask_again
from chapterverse.language import Prompt, Usage
from chapterverse.model import Book, BookId, Sentence, VersionKey
from chapterverse.names import fingerprint, path_part
from chapterverse.usecases.artefacts import indexed, load_book, version_folder
from chapterverse.usecases.books import show_book
from chapterverse.usecases.known_books import stem_of
from chapterverse.usecases.services import Services
from chapterverse.usecases.writing import PaidModel

Case = dict[str, Any]
"""A line of a file of variants: see evaluation/cases.py."""

DROPPED = "dropped"
SECONDS = 20.0  # for one sentence's variants: three sentences are written in two or three


@dataclass(frozen=True, slots=True)
class Wanted:
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
    sources: tuple[Source, ...]
    paid: PaidModel
    services: Services

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

    def _make(self, sentence: Sentence, source: Source) -> int:
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


def open_series(wanted: Wanted, services: Services, paid: PaidModel | None) -> Series:
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


def sources_of(drawn: Sequence[Sentence], book: Book, title: str) -> Iterator[Source]:
    """Each sentence with its neighbours."""
    texts = {sentence.id: sentence.text for sentence in book.sentences}
    for sentence in drawn:
        around = (texts[id] if id else "" for id in (sentence.prev_id, sentence.next_id))
        yield Source(title, sentence.text, *around)
