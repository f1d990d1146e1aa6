"""What a source is about, in a few words: told when it is added, without examples, by the likeness of its mean vector to a
sentence about each topic that the school has named, or, where it has named none, to the source's own headings (S2, "Chunk
Metadata Tagging"). Whoever teaches may say otherwise; that is kept whatever is added later."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from chapterverse.ingestion.chunks.by_tokens import ENTRIES
from chapterverse.model import Book, Corrections, Vectors, VersionKey
from chapterverse.ports import Embedder
from chapterverse.usecases.services import Services

MOST = 3
LEAST = 0.15  # cosine of a topic of the school's; below it, SQuAD's articles are as like to topics that they are not about
NEAR = 0.1  # to the best topic's
ABOUT = "This text is about {topic}."


def note_topics(key: VersionKey, book: Book, vectors: Vectors, services: Services) -> None:
    """Say of the book what it is about; what somebody has said of it stays. Raises as the embedder and the catalog do."""
    told = topics_of(book, vectors, services.embedder, services.topics)
    before = services.catalog.book(key.school, key.book).corrections
    if told != before.found_topics:
        services.catalog.correct(key.school, key.book, replace(before, found_topics=told))


def topics_of(book: Book, vectors: Vectors, embedder: Embedder, named: Sequence[str] = ()) -> tuple[str, ...]:
    """At most MOST, the likeliest first. vectors: of its chunks, (n, d), unit norm; named: by the school, and none of them may
    fit; else headings of the book's own, of which some always do."""
    offered = list(dict.fromkeys(named or headings_of(book)))
    if not offered or not len(vectors):
        return ()
    mean = vectors.mean(axis=0)
    scores = embedder.embed_queries([ABOUT.format(topic=topic) for topic in offered]) @ (mean / np.linalg.norm(mean))
    least = max(LEAST, float(scores.max()) - NEAR) if named else -1.0
    return tuple(offered[at] for at in np.argsort(-scores, kind="stable")[:MOST] if scores[at] >= least)


def headings_of(book: Book) -> list[str]:
    """Titles of its chapters, each once; none of a list of entries, whose titles are questions."""
    if book.report.chapter_source == ENTRIES:
        return []
    titles = (chapter.title for chapter in book.chapters)
    return list(dict.fromkeys(title for title in titles if title and any(map(str.isalpha, title))))


def retopiced(corrections: Corrections, topics: Sequence[str] | None) -> Corrections:
    """With these topics instead of those found; None: those found."""
    return replace(corrections, topics=None if topics is None else tuple(dict.fromkeys(topics)))
