"""What a teacher does with stored feedback: mark it, choose its evidence, approve it.

Each call sets a state, so repeating it changes nothing, and the default takes it back. `seen`: the state that the teacher saw;
if it has changed since, ChangedMeanwhile is raised and nothing happens, so that no teacher undoes another's change unseen."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from chapterverse.citations.model import Evidence, JudgeAll, number_evidence
from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.errors import ChangedMeanwhile, NotFound
from chapterverse.core.hits import FoundBy, Query, QueryKind, Scope
from chapterverse.essays.history import (
    REPLACEMENT,
    FeedbackHistory,
    Replacement,
    feedback_of,
    feedback_shown,
    find_feedback,
    items_of,
    list_feedback,
    with_mark,
    without,
)
from chapterverse.essays.model import (
    EVIDENCE,
    Choice,
    Comment,
    Feedback,
    Item,
    Mark,
    Show,
    StoredFeedback,
    Style,
    subject_of,
)
from chapterverse.essays.writing.rules import CachedJudge, RuleContext, cited_pairs, on_claim
from chapterverse.library.lookup import find_passage
from chapterverse.library.scope import passages_of
from chapterverse.library.services import CollectionServices
from chapterverse.search.engine import SearchResult, find
from chapterverse.search.plan import EmbeddedQueries, RetrievalPlan

MAX_EXPORTED = 100_000


def mark(school: str, id: str, mark: Mark, history: FeedbackHistory, seen: Mark | None = None) -> None:
    """Put the mark in the place of the item's; an empty one takes it away. Raises NotFound, also without such an item."""
    item = mark.item
    if item not in items_of(feedback_of(find_feedback(school, id, history))):
        raise NotFound("no_such_part_of_feedback", part=item.part, number=item.number)

    def change(stored: StoredFeedback) -> StoredFeedback:
        there = next((each for each in stored.marks if each.item == item), Mark(item))
        _expect(seen, there, mark)
        return replace(stored, marks=with_mark(stored.marks, mark))

    history.store.change(school, id, change)


@dataclass(frozen=True, slots=True)
class Library:
    """The school's books, and who says whether a sentence of theirs bears out an essay's."""

    school: str
    services: CollectionServices
    judge: JudgeAll


def choose(id: str, choice: Choice, history: FeedbackHistory, library: Library, seen: Choice | None = None) -> None:
    """Show evidence so from now on. Its sentence is read from the school's own books, so a quotation stays the book's; once
    there, it outlives its book. Raises NotFound, also without such evidence or such a sentence, and as the embedder does."""
    stored = find_feedback(library.school, id, history)
    given, there = feedback_of(stored), _chosen(stored, choice.number)
    _expect(seen, _without_text(there), _without_text(choice))
    if Item(EVIDENCE, choice.number) not in items_of(given):
        raise NotFound("no_such_evidence", number=choice.number)
    if choice.sentence and choice.sentence == there.sentence:
        choice = replace(choice, instead=there.instead)
    elif choice.sentence:
        new = _replacement(given, choice.number, choice.sentence, library)
        choice = replace(choice, instead=REPLACEMENT.dump_json(new).decode())

    def change(stored: StoredFeedback) -> StoredFeedback:
        _expect(seen, _without_text(_chosen(stored, choice.number)), _without_text(choice))
        others = [each for each in stored.choices if each.number != choice.number]
        choices = others if choice == Choice(choice.number, Show.NORMAL) else [*others, choice]
        return replace(stored, choices=tuple(sorted(choices, key=lambda each: each.number)))

    history.store.change(library.school, id, change)


def approve(school: str, id: str, approved: bool, history: FeedbackHistory, seen: bool | None = None) -> None:
    """Students see it from now on, or no more. Raises NotFound."""
    find_feedback(school, id, history)
    now = history.now()

    def change(stored: StoredFeedback) -> StoredFeedback:
        _expect(seen, stored.approved is not None, approved)
        return replace(stored, approved=(stored.approved or now) if approved else None)

    history.store.change(school, id, change)


def approve_all(school: str, ids: Iterable[str], history: FeedbackHistory) -> None:
    """Students see each of them from now on; one that is gone meanwhile keeps no other back."""
    for id in ids:
        with suppress(NotFound):
            approve(school, id, True, history)


def reviewed_feedback(school: str, history: FeedbackHistory) -> Iterator[StoredFeedback]:
    """Feedback with marks or choices of teachers, newest first. Raises CatalogUnavailable."""
    return (each for each in list_feedback(school, history, limit=MAX_EXPORTED) if each.marks or each.choices)


def _expect(seen: object, there: object, wanted: object) -> None:
    """Raises ChangedMeanwhile for what is neither as it was seen nor as it is wanted."""
    if seen is not None and there not in (seen, wanted):
        raise ChangedMeanwhile("changed_meanwhile")


def _chosen(stored: StoredFeedback, number: int) -> Choice:
    return next((each for each in stored.choices if each.number == number), Choice(number))


def _without_text(choice: Choice) -> Choice:
    """Without what is made of it."""
    return replace(choice, instead=None)


def _replacement(given: Feedback, number: int, sentence: SentenceId, library: Library) -> Replacement:
    """With what rules say of it where something was said of the sentence before, and of nothing else."""
    [old] = (one for one in given.evidence.evidence if one.number == number)
    services = library.services.for_school(library.school)
    new = _scored(replace(old, passage=find_passage(library.school, sentence, services)), services)
    subject = replace(subject_of(given.evidence), evidence=(new,))
    rules = RuleContext(subject, Style(), CachedJudge(library.judge, tuple(cited_pairs(subject))))
    return Replacement(new, tuple(_anew(given, new, rules)))


def _anew(given: Feedback, new: Evidence, rules: RuleContext) -> Iterator[Comment]:
    """In the place of each comment on a paragraph that cites the old sentence and nothing else."""
    for comment in (one for review in given.reviews for one in review.comments):
        if comment.paragraph is not None and without(comment, {new.number}) is None:
            yield replace(on_claim(rules, comment.paragraph, new), number=comment.number)


def _scored(evidence: Evidence, services: CollectionServices) -> Evidence:
    """With the cosines of the passages of the essay that found the sentence before."""
    queries = [by.query for by in evidence.found_by]
    [vector] = services.embedder.embed_passages([evidence.passage.sentence.text])
    scores = services.embedder.embed_queries([query.text for query in queries]) @ vector
    found_by = [FoundBy(query, float(score), 1) for query, score in zip(queries, scores, strict=True)]
    return replace(evidence, score=max(by.score for by in found_by), found_by=tuple(found_by))


def candidates_for(
    id: str,
    number: int,
    history: FeedbackHistory,
    library: Library,
    *,
    plan: RetrievalPlan,
    words: str = "",
    books: tuple[BookId, ...] = (),
    most: int = 8,
) -> list[Evidence]:
    """At most so many, best first, none that the feedback shows already: what is nearest to the words or, without any, to the
    passages of the essay that found the evidence; by the scores of essays' evidence, but however low. books: to rules in, else
    all. Raises NotFound, also where there is no book to rules in, and every RetryableError of the ports."""
    stored = find_feedback(library.school, id, history)
    found = next((one for one in feedback_of(stored).evidence.evidence if one.number == number), None)
    if found is None:
        raise NotFound("no_such_evidence", number=number)
    queries = (Query(words, QueryKind.PARAGRAPH, 0),) if words else tuple(by.query for by in found.found_by)
    shown = {one.passage.sentence.id for one in feedback_shown(stored).evidence.evidence}
    many = replace(plan, hits_per_query=most + len(shown), min_score=-2.0, limit=most + len(shown))
    nearest = _nearest(queries, many, library.services.for_school(library.school), Scope(library.school, books))
    return [one for one in nearest if one.passage.sentence.id not in shown][:most]


def _nearest(queries: tuple[Query, ...], plan: RetrievalPlan, services: CollectionServices, scope: Scope) -> list[Evidence]:
    def embed(services: CollectionServices) -> EmbeddedQueries:
        return EmbeddedQueries(queries, services.embedder.embed_queries([query.text for query in queries]))

    def read(result: SearchResult) -> list[Evidence]:
        found = result.best()
        return number_evidence(found, passages_of(found, result.books, result.services))

    return find(embed, scope, replace(plan, reranked=0), services, read)
