"""The product's retrieval for the evaluations of SHARED/ask-lecture, which take a file with `retrieve` in it:

    PYTHONPATH=src python SHARED/ask-lecture/helpdesk.py --retriever scripts/eval/ask_retriever.py --methods asked …

Of the METHODS, "asked" is the plan as it is by default, and its first score the confidence that there is an answer; the others
have the score that orders: "dense", "words", "hybrid". Options: plan=documents or plan=helpdesk (otherwise told by
the texts: entries, or questions alone, are a helpdesk's), cache=FILE that keeps vectors from run to run."""

import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha1
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from bookreader.text.sentences import split_sentences
from chapterverse import composition
from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.hits import Hit, Partition, Query, QueryKind, Record, Vectors
from chapterverse.core.ports import Embedder
from chapterverse.core.words import distinct_terms
from chapterverse.infrastructure.vectors.sqlite_words import SqliteWords
from chapterverse.library.contexts import blended, opening
from chapterverse.questions.judging import WEIGHTS_OF_ENTRIES, WEIGHTS_OF_TEXTS, ChunkSignals, answerable, signals_of
from chapterverse.questions.model import Signals
from chapterverse.search.plan import DOCUMENT_QA, HELPDESK, EmbeddedQueries, RetrievalPlan
from chapterverse.search.words import hybrid_candidates
from chapterverse.settings import read_settings

METHODS = ("asked", "dense", "words", "hybrid")
PARTITION = Partition("eval", "chunk", "model")
VERSIONS = ("v1",)
ONLY_WORDS = 1000.0  # weight
SHORT = 25  # words: where texts have no more, they are the questions of a helpdesk
AT_ONCE = 512  # texts, between which their vectors are kept
_options: dict[str, str] = {}

Ranking = tuple[list[list[int]], list[list[float]]]


def configure(**options: str) -> None:
    _options.update(options)


def retrieve(texts: Sequence[str], queries: Sequence[str], method: str = METHODS[0]) -> Ranking:
    """Of each query all texts, best first, and their scores in that order."""
    looked = look_up(list(texts), list(queries), method)
    scores = [[hit.score for hit in hits] for hits in looked.hits]
    if method == "asked":
        scores = [_led_by(confidence, of) for confidence, of in zip(looked.confidences(), scores, strict=True)]
    return [[int(hit.record.id) for hit in hits] for hits in looked.hits], scores


def _led_by(confidence: float, scores: list[float]) -> list[float]:
    """The first score is the confidence, and none after it is greater."""
    steps = [before - after for before, after in pairwise(scores)]
    return np.cumsum([confidence, *(-step for step in steps)]).tolist()


@dataclass(frozen=True)
class LookedUp:
    """What queries have found among texts; entries: whether these are a helpdesk's."""

    texts: Sequence[str]
    queries: EmbeddedQueries
    hits: Sequence[Sequence[Hit]]
    words: SqliteWords
    entries: bool

    def signs(self) -> list[Signals]:
        rows = zip(self.queries.queries, self.queries.vectors, self.hits, strict=True)
        return [self._signs_of(query.text, vector, hits) for query, vector, hits in rows]

    def confidences(self) -> list[float]:
        rows = zip(self.queries.queries, self.queries.vectors, self.hits, strict=True)
        return [self.confidence_of(query.text, vector, hits) for query, vector, hits in rows]

    def confidence_of(self, question: str, vector: np.ndarray, hits: Sequence[Hit]) -> float:
        return answerable(self._signs_of(question, vector, hits), WEIGHTS_OF_ENTRIES if self.entries else WEIGHTS_OF_TEXTS)

    def _signs_of(self, question: str, vector: np.ndarray, hits: Sequence[Hit]) -> Signals:
        rarities = self.words.rarities(PARTITION, distinct_terms(question))
        return signals_of(question, [self._looked(hit, vector) for hit in hits[: DOCUMENT_QA.judged]], rarities)

    def _looked(self, hit: Hit, vector: np.ndarray) -> ChunkSignals:
        text = self.texts[int(hit.record.id)]
        sentences = sentences_of(text)
        return ChunkSignals(
            hit.score, float(hit.vector @ vector), text, sentences, float((embed(sentences) @ vector).max(initial=-1))
        )


def look_up(texts: Sequence[str], queries: Sequence[str], method: str = "asked") -> LookedUp:
    entries = is_helpdesk(texts)
    index, words = index_of(tuple(texts))
    plan = replace(plan_of(method, HELPDESK if entries else DOCUMENT_QA), candidates_per_query=len(texts))
    asked = EmbeddedQueries(tuple(Query(query, QueryKind.QUESTION, n) for n, query in enumerate(queries)), embed(queries))
    return LookedUp(texts, asked, hybrid_candidates(asked, PARTITION, VERSIONS, plan, index, words=words), words, entries)  # type: ignore[arg-type]


def plan_of(method: str, plan: RetrievalPlan) -> RetrievalPlan:
    changed = {
        "dense": replace(plan, lexical=0.0),
        "words": replace(plan, lexical=ONLY_WORDS),
    }
    return changed.get(method, plan)


def is_helpdesk(texts: Sequence[str]) -> bool:
    if "plan" in _options:
        return _options["plan"] == "helpdesk"
    return all(is_entry(text) for text in texts) or all(len(text.split()) <= SHORT for text in texts)


def is_entry(text: str) -> bool:
    return text.startswith("Question: ") and " Answer: " in text


@cache
def index_of(texts: tuple[str, ...]) -> tuple["Texts", SqliteWords]:
    vectors = embed(texts)
    if all(map(is_entry, texts)):
        questions = [text.removeprefix("Question: ").partition(" Answer: ")[0] for text in texts]
        vectors = blended(embed(questions), embed(list(map(opening, questions, texts))), vectors)
    words = SqliteWords(Path(_folder().name) / sha1("\0".join(texts).encode()).hexdigest())
    words.write(PARTITION, "v1", [(SentenceId(str(n)), text) for n, text in enumerate(texts)])
    return Texts(vectors), words


@cache
def _folder() -> TemporaryDirectory:
    return TemporaryDirectory()


@dataclass(frozen=True)
class Texts:
    """As much of a VectorIndex as is asked here; ids are numbers of texts."""

    vectors: Vectors

    def search(self, _: Partition, queries: Vectors, k: int, books: Sequence[str]) -> list[list[Hit]]:  # noqa: ARG002
        return [self._nearest(cosines)[:k] for cosines in queries @ self.vectors.T]

    def _nearest(self, cosines: np.ndarray) -> list[Hit]:
        return [self._hit(n, float(cosines[n])) for n in np.argsort(-cosines, kind="stable")]

    def _hit(self, number: int, score: float) -> Hit:
        record = Record(SentenceId(str(number)), BookId("texts"), "v1", None, "", "", None, None)
        return Hit(record, score, self.vectors[number])


def sentences_of(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


_known: dict[str, np.ndarray] = {}


def embed(texts: Sequence[str]) -> Vectors:
    new = [text for text in dict.fromkeys(texts) if text not in _known]
    for start in range(0, len(new), AT_ONCE):
        _known.update(_kept(new[start : start + AT_ONCE]))
    return np.array([_known[text] for text in texts], np.float32).reshape(len(texts), _embedder().dimensions)


def _kept(texts: Sequence[str]) -> Iterator[tuple[str, np.ndarray]]:
    """Vectors out of the cache, where there is one; those it did not have are kept there."""
    file = sqlite3.connect(_options.get("cache", ":memory:"), timeout=60)
    file.execute("create table if not exists vectors (text text primary key, vector blob)")
    keys = [sha1(text.encode()).hexdigest() for text in texts]
    found = {key: file.execute("select vector from vectors where text = ?", [key]).fetchone() for key in keys}
    missing = [text for text, key in zip(texts, keys, strict=True) if not found[key]]
    made = dict(zip(missing, _embedder().embed_passages(missing), strict=True)) if missing else {}
    rows = [(sha1(text.encode()).hexdigest(), vector.astype(np.float32).tobytes()) for text, vector in made.items()]
    file.executemany("insert or replace into vectors values (?, ?)", rows)
    file.commit()
    for text, key in zip(texts, keys, strict=True):
        yield text, made[text] if text in made else np.frombuffer(found[key][0], np.float32)


@cache
def _embedder() -> Embedder:
    return composition.embedder(read_settings())
