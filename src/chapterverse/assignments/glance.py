"""A class at a glance: what its essays need first, which passages of the books they use, what later versions made of it."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from chapterverse.assignments.model import Assignment
from chapterverse.assignments.overview import Roster, submissions_of
from chapterverse.assignments.service import AssignmentContext
from chapterverse.citations.model import cite
from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.essays.batch.results import csv_table
from chapterverse.essays.history import visible_feedback
from chapterverse.essays.model import CommentKind, Dimension, Feedback, StoredFeedback
from chapterverse.essays.revision.model import CommentState
from chapterverse.library.reading import contents_of
from chapterverse.library.service import ready_books

MAX_PASSAGES = 8  # of the books, in the list of those used by several essays
MIN_ESSAYS = 2  # that use a passage of this list
COLUMNS = ("student", "email", "submitted", "progress", "version", "first_need", "comments", "evidence", "grade", "note")


@dataclass(frozen=True, slots=True)
class KindCount:
    """In how many essays the first thing to do is of this part."""

    need: Dimension
    essays: int


@dataclass(frozen=True, slots=True)
class UsedPassage:
    """A sentence of a book. essays: how many have it in their feedback; quoted: how many quote it."""

    sentence: SentenceId
    text: str
    citation: str
    essays: int
    quoted: int


@dataclass(frozen=True, slots=True)
class UnusedChapters:
    """The chapters of a book that the feedback on no essay has a sentence of. of: how many chapters the book has."""

    book: BookId
    title: str
    chapters: tuple[str, ...]
    of: int


@dataclass(frozen=True, slots=True)
class LaterVersions:
    """What later versions made of the comments on the version before. essays: how many are later versions."""

    essays: int
    resolved: int
    tried: int
    untouched: int


@dataclass(frozen=True, slots=True)
class ClassGlance:
    """All of it. needs, passages: the most frequent first; unused: books that have such chapters; essays: how many have
    feedback."""

    essays: int
    needs: tuple[KindCount, ...]
    passages: tuple[UsedPassage, ...]
    unused: tuple[UnusedChapters, ...]
    later: LaterVersions


@dataclass(frozen=True, slots=True)
class _Passage:
    sentence: SentenceId
    text: str
    citation: str
    book: BookId
    chapter: int
    is_quoted: bool


@dataclass(frozen=True, slots=True)
class _EssayFacts:
    """What counts of one essay. states: of the comments on the version before; None if there is none."""

    needs: tuple[Dimension, ...] = ()
    passages: tuple[_Passage, ...] = ()
    states: tuple[CommentState, ...] | None = None

    @property
    def nbytes(self) -> int:
        """Approximate bytes in memory."""
        return 500 + sum(500 + 2 * len(each.text) for each in self.passages)


def at_a_glance(of: Assignment, context: AssignmentContext) -> ClassGlance:
    """What the assignment's essays have in common, as their feedback is shown now. Raises CatalogUnavailable."""
    facts = [_facts_of(each, context) for each in submissions_of(of, context).feedback.values()]
    needs = Counter(need for each in facts for need in each.needs)
    states = [each.states for each in facts if each.states is not None]
    counted = Counter(state for each in states for state in each)
    return ClassGlance(
        essays=len(facts),
        needs=tuple(KindCount(need, essays) for need, essays in needs.most_common()),
        passages=tuple(_frequent(facts)),
        unused=tuple(_unused(of, facts, context)) if facts else (),
        later=LaterVersions(
            len(states),
            counted[CommentState.RESOLVED],
            counted[CommentState.TRIED],
            counted[CommentState.UNTOUCHED],
        ),
    )


def _facts_of(stored: StoredFeedback, context: AssignmentContext) -> _EssayFacts:
    """The facts of feedback, cached; none if another version of chapterverse wrote it."""

    def made() -> _EssayFacts:
        with suppress(NotFound):
            return _facts(visible_feedback(stored))
        return _EssayFacts()

    key = ("glance", stored.id, stored.created, stored.choices, stored.edits)
    return context.batches.services.recent.get(key, made)


def _facts(feedback: Feedback) -> _EssayFacts:
    passages = (
        _Passage(
            sentence.id,
            sentence.text,
            cite(one.passage),
            sentence.address.book,
            sentence.address.chapter.index,
            one.quotation is not None,
        )
        for one in feedback.evidence.evidence
        if (sentence := one.passage.sentence).quotable
    )
    states = tuple(one.state for one in feedback.revision.comments) if feedback.revision else None
    first = next((one.part for one in feedback.comments if one.kind is not CommentKind.STRENGTH), None)
    return _EssayFacts((first,) if first else (), tuple(passages), states)


def _frequent(facts: Iterable[_EssayFacts]) -> Iterator[UsedPassage]:
    """The passages that several essays use, those of most essays first."""
    uses: dict[SentenceId, list[_Passage]] = {}
    for each in facts:
        for one in {passage.sentence: passage for passage in each.passages}.values():
            uses.setdefault(one.sentence, []).append(one)
    several = [some for some in uses.values() if len(some) >= MIN_ESSAYS]
    several.sort(key=lambda some: (-len(some), -sum(one.is_quoted for one in some), some[0].sentence))
    for some in several[:MAX_PASSAGES]:
        first, quoted = some[0], sum(one.is_quoted for one in some)
        yield UsedPassage(first.sentence, first.text, first.citation, len(some), quoted)


def _unused(of: Assignment, facts: Sequence[_EssayFacts], context: AssignmentContext) -> Iterator[UnusedChapters]:
    """The unused chapters of the assignment's books; where it names none, of those that some essay uses."""
    used = {(one.book, one.chapter) for each in facts for one in each.passages}
    wanted = set(of.books) or {book for book, _ in used}
    for book in ready_books(of.school, context.services):
        if book.id not in wanted:
            continue
        with suppress(NotFound):  # removed meanwhile
            parts = [part for part in contents_of(of.school, book.id, context.services).parts if part.number]
            unused = tuple(part.title for part in parts if (book.id, part.number - 1) not in used)
            if unused and len(parts) > 1:
                yield UnusedChapters(book.id, book.title, unused, len(parts))


def csv_of_roster(roster: Roster) -> bytes:
    """A row per student, as a table for a spreadsheet; a column for each criterion of which a level was chosen."""
    criteria = list(dict.fromkeys(one.criterion for each in roster.students for one in each.edits.levels))
    rows: list[Sequence[str | int | None]] = [(*COLUMNS, *criteria)]
    for each in roster.students:
        short = each.summary
        counts = (short.need, short.comments, short.evidence) if short else (None, None, None)
        levels = (each.edits.level_of(one) for one in criteria)
        when = each.handed_in.isoformat(timespec="minutes") if each.handed_in else None
        rows.append(
            (each.name, each.email, when, each.state.value, each.version, *counts, each.edits.grade, each.edits.note, *levels)
        )
    return csv_table(rows)
