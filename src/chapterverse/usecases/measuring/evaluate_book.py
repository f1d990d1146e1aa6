"""How well a book's sentences are found among all books, by variants of them: what `chapterverse variants make` and
`chapterverse evaluate` do, one after the other, in the background."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from chapterverse.errors import NotFound
from chapterverse.evaluation.cases import LEVELS, Variant
from chapterverse.evaluation.words_left_out import words_left_out
from chapterverse.model import BookId, Collection, Hit, Measurement, Scope, SentenceId
from chapterverse.usecases.artefacts import indexed, load_book
from chapterverse.usecases.books import show_book
from chapterverse.usecases.essay_json import passage_json
from chapterverse.usecases.evaluation import Library, found_for, level_figures, open_library, rank_in
from chapterverse.usecases.known_books import stem_of
from chapterverse.usecases.lookup import find_passage
from chapterverse.usecases.measuring.measuring import Measuring
from chapterverse.usecases.services import Services
from chapterverse.usecases.variants import Case, Wanted, draw, open_series

BY_RULES = "rules"
MISSES = 6  # of a level, that are shown

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Judged:
    """What a variant says, the place of its sentence among the candidates, from 1, None where it is not one of them, and the
    sentence that was found first."""

    said: str
    rank: int | None
    sought: SentenceId | None
    first: SentenceId | None


def evaluate_book(measurement: Measurement, measuring: Measuring, progress: Progress) -> dict[str, Any]:
    """levels: figures by level, those of `chapterverse evaluate` by the same cases; misses: some by level; cases: lines of a
    file of variants. Raises NotFound, and every RetryableError of the ports: what was written until then is kept."""
    services = measuring.shelves[Collection.BOOKS]
    by, told, total = cases_for(measurement, measuring, progress)
    cases = [case for case in told if case]
    if not cases:
        raise NotFound("no_variants_usable", sentences=len(told))
    library = open_library(Scope(measurement.school), services, measuring.plan, BookId(measurement.about))
    judged = Judging(library, [Variant.model_validate(case) for case in cases], progress, total)
    found = {level: list(judged.level(level, at)) for at, level in enumerate(LEVELS)}
    return {
        "by": by,
        "drawn": len(told),
        "dropped": len(told) - len(cases),
        "sentences": sum(book.sentences for book in library.opened.values()),
        "levels": {level: asdict(level_figures([one.rank for one in each])) for level, each in found.items()},
        "misses": {level: list(misses_json(each, measurement.school, services)) for level, each in found.items()},
        "cases": cases,
    }


def cases_for(measurement: Measurement, measuring: Measuring, progress: Progress) -> tuple[str, list[Case | None], int]:
    """Who made them; a line of a file of variants of each sentence drawn, None for one dropped; steps in all."""
    wanted = Wanted(measurement.school, BookId(measurement.about), measurement.n, measurement.seed)
    services, paid = measuring.shelves[Collection.BOOKS], measuring.paid
    if paid is None:
        cases = list(cases_by_rules(wanted, services))
        return BY_RULES, cases, len(cases) * (1 + len(LEVELS))
    series = open_series(wanted, services, paid)
    total = len(series.drawn) * (1 + len(LEVELS))
    done = len(series.drawn) - series.left()
    progress(done, total)
    for number, _ in enumerate(series.make(), start=1):
        progress(done + number, total)
    return paid.model.model, series.cases(), total


def cases_by_rules(wanted: Wanted, services: Services) -> Iterator[Case | None]:
    """Of the sentences that a language model would be asked about."""
    shelved = show_book(wanted.school, wanted.book, services)
    if shelved.active is None:
        raise NotFound("book_not_ready")
    for sentence in draw(indexed(load_book(services.bucket, shelved.active.key)), wanted.n, wanted.seed):
        made = words_left_out(sentence.text, wanted.seed)
        name = {"id": sentence.id, "book": stem_of(shelved), "chapter": sentence.address.chapter.name}
        yield {**name, "sentence": sentence.text, **made} if made else None


@dataclass(frozen=True)
class Judging:
    """total: steps, of which those before the first level are done."""

    library: Library
    variants: Sequence[Variant]
    progress: Progress
    total: int

    def level(self, level: str, at: int) -> Iterator[Judged]:
        """Every variant of it, found first or not."""
        before = self.total * (1 + at) // (1 + len(LEVELS))
        for number, (variant, hits) in enumerate(found_for(self.variants, level, self.library)):
            if number % self.library.queries_at_once == 0:
                self.progress(before + number, self.total)
            yield self._judged(getattr(variant, level), variant, hits)

    def _judged(self, said: str, variant: Variant, hits: Sequence[Hit]) -> Judged:
        sought = self.library.books.ids(variant.book, variant.sentence)
        return Judged(said, rank_in(hits, sought), min(sought, default=None), hits[0].record.id if hits else None)


def misses_json(judged: Sequence[Judged], school: str, services: Services) -> Iterator[dict[str, Any]]:
    """Some of those not found first, the furthest off before the others."""
    missed = sorted((one for one in judged if one.rank != 1), key=lambda one: -(one.rank or 10**9))
    for one in missed[:MISSES]:
        sought, first = (_passage(id, school, services) for id in (one.sought, one.first))
        yield {"said": one.said, "rank": one.rank, "sought": sought, "found": first}


def _passage(id: SentenceId | None, school: str, services: Services) -> dict[str, Any] | None:
    return passage_json(find_passage(school, id, services)) if id else None
