"""Windows of a lecture to citations from its books (S3-5 to S3-10): search, threshold, re-ranking, snippets.

A failing service does not hold up the lecture: it is tried once more, then the window has no citations and the log has a line
without any text."""

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import accumulate
from math import exp, inf
from time import monotonic
from uuid import UUID, uuid5

import numpy as np

from chapterverse.core.book import Chunk, ChunkId, Sentence, SentenceId
from chapterverse.core.errors import CatalogUnavailable, ChapterverseError, NotFound, RetryableError
from chapterverse.core.hits import Hit, Query, QueryKind, Vectors
from chapterverse.core.ports import Reranker
from chapterverse.core.words import terms_of
from chapterverse.lectures.context import LectureContext, Opened, Stopwatch, as_said, open_attached
from chapterverse.lectures.model import Attached, EnrichedQuery, LectureCitation, LectureSession, Window, WindowResult
from chapterverse.library.corrections import corrected
from chapterverse.library.scope import OpenBook
from chapterverse.library.services import CollectionServices
from chapterverse.search.engine import find
from chapterverse.search.plan import EmbeddedQueries

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Ranked:
    """A paragraph to show; score in [0, 1]."""

    hit: Hit
    score: float


def relevant(hits: Sequence[Sequence[Hit]], vectors: Vectors, least: float) -> list[Sequence[Hit]]:
    """Of each window its candidates, none where the nearest of them is farther than `least` (S3-9).

    vectors: (w, d), unit norm, a row a window. least: a cosine; of unit vectors the squared L2 distance, which is Chroma's
    "l2", is 2 - 2 × cosine, so that 1.5 is a cosine of 0.25."""
    return [its if its and max(cosines(its, vector)) >= least else () for its, vector in zip(hits, vectors, strict=True)]


def cosines(hits: Sequence[Hit], vector: Vectors) -> list[float]:
    """Cosine of each hit with the window's vector, (d,)."""
    return [float(np.clip(hit.vector @ vector, -1.0, 1.0)) for hit in hits]


def ranked(
    said: Sequence[str],
    vectors: Vectors,
    hits: Sequence[Sequence[Hit]],
    text_of: Callable[[Hit], str],
    desk: LectureContext,
) -> list[list[Ranked]]:
    """Of each window the best figures.citations: as the re-ranker orders them, all windows' in one call, and with its logit
    through the logistic function as the score, which is what sentence-transformers makes of the one label of a cross-encoder
    (sbert.net, "MS MARCO Cross-Encoders": activation_fn=torch.nn.Sigmoid()).

    Without a re-ranker, and where it fails or has no time left, as they were found, the score their cosine, none below 0, or
    that of one shown after it where that is more: who sorts by score has the order by rank."""
    told = _logits(said, hits, text_of, desk)
    shown = []
    for its, vector, logits in zip(hits, vectors, told, strict=True):
        best = _as_found(its[: desk.figures.citations], vector) if logits is None else _by_logit(its, logits)
        shown.append(best[: desk.figures.citations])
    return shown


def _as_found(hits: Sequence[Hit], vector: Vectors) -> list[Ranked]:
    """What comes before another has no lower score, whatever they were ordered by."""
    scores = list(accumulate(reversed([max(0.0, cosine) for cosine in cosines(hits, vector)]), max))
    return [Ranked(hit, score) for hit, score in zip(hits, reversed(scores), strict=True)]


def _by_logit(hits: Sequence[Hit], logits: Sequence[float]) -> list[Ranked]:
    judged = [Ranked(hit, logistic(logit)) for hit, logit in zip(hits, logits, strict=True)]
    return sorted(judged, key=lambda each: -each.score)


def logistic(logit: float) -> float:
    """The logistic function, in [0, 1]."""
    return 1 / (1 + exp(-logit)) if logit >= 0 else exp(logit) / (1 + exp(logit))


def _logits(
    said: Sequence[str], hits: Sequence[Sequence[Hit]], text_of: Callable[[Hit], str], desk: LectureContext
) -> list[list[float] | None]:
    """Of each window's candidates, None where not all are there."""
    if desk.services.reranker is None:
        return [None] * len(hits)
    pairs = [(text, text_of(hit)) for text, its in zip(said, hits, strict=True) for hit in its]
    scores = iter(judged(pairs, desk.services.reranker, desk.plan.rerank_seconds))
    return [_all_or_none([next(scores) for _ in its]) for its in hits]


def judged(pairs: Sequence[tuple[str, str]], reranker: Reranker, seconds: float) -> list[float | None]:
    """As the re-ranker says within so many seconds; all None where it fails, whatever its library raises (S3, "Re-ranker
    error"): a line in the log tells."""
    try:
        return reranker.scores(pairs, monotonic() + seconds)
    except Exception as error:
        log.warning("windows not re-ranked", extra={"error": type(error).__name__, "pairs": len(pairs)})
        return [None] * len(pairs)


def _all_or_none(scores: Sequence[float | None]) -> list[float] | None:
    known = [score for score in scores if score is not None]
    return known if len(known) == len(scores) else None


CUT = "…"


def best_sentence(sentences: Sequence[str], said: str) -> int:
    """Position of the sentence that shares most words with the speech; the first of equals."""
    wanted = set(terms_of(said))
    shared = [len(wanted & set(terms_of(sentence))) for sentence in sentences]
    return shared.index(max(shared))


def snippet(before: str, sentence: str, after: str, least: int, most: int) -> str:
    """The sentence with words after it, then before it, until there are `least` characters, where there are as many.

    Of a sentence longer than `most` its beginning. It is cut between words, but in one that is longer than `most`; an ellipsis
    tells where."""
    words = [*before.split(), *sentence.split(), *after.split()]
    start = len(before.split())
    end = start + len(sentence.split())
    while end - start > 1 and len(_shown(words, start, end)) > most:
        end -= 1
    while len(_shown(words, start, end)) < least and (wider := _wider(words, start, end, most)) != (start, end):
        start, end = wider
    shown = _shown(words, start, end)
    return shown if len(shown) <= most else shown[: most - len(CUT)] + CUT


def _wider(words: Sequence[str], start: int, end: int, most: int) -> tuple[int, int]:
    """With one word more, where there is one that fits."""
    for first, last in ((start, end + 1), (start - 1, end)):
        if first >= 0 and last <= len(words) and len(_shown(words, first, last)) <= most:
            return first, last
    return start, end


def _shown(words: Sequence[str], start: int, end: int) -> str:
    return CUT * (start > 0) + " ".join(words[start:end]) + CUT * (end < len(words))


OURS = UUID("5c2f6f0e-8a35-5d0b-9a53-3f0d0f9a7c11")  # a name space of our own: the same id of ours gives the same UUID

HEADING = 255  # characters (S3-19)


def document_id(school: str, attached: Attached) -> UUID:
    """UUID of a school's book."""
    return uuid5(OURS, "\0".join((school, attached.shelf, attached.book)))


def chunk_uuid(id: ChunkId) -> UUID:
    """UUID of a paragraph."""
    return uuid5(OURS, id)


@dataclass(frozen=True)
class CitationMaker:
    """Makes citations of search results. books: the attached ones."""

    session: LectureSession
    books: Opened
    desk: LectureContext

    def text_of(self, hit: Hit) -> str:
        """Of a paragraph. Raises NotFound where it is gone meanwhile."""
        return self._chunk(hit).text

    def citation(self, window: Window, vector: Vectors, rank: int, found: Ranked) -> LectureCitation:
        """vector: (d,), the window's. Raises NotFound where it is gone meanwhile."""
        attached, book = self.books[found.hit.record.version]
        chunk = self._chunk(found.hit)
        sentences = self.desk.services.text_of(book.key).sentences(chunk.sentences)
        best = self._best(book, sentences, window, vector)
        sentence = corrected(sentences[best], book.corrections)
        places = sentence.address.places
        return LectureCitation(
            id=uuid5(self.session.id, f"{window.index}/{rank}/{chunk.id}"),
            session=self.session.id,
            transcript=uuid5(self.session.id, str(window.index)),
            window_index=window.index,
            rank=rank,
            document=document_id(self.session.school, attached),
            chunk=chunk_uuid(chunk.id),
            page_number=places[0].page_index + 1 if places else max(0, sentence.address.chapter.index) + 1,
            section_heading=heading_of(sentence, book),
            snippet=self._snippet(book, chunk, sentences, best),
            relevance_score=found.score,
            created=self.desk.now(),
            attached=attached,
            document_name=book.title,
            version=book.key.version,
            chunk_id=chunk.id,
            sentence_id=sentence.id,
            page_label=places[0].page_label if places else "",
        )

    def _chunk(self, hit: Hit) -> Chunk:
        _, book = self.books[hit.record.version]
        return self.desk.services.chunks_of(book.key).chunk(hit.record.id)

    def _best(self, book: OpenBook, sentences: list[Sentence], window: Window, vector: Vectors) -> int:
        """The sentence that is nearest to what was said, by the vectors kept of sentences; by words where there are none."""
        nearness = self.desk.services.sentences_of(book.key).cosines([sentence.id for sentence in sentences], vector)
        if len(nearness) < len(sentences):
            return best_sentence([sentence.text for sentence in sentences], window.text)
        return max(range(len(sentences)), key=lambda i: nearness[sentences[i].id])

    def _snippet(self, book: OpenBook, chunk: Chunk, sentences: list[Sentence], best: int) -> str:
        """Of the paragraph, and where that is too short of what stands around it."""
        before = " ".join(sentence.text for sentence in sentences[:best])
        after = " ".join(sentence.text for sentence in sentences[best + 1 :])
        figures = self.desk.figures
        if len(chunk.text) < figures.snippet_least:
            before, after = f"{self._beside(book, chunk, -1)} {before}", f"{after} {self._beside(book, chunk, 1)}"
        return snippet(before, sentences[best].text, after, figures.snippet_least, figures.snippet_most)

    def _beside(self, book: OpenBook, chunk: Chunk, step: int) -> str:
        """The paragraph before it, or after it; nothing at the ends of the book."""
        before, _, number = chunk.id.rpartition("-")
        with suppress(NotFound):
            return self.desk.services.chunks_of(book.key).chunk(ChunkId(SentenceId(f"{before}-{int(number) + step:05d}"))).text
        return ""


def heading_of(sentence: Sentence, book: OpenBook) -> str | None:
    """The closest heading above; None if there is only the book's title."""
    address = sentence.address
    heading = address.section_path[-1] if address.section_path else address.chapter.name
    return heading[:HEADING] if heading and heading != book.title else None


@dataclass(frozen=True, slots=True)
class WindowFindings:
    """Query and citations of a window."""

    query: EnrichedQuery
    citations: tuple[LectureCitation, ...]


def cite_windows(session: LectureSession, windows: Sequence[Window], desk: LectureContext) -> list[WindowResult]:
    """A result for each window, in order; one call each of embedder, index and re-ranker; citations are stored. Without a ready
    attached book there are none.

    Raises nothing of ours: WindowResult.failed names the stage that failed."""
    watch = Stopwatch()
    try:
        cited = _cited(session, windows, desk, watch)
    except ChapterverseError as error:
        _note(session, windows, watch.stage, error)
        missed = [WindowResult(window, stages=watch.stages, total=watch.total, failed=watch.stage) for window in windows]
        return keep(session, missed, desk)
    found = [
        WindowResult(window, each.citations, each.query, watch.stages, watch.total)
        for window, each in zip(windows, cited, strict=True)
    ]
    return keep(session, found, desk)


def make_ready(desk: LectureContext) -> None:
    """Load the models now. Raises as the embedder does; a failing re-ranker is logged."""
    desk.enrich(["ready"], [], desk.services)
    desk.services.embedder.embed_queries(["ready"])
    if desk.services.reranker:
        judged([("ready", "ready")], desk.services.reranker, inf)


def _cited(session: LectureSession, windows: Sequence[Window], desk: LectureContext, watch: Stopwatch) -> list[WindowFindings]:
    """Tried once more where something is away for a moment, or a book was replaced between two stages."""
    try:
        return _look_up(session, windows, desk, watch)
    except (RetryableError, NotFound):
        return _look_up(session, windows, desk, watch)


def _look_up(
    session: LectureSession, windows: Sequence[Window], desk: LectureContext, watch: Stopwatch
) -> list[WindowFindings]:
    with watch.timing("books"):
        books = open_attached(session, desk)
    if not books or not windows:
        return [WindowFindings(EnrichedQuery(window.text), ()) for window in windows]
    services = desk.services.using(next(iter(books.values()))[1].key.model)
    with watch.timing("keywords"):
        queries = _enriched(windows, books, services, desk)
    with watch.timing("embed"):
        vectors = services.embedder.embed_queries([query.text for query in queries])
    with watch.timing("search"):
        hits = _search(queries, vectors, books, services, desk)
        hits = desk.reorder(session, windows, hits)
        near = [its[: desk.figures.candidates] for its in relevant(hits, vectors, desk.figures.least)]
    with watch.timing("rerank"):
        shown = CitationMaker(session, books, desk)
        best = ranked([window.text for window in windows], vectors, near, shown.text_of, desk)
    return [
        WindowFindings(query, tuple(shown.citation(window, vector, rank, one) for rank, one in enumerate(its, start=1)))
        for window, vector, query, its in zip(windows, vectors, queries, best, strict=True)
    ]


def _enriched(
    windows: Sequence[Window], books: Opened, services: CollectionServices, desk: LectureContext
) -> list[EnrichedQuery]:
    """Without keywords where they cannot be made: what was said is looked up all the same."""
    texts, keys = [window.text for window in windows], [book.key for _, book in books.values()]
    try:
        return desk.enrich(texts, keys, services)
    except ChapterverseError as error:
        log.warning("windows without keywords", extra={"windows": len(windows), "error": error.code})
        return as_said(texts, keys, services)


def _search(
    queries: Sequence[EnrichedQuery], vectors: Vectors, books: Opened, services: CollectionServices, desk: LectureContext
) -> list[list[Hit]]:
    """Of each window desk.plan.candidates_per_query."""
    asked = tuple(Query(query.text, QueryKind.QUESTION, number) for number, query in enumerate(queries))
    opened = {version: book for version, (_, book) in books.items()}
    plan = replace(desk.plan, reranked=0)  # windows are re-ranked together, after their own order
    return find(lambda _: EmbeddedQueries(asked, vectors), opened, plan, services, lambda result: result.candidates)


def keep(session: LectureSession, results: list[WindowResult], desk: LectureContext) -> list[WindowResult]:
    """Store the results and return them, also if storing fails."""
    try:
        desk.store.create_batch(session.id, results)
    except (CatalogUnavailable, NotFound) as error:  # the session was ended while this was looked up
        _note(session, [result.window for result in results], "keep", error)
    return results


def _note(session: LectureSession, windows: Sequence[Window], stage: str, error: ChapterverseError) -> None:
    facts = {"session": str(session.id), "school": session.school, "windows": len(windows), "stage": stage, "error": error.code}
    log.warning("windows without citations", extra=facts)
