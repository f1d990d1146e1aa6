"""Compare a draft with the earlier one: with the embedder and the books that its evidence was found with."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from chapterverse.core.hits import Found, Query, QueryKind, Scope, Vectors
from chapterverse.core.ports import Embedder
from chapterverse.essays.model import Essay, EssayEvidence, Feedback, Review, subject_of
from chapterverse.essays.revision.align import Embed, SentencePair, align, sentences_of
from chapterverse.essays.revision.comments import Compared, outcomes
from chapterverse.essays.revision.kinds import BookSentence, Drafts, LookUp, kinds_of
from chapterverse.essays.revision.model import Change, Revision, in_place
from chapterverse.essays.writing.expressions import is_english
from chapterverse.library.scope import passages_of
from chapterverse.library.services import CollectionServices
from chapterverse.search.engine import SearchResult, find
from chapterverse.search.plan import ESSAY_FEEDBACK, EmbeddedQueries

MAX_SENTENCES = 400  # of a draft, about 8,000 words: each is compared with each, in a second or two
MAX_EMBEDDED = 64  # texts: 0.3 s of two cores; of an essay that was written anew, letters decide
NEAREST = 20  # sentences of the books for each added one; with 8, a long one was missed
PLAN = replace(
    ESSAY_FEEDBACK, context_weight=0.0, hubness_penalty=0.0, candidates_per_query=NEAREST, min_score=-1.0, reranked=0
)


@dataclass(frozen=True)
class Vectorizer:
    """Vectors of an essay's texts; each text is embedded once, and at most MAX_EMBEDDED of them."""

    known: dict[tuple[str, str], Vectors] = field(default_factory=dict)

    def has_room(self, texts: Sequence[str], embedder: Embedder) -> bool:
        """Whether these can still be embedded."""
        return len({(embedder.model, text) for text in texts} | self.known.keys()) <= MAX_EMBEDDED

    def vectors(self, texts: Sequence[str], embedder: Embedder) -> Vectors:
        """Vectors of the texts in order, (n, d). Raises EmbedderUnavailable, ModelUnavailable."""
        new = [text for text in dict.fromkeys(texts) if (embedder.model, text) not in self.known]
        if new:
            self.known.update(zip(((embedder.model, text) for text in new), embedder.embed_queries(new), strict=True))
        return np.array([self.known[embedder.model, text] for text in texts], np.float32)


@dataclass(frozen=True)
class Comparison:
    """Two drafts that were compared. earlier: the feedback on the earlier one."""

    earlier: Feedback
    drafts: Drafts
    pairs: Sequence[SentencePair]
    changes: Sequence[Change]

    def revision(self, reviews: Sequence[Review]) -> Revision:
        """The changes, and what became of the earlier comments. reviews: on the later draft."""
        compared = Compared(self.drafts, self.pairs, self.changes, [one for review in reviews for one in review.comments])
        return Revision(self.earlier.id or "", tuple(self.changes), tuple(outcomes(self.earlier.reviews, compared)))


def is_short_enough(first: Essay, second: Essay) -> bool:
    """Whether two drafts can be compared in time."""
    return max(sum(len(each.sentences) for each in one.paragraphs) for one in (first, second)) <= MAX_SENTENCES


def compare(earlier: Feedback, found: EssayEvidence, scope: Scope, services: CollectionServices) -> Comparison:
    """The later draft, of which this evidence was found, against the earlier one. Raises as find does."""
    essay = subject_of(found).essay
    vectorizer = Vectorizer()

    def embed(texts: Sequence[str]) -> Vectors | None:
        has_room = vectorizer.has_room(texts, services.embedder)
        return vectorizer.vectors(texts, services.embedder) if has_room else None

    def look_up(texts: Sequence[str]) -> list[list[BookSentence]]:
        return nearest_in_books(texts[:MAX_EMBEDDED], scope, services, vectorizer) + [[] for _ in texts[MAX_EMBEDDED:]]

    return Comparison(earlier, *differences(subject_of(earlier.evidence).essay, essay, embed, look_up))


def differences(
    first: Essay, second: Essay, embed: Embed | None, look_up: LookUp
) -> tuple[Drafts, list[SentencePair], list[Change]]:
    """The sentences of two drafts, which of them belong together, and the changes in the later draft's order."""
    drafts = Drafts(sentences_of(first), sentences_of(second), embed if is_english(second) else None)
    pairs = align(drafts.first, drafts.second, drafts.embed)
    changes = kinds_of(pairs, drafts, look_up)
    return drafts, pairs, sorted(changes, key=lambda one: in_place(one.after or one.before))


def nearest_in_books(
    texts: Sequence[str], scope: Scope, services: CollectionServices, vectorizer: Vectorizer
) -> list[list[BookSentence]]:
    """The nearest sentences of the books for each text, nearest first. Raises as find does."""

    def queries(services: CollectionServices) -> EmbeddedQueries:
        made = tuple(Query(text, QueryKind.STATEMENT, 0) for text in texts)
        return EmbeddedQueries(made, vectorizer.vectors(texts, services.embedder))

    def read(result: SearchResult) -> list[list[BookSentence]]:
        return [
            [
                BookSentence(passage.book_title, passage.sentence.text, float(hit.vector @ vector))
                for hit, passage in zip(
                    hits,
                    passages_of([Found(hit.record, hit.score, (), hit.vector) for hit in hits], result.books, result.services),
                    strict=True,
                )
            ]
            for hits, vector in zip(result.candidates, result.queries.vectors, strict=True)
        ]

    return find(queries, scope, PLAN, services, read)
