"""The one driver of search: from queries to the hits of a scope's open books that bear on them.

Essays, questions, lectures and the evaluation differ in their queries, their plan and what they read of the hits."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from chapterverse.core.hits import Found, Hit, Scope
from chapterverse.library.scope import OpenBook, look_in_open_books
from chapterverse.library.services import CollectionServices
from chapterverse.search.candidates import hybrid_candidates, rescored
from chapterverse.search.fusion import cut_to, fuse, keep_diverse, keep_relevant, rank
from chapterverse.search.plan import EmbeddedQueries, RetrievalPlan

OpenBooks = Mapping[str, OpenBook]
"""Open books by version, all indexed with one embedding model and in one unit; at least one."""

MakeQueries = Callable[[CollectionServices], EmbeddedQueries]
"""Embeds the queries with the embedder of these services, which has the model of the open books."""

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Result of one search.

    candidates: of each query, best first, after re-scoring and before any threshold. plan: fitted to the size of the books.
    services: with the model of the books."""

    queries: EmbeddedQueries
    books: OpenBooks
    plan: RetrievalPlan
    candidates: list[list[Hit]]
    services: CollectionServices

    def best(self) -> list[Found]:
        """At most plan.limit candidates, each once, best first; empty if none reaches plan.min_score (S1-15, S1-17, S1-18).

        With plan.limit at the number of paragraphs, a paragraph whose queries found none of them has nothing in the books."""
        queries, plan = self.queries.queries, self.plan
        ranked = rank(fuse(queries, keep_relevant(queries, self.candidates, plan), plan.query_weights))
        return cut_to(keep_diverse(ranked, plan.max_similarity), plan.limit)


def find(
    queries: MakeQueries,
    where: Scope | OpenBooks,
    plan: RetrievalPlan,
    services: CollectionServices,
    read: Callable[[SearchResult], Answer],
) -> Answer:
    """What `read` makes of a search: open the books of a scope, embed the queries, search, re-score.

    With a scope, everything is repeated when a book was replaced meanwhile, so `read` may open the texts of the hits; queries
    are embedded once. Books that are open already are searched once.
    One index call, however many queries; one more for the words of a query where the plan gives words a weight.
    Raises NotFound if the scope has no searchable book, and every RetryableError of the ports."""

    @cache
    def embedded() -> EmbeddedQueries:
        return queries(services)

    def search(books: OpenBooks) -> Answer:
        return read(_search(embedded(), books, plan, services))

    return look_in_open_books(search, where, services) if isinstance(where, Scope) else search(where)


def _search(queries: EmbeddedQueries, books: OpenBooks, plan: RetrievalPlan, services: CollectionServices) -> SearchResult:
    plan = plan.for_size(sum(book.sentences for book in books.values()))
    keys = [book.key for book in books.values()]
    hits = hybrid_candidates(queries, keys[0].partition, tuple(books), plan, services.index, words=services.words)
    contexts = {key.version: services.context_of(key) for key in keys} if plan.context_weight or plan.hubness_penalty else {}
    return SearchResult(queries, books, plan, rescored(queries, hits, plan, contexts), services)
