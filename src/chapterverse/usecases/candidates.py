"""Sentences of the school's books that a teacher may put in the place of evidence."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from chapterverse.errors import NotFound
from chapterverse.evidence.numbering import Evidence, number_evidence
from chapterverse.model import BookId, Partition, Query, QueryKind, Scope
from chapterverse.retrieval.plan import RetrievalPlan
from chapterverse.retrieval.queries import EmbeddedQueries
from chapterverse.retrieval.retrieve import Shelf, best_candidates, choose
from chapterverse.usecases.contexts import rescorer
from chapterverse.usecases.essay_json import passage_json
from chapterverse.usecases.kept_feedback import Keeping, feedback_of, find_feedback
from chapterverse.usecases.kept_json import feedback_shown
from chapterverse.usecases.services import Services
from chapterverse.usecases.shelf import OpenBook, look_in_open_books, model_of, passages_of
from chapterverse.usecases.teachers_control import Library


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


def _nearest(queries: tuple[Query, ...], plan: RetrievalPlan, services: Services, scope: Scope) -> list[Evidence]:
    def look(books: Mapping[str, OpenBook]) -> list[Evidence]:
        model = model_of(books)
        vectors = services.using(model).embedder.embed_queries([query.text for query in queries])
        partition = Partition(scope.school, plan.granularity, model)
        looked_up, shelf = EmbeddedQueries(queries, vectors), Shelf(partition, tuple(books))
        rescore = rescorer(plan, [book.key for book in books.values()], services)
        found = choose(queries, best_candidates(looked_up, shelf, plan, services.index, rescore=rescore), plan)
        return number_evidence(found, passages_of(found, books, services))

    return look_in_open_books(look, scope, services)
