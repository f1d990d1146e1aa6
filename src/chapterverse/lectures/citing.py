"""Windows of a lecture to citations from its books (S3-5 to S3-10): search, threshold, re-ranking, snippets.

A failing service does not hold up the lecture: it is tried once more, then the window has no citations and the log has a line
without any text."""

import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import accumulate
from time import monotonic, perf_counter
from uuid import UUID, uuid5

import numpy as np

from chapterverse.citations.passages import shorten_left
from chapterverse.core.book import BookId, Chunk, SentenceId
from chapterverse.core.errors import CatalogUnavailable, ChapterverseError, EmbedderUnavailable, NotFound, RetryableError
from chapterverse.core.hits import Hit, Query, QueryKind, Vectors
from chapterverse.core.words import terms_of
from chapterverse.infrastructure.llm.readers import CrossEncoderReranker
from chapterverse.infrastructure.sql import utc_now
from chapterverse.lectures.model import LectureCitation, LectureSession, Window, WindowResult
from chapterverse.lectures.store import SqlLectures
from chapterverse.library.corrections import corrected
from chapterverse.library.scope import OpenBook, opened
from chapterverse.library.services import CollectionServices
from chapterverse.questions import MIN_DAYS
from chapterverse.search.chunks import sentence_cosines
from chapterverse.search.engine import OpenBooks, search
from chapterverse.search.plan import LECTURE, EmbeddedQueries, RetrievalPlan, logistic

log = logging.getLogger(__name__)
Ranked = tuple[Hit, float]
"""A paragraph to show, and its score in [0, 1]."""
CANDIDATES, CITATIONS = 5, 3  # of a window: re-ranked; shown (S3-8)
MIN_COSINE = 0.25  # of the nearest paragraph: a squared L2 distance of 1.5 (S3-9)
MIN_SNIPPET, MAX_SNIPPET, CUT = 100, 200, "…"  # characters; what marks a cut
AROUND = 2  # sentences on each side of a short one in its snippet
KEYWORDS = 5  # S3-5
HEADING = 255  # characters (S3-19)
NAMESPACE = UUID("5c2f6f0e-8a35-5d0b-9a53-3f0d0f9a7c11")  # for UUIDs derived from our ids
RERANK_SECONDS = 0.5  # of the re-ranker, for windows that are searched together
MUCH_WEAKER = 0.6  # of the first's cosine: in the sample lecture 6 of 7 later citations below it are wrong, above it a third


Reorder = Callable[[LectureSession, Sequence[Window], list[list[Hit]]], list[list[Hit]]]
"""Hits of each window in a new order, by where in the books the lecture is."""


@dataclass(frozen=True)
class LectureContext:
    """What citing uses. services: of the lectures' collection, with the lectures' re-ranker, if any. keep_days: until a session
    is deleted."""

    services: CollectionServices
    store: SqlLectures
    keep_days: int
    plan: RetrievalPlan = LECTURE
    reorder: Reorder | None = None
    now: Callable[[], datetime] = utc_now

    @property
    def since(self) -> datetime:
        """Time before which sessions count as deleted, even if they are still stored."""
        return self.now() - timedelta(days=self.days)

    @property
    def days(self) -> int:
        """Days until a session is deleted."""
        return max(self.keep_days, MIN_DAYS)


def open_attached(session: LectureSession, context: LectureContext) -> OpenBooks:
    """Open the session's books that are ready, embedded by the context's model. Raises CatalogUnavailable."""
    books: dict[str, OpenBook] = {}
    for id in session.books:
        book = context.services.catalog.find(session.school, id)
        if book and book.active and book.active.key.model == context.services.embedder.model:
            books.setdefault(book.active.key.version, opened(book, book.active))
    return books


def relevant(hits: Sequence[Sequence[Hit]], vectors: Vectors) -> list[Sequence[Hit]]:
    """Candidates of each window; none if even the nearest is below MIN_COSINE (S3-9).

    vectors: (w, d), unit norm, one per window. S3 gives a squared L2 distance (Chroma's "l2"), which for unit vectors is
    2 - 2 × cosine: 1.5 is a cosine of 0.25."""
    return [its if its and max(cosines(its, vector)) >= MIN_COSINE else () for its, vector in zip(hits, vectors, strict=True)]


def cosines(hits: Sequence[Hit], vector: Vectors) -> list[float]:
    """Cosine of each hit with the window's vector, (d,)."""
    return [float(np.clip(hit.vector @ vector, -1.0, 1.0)) for hit in hits]


def ranked(
    texts: Sequence[str],
    vectors: Vectors,
    hits: Sequence[Sequence[Hit]],
    text_of: Callable[[Hit], str],
    context: LectureContext,
) -> list[list[Ranked]]:
    """The best hits of each window, at most CITATIONS, ordered by the re-ranker, which is called once for all windows.
    Their score is the logistic function of its logit, as sentence-transformers does it for cross-encoders with one label
    (sbert.net, "MS MARCO Cross-Encoders": activation_fn=torch.nn.Sigmoid()).

    Without a re-ranker, or if it fails or is too late: in the order found, with the cosine as the score, at least 0,
    without those that are MUCH_WEAKER than the first. A score is raised to that of the next hit if necessary, so sorting by
    score keeps the order."""
    best, reranker = list[list[Ranked]](), context.services.reranker
    pairs = [(text, text_of(hit)) for text, its in zip(texts, hits, strict=True) for hit in its] if reranker else []
    logits = iter(judged(pairs, reranker, RERANK_SECONDS) if reranker else ())
    for its, vector in zip(hits, vectors, strict=True):
        known = [logit for _ in its if (logit := next(logits, None)) is not None]
        if len(known) < len(its):
            best.append(_as_found(its[:CITATIONS], vector))
        else:
            scored = zip(its, map(logistic, known), strict=True)
            best.append(sorted(scored, key=lambda each: -each[1])[:CITATIONS])
    return best


def _as_found(hits: Sequence[Hit], vector: Vectors) -> list[Ranked]:
    """Hits in their order with scores that never rise, as long as they are not much weaker than the first."""
    scores = list(accumulate(reversed([max(0.0, cosine) for cosine in cosines(hits, vector)]), max))[::-1]
    return [(hit, score) for hit, score in zip(hits, scores, strict=True) if score >= MUCH_WEAKER * scores[0]]


def judged(pairs: Sequence[tuple[str, str]], reranker: CrossEncoderReranker, seconds: float) -> list[float | None]:
    """The re-ranker's scores within that time; all None if it raises any error (S3, "Re-ranker error"), which is logged."""
    try:
        return reranker.scores(pairs, monotonic() + seconds)
    except Exception as error:
        log.warning("windows not re-ranked", extra={"error": type(error).__name__, "pairs": len(pairs)})
        return [None] * len(pairs)


def shared_words(speech: str, text: str) -> tuple[str, ...]:
    """The KEYWORDS longest words of the speech that stand in the text in some form, each once, as they were said."""
    there = set(terms_of(text))
    shared = {term: word for word in speech.split() for term in terms_of(word) if term in there}
    return tuple(sorted((word.strip(".,;:!?") for word in shared.values()), key=len, reverse=True)[:KEYWORDS])


def snippet(before: str, sentence: str, after: str) -> str:
    """The sentence; a short one with the words after it, and before it, as far as there are MIN_SNIPPET characters; at most
    MAX_SNIPPET. An ellipsis marks each cut, between words if possible."""
    text = sentence
    if len(text) < MIN_SNIPPET:
        text = " ".join(f"{text} {after}".split())
    if len(text) < MIN_SNIPPET:
        text = shorten_left(" ".join(f"{before} {text}".split()), MAX_SNIPPET)
    if len(text) <= MAX_SNIPPET:
        return text
    part = text[: MAX_SNIPPET - len(CUT)]
    return (part.rpartition(" ")[0] or part) + CUT


def document_id(school: str, book: BookId) -> UUID:
    """UUID of a school's book."""
    return uuid5(NAMESPACE, f"{school}\0{book}")


@dataclass(frozen=True)
class CitationMaker:
    """Makes citations from search results. books: the attached ones."""

    session: LectureSession
    books: OpenBooks
    context: LectureContext

    def chunk_of(self, hit: Hit) -> Chunk:
        """The paragraph. Raises NotFound if it was removed meanwhile."""
        book = self.books[hit.record.version]
        return self.context.services.chunks_of(book.key).chunk(hit.record.id)

    def result(self, window: Window, vector: Vectors, ranked: Sequence[Ranked]) -> WindowResult:
        """The citations of ranked paragraphs, best first. Raises NotFound if a book was removed meanwhile."""
        citations = tuple(self.citation(window, vector, rank, one) for rank, one in enumerate(ranked, start=1))
        return WindowResult(window, citations, shared_words(window.text, self.chunk_of(ranked[0][0]).text) if ranked else ())

    def citation(self, window: Window, vector: Vectors, rank: int, ranked: Ranked) -> LectureCitation:
        """The citation of a ranked paragraph. vector: (d,), the window's. Raises NotFound if the book was removed meanwhile."""
        hit, score = ranked
        book = self.books[hit.record.version]
        chunk, text = self.chunk_of(hit), self.context.services.text_of(book.key)
        sentences = text.sentences(chunk.sentences)
        nearness: Mapping[SentenceId, float] = {}
        with suppress(EmbedderUnavailable):  # which is asked only where the sentences' vectors are lost
            nearness = sentence_cosines(vector, [(chunk, book)], self.context.services)
        best = max(range(len(sentences)), key=lambda at: nearness.get(sentences[at].id, -1.0))
        sides = (text.before(sentences[best], AROUND), text.after(sentences[best], AROUND))
        before, after = (" ".join(one.text for one in side) for side in sides)
        sentence = corrected(sentences[best], book.corrections)
        places, headings = sentence.address.places, sentence.address.section_path
        heading = headings[-1] if headings else sentence.address.chapter.name
        return LectureCitation(
            id=uuid5(self.session.id, f"{window.index}/{rank}/{chunk.id}"),
            session_id=self.session.id,
            transcript_id=uuid5(self.session.id, str(window.index)),
            window_index=window.index,
            rank=rank,
            document_id=document_id(self.session.school, book.key.book),
            chunk_id=uuid5(NAMESPACE, chunk.id),
            page_number=places[0].page_index + 1 if places else max(0, sentence.address.chapter.index) + 1,
            section_heading=heading[:HEADING] if heading and heading != book.title else None,
            snippet=snippet(before, sentences[best].text, after),
            relevance_score=score,
            created_at=self.context.now(),
            document=book.key.book,
            document_name=book.title,
            version=book.key.version,
            paragraph=chunk.id,
            sentence_id=sentence.id,
            page_label=places[0].page_label if places else "",
        )


def cite_windows(session: LectureSession, windows: Sequence[Window], context: LectureContext) -> list[WindowResult]:
    """A result for each window, in order; one call each of embedder, index and re-ranker; citations are stored. Without a ready
    attached book there are none.

    Raises nothing of ours: WindowResult.failed names the stage that failed."""
    began, stages = perf_counter(), ["books"]
    try:
        try:
            results = _find_citations(session, windows, context, stages)
        except (RetryableError, NotFound):  # a service was unavailable, or a book was replaced between two stages: once more
            results = _find_citations(session, windows, context, stages)
    except ChapterverseError as error:
        _note(session, windows, stages[-1], error)
        results = [WindowResult(window, failed=stages[-1]) for window in windows]
    spent = 1000 * (perf_counter() - began)
    return store_results(session, [replace(one, milliseconds=spent) for one in results], context)


def _find_citations(
    session: LectureSession, windows: Sequence[Window], context: LectureContext, stages: list[str]
) -> list[WindowResult]:
    """stages: so far, the last is what the search is at."""
    stages.append("books")
    books = open_attached(session, context)
    if not books or not windows:
        return [WindowResult(window) for window in windows]
    stages.append("embed")
    services = context.services
    vectors = services.embedder.embed_queries([window.text for window in windows])
    stages.append("search")
    queries = EmbeddedQueries(
        tuple(Query(window.text, QueryKind.QUESTION, number) for number, window in enumerate(windows)), vectors
    )
    hits = search(queries, books, context.plan, services).candidates
    hits = context.reorder(session, windows, hits) if context.reorder else hits
    near = [its[:CANDIDATES] for its in relevant(hits, vectors)]
    stages.append("rerank")
    maker = CitationMaker(session, books, context)
    best = ranked([window.text for window in windows], vectors, near, lambda hit: maker.chunk_of(hit).text, context)
    return [maker.result(*each) for each in zip(windows, vectors, best, strict=True)]


def store_results(session: LectureSession, results: list[WindowResult], context: LectureContext) -> list[WindowResult]:
    """Store the results and return them, also if storing fails."""
    try:
        keeps = bool(context.services.settings_of(session.school).transcripts)
        context.store.create_batch(session.id, results, context.now(), with_words=keeps)
    except (CatalogUnavailable, NotFound) as error:  # the session ended meanwhile
        _note(session, [result.window for result in results], "keep", error)
    return results


def _note(session: LectureSession, windows: Sequence[Window], stage: str, error: ChapterverseError) -> None:
    facts = {"session": str(session.id), "school": session.school, "windows": len(windows), "stage": stage, "error": error.code}
    log.warning("windows without citations", extra=facts)
