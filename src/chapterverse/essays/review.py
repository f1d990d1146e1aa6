"""What a teacher does with feedback: mark it, choose its evidence, approve it. Each says how it is from now on, so the same
again changes nothing, and the default takes it back. `seen`: how it was when the teacher last saw it; where it is otherwise by
now, ChangedMeanwhile is raised and nothing happens, so that of two who work at once neither undoes what the other did.

Sentences of the school's books that a teacher may put in the place of evidence."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from chapterverse.citations.model import Evidence, JudgeAll, number_evidence
from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.errors import ChangedMeanwhile, NotFound
from chapterverse.core.hits import FoundBy, Query, QueryKind, Scope
from chapterverse.essays.history import Keeping, feedback_of, find_feedback, items_of, with_mark
from chapterverse.essays.json import passage_json
from chapterverse.essays.model import EVIDENCE, Choice, Comment, Item, KeptFeedback, Mark, Show, Style
from chapterverse.essays.records import INSTEAD, Instead, feedback_shown, without
from chapterverse.essays.service import Feedback, subject_of
from chapterverse.essays.writing.judging import Foreseen, pairs_of
from chapterverse.essays.writing.rules import Looking, on_claim
from chapterverse.library.lookup import find_passage
from chapterverse.library.scope import passages_of
from chapterverse.library.services import CollectionServices
from chapterverse.search.engine import SearchResult, find
from chapterverse.search.plan import EmbeddedQueries, RetrievalPlan


def mark(school: str, id: str, mark: Mark, keeping: Keeping, seen: Mark | None = None) -> None:
    """Put the mark in the place of the item's; an empty one takes it away. Raises NotFound, also without such an item."""
    item = mark.item
    if item not in items_of(feedback_of(find_feedback(school, id, keeping))):
        raise NotFound("no_such_part_of_feedback", part=item.part, number=item.number)

    def change(kept: KeptFeedback) -> KeptFeedback:
        there = next((each for each in kept.marks if each.item == item), Mark(item))
        _expect(seen, there, mark)
        return replace(kept, marks=with_mark(kept.marks, mark))

    keeping.store.change(school, id, change)


@dataclass(frozen=True, slots=True)
class Library:
    """The school's books, and who says whether a sentence of theirs bears out an essay's."""

    school: str
    services: CollectionServices
    judge: JudgeAll


def choose(id: str, choice: Choice, keeping: Keeping, library: Library, seen: Choice | None = None) -> None:
    """Show evidence so from now on. Its sentence is read from the school's own books, so a quotation stays the book's; once
    there, it outlives its book. Raises NotFound, also without such evidence or such a sentence, and as the embedder does."""
    kept = find_feedback(library.school, id, keeping)
    given, there = feedback_of(kept), _chosen(kept, choice.number)
    _expect(seen, _told(there), _told(choice))
    if Item(EVIDENCE, choice.number) not in items_of(given):
        raise NotFound("no_such_evidence", number=choice.number)
    if choice.sentence and choice.sentence == there.sentence:
        choice = replace(choice, instead=there.instead)
    elif choice.sentence:
        instead = _instead(given, choice.number, choice.sentence, library)
        choice = replace(choice, instead=INSTEAD.dump_json(instead).decode())

    def change(kept: KeptFeedback) -> KeptFeedback:
        _expect(seen, _told(_chosen(kept, choice.number)), _told(choice))
        others = [each for each in kept.choices if each.number != choice.number]
        choices = others if choice == Choice(choice.number, Show.NORMAL) else [*others, choice]
        return replace(kept, choices=tuple(sorted(choices, key=lambda each: each.number)))

    keeping.store.change(library.school, id, change)


def approve(school: str, id: str, approved: bool, keeping: Keeping, seen: bool | None = None) -> None:
    """Students see it from now on, or no more. Raises NotFound."""
    find_feedback(school, id, keeping)
    now = keeping.now()

    def change(kept: KeptFeedback) -> KeptFeedback:
        _expect(seen, kept.approved is not None, approved)
        return replace(kept, approved=(kept.approved or now) if approved else None)

    keeping.store.change(school, id, change)


def approve_all(school: str, ids: Iterable[str], keeping: Keeping) -> None:
    """Students see each of them from now on; one that is gone meanwhile keeps no other back."""
    for id in ids:
        with suppress(NotFound):
            approve(school, id, True, keeping)


def _expect(seen: object, there: object, wanted: object) -> None:
    """Raises ChangedMeanwhile for what is neither as it was seen nor as it is wanted."""
    if seen is not None and there not in (seen, wanted):
        raise ChangedMeanwhile("changed_meanwhile")


def _chosen(kept: KeptFeedback, number: int) -> Choice:
    return next((each for each in kept.choices if each.number == number), Choice(number))


def _told(choice: Choice) -> Choice:
    """Without what is made of it."""
    return replace(choice, instead=None)


def _instead(given: Feedback, number: int, sentence: SentenceId, library: Library) -> Instead:
    """With what rules say of it where something was said of the sentence before, and of nothing else."""
    [old] = (one for one in given.evidence.evidence if one.number == number)
    services = library.services.for_school(library.school)
    new = _scored(replace(old, passage=find_passage(library.school, sentence, services)), services)
    subject = replace(subject_of(given.evidence), evidence=(new,))
    look = Looking(subject, Style(), Foreseen(library.judge, tuple(pairs_of(subject))))
    return Instead(new, tuple(_anew(given, new, look)))


def _anew(given: Feedback, new: Evidence, look: Looking) -> Iterator[Comment]:
    """In the place of each comment on a paragraph that cites the old sentence and nothing else."""
    for comment in (one for review in given.reviews for one in review.comments):
        if comment.paragraph is not None and without(comment, {new.number}) is None:
            yield replace(on_claim(look, comment.paragraph, new), number=comment.number)


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
    keeping: Keeping,
    library: Library,
    *,
    plan: RetrievalPlan,
    words: str = "",
    books: tuple[BookId, ...] = (),
    most: int = 8,
) -> list[Evidence]:
    """At most so many, best first, none that the feedback shows already: what is nearest to the words or, without any, to the
    passages of the essay that found the evidence; by the scores of essays' evidence, but however low. books: to look in, else
    all. Raises NotFound, also where there is no book to look in, and every RetryableError of the ports."""
    kept = find_feedback(library.school, id, keeping)
    found = next((one for one in feedback_of(kept).evidence.evidence if one.number == number), None)
    if found is None:
        raise NotFound("no_such_evidence", number=number)
    queries = (Query(words, QueryKind.PARAGRAPH, 0),) if words else tuple(by.query for by in found.found_by)
    shown = {one.passage.sentence.id for one in feedback_shown(kept).evidence.evidence}
    many = replace(plan, hits_per_query=most + len(shown), min_score=-2.0, limit=most + len(shown))
    nearest = _nearest(queries, many, library.services.for_school(library.school), Scope(library.school, books))
    return [one for one in nearest if one.passage.sentence.id not in shown][:most]


def candidate_json(candidate: Evidence) -> dict[str, Any]:
    """A sentence with its context, and how near it is."""
    sentence = candidate.passage.sentence
    return passage_json(candidate.passage) | {
        "sentence_id": sentence.id,
        "page_label": sentence.address.places[0].page_label,
        "score": round(candidate.score, 4),
    }


def _nearest(queries: tuple[Query, ...], plan: RetrievalPlan, services: CollectionServices, scope: Scope) -> list[Evidence]:
    def embed(services: CollectionServices) -> EmbeddedQueries:
        return EmbeddedQueries(queries, services.embedder.embed_queries([query.text for query in queries]))

    def read(result: SearchResult) -> list[Evidence]:
        found = result.best()
        return number_evidence(found, passages_of(found, result.books, result.services))

    return find(embed, scope, replace(plan, reranked=0), services, read)
