"""What to look up for an essay: each paragraph, and its key sentences (S1, "Query formulation").

All of an essay's texts are embedded and the queries are a choice among them: one embed call for an essay of ordinary length,
one for each part of a long one."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from chapterverse.essay import Essay, Paragraph
from chapterverse.model import Query, QueryKind, Vectors
from chapterverse.retrieval.key_sentences import best_of, centrality

AT_ONCE = 128  # texts: more than most essays have, and few enough that a deadline is seen between two parts
NONE_CHOSEN: Mapping[int, Sequence[int]] = {}


@dataclass(frozen=True, slots=True)
class EmbeddedQueries:
    """n queries and their vectors, (n, d) float32, unit norm."""

    queries: tuple[Query, ...]
    vectors: Vectors

    @property
    def paragraphs(self) -> int:
        """The essay's first so many are looked up: each is a query, and there is one at least."""
        return self.queries[-1].paragraph + 1


def texts_to_embed(essay: Essay) -> list[str]:
    """Every paragraph, then every sentence that may be a key sentence, in the essay's order."""
    paragraphs = [paragraph.text for paragraph in essay.paragraphs]
    return paragraphs + [sentence for paragraph in essay.paragraphs for sentence in candidates(paragraph)]


def parts_of(essay: Essay) -> Iterator[Essay]:
    """The essay in parts of about AT_ONCE texts to embed, of one paragraph at least; most essays are one part."""
    some: list[Paragraph] = []
    texts = 0
    for paragraph in essay.paragraphs:
        more = 1 + len(candidates(paragraph))
        if some and texts + more > AT_ONCE:
            yield replace(essay, paragraphs=tuple(some))
            some, texts = [], 0
        some.append(paragraph)
        texts += more
    yield replace(essay, paragraphs=tuple(some))


def candidates(paragraph: Paragraph) -> tuple[str, ...]:
    """The sentences that key sentences are chosen from: none where the only one is the paragraph itself."""
    return paragraph.sentences if len(paragraph.sentences) > 1 else ()


def build_queries(
    essay: Essay, vectors: Vectors, key_sentences: int, chosen: Mapping[int, Sequence[int]] = NONE_CHOSEN
) -> EmbeddedQueries:
    """The queries in the essay's order, each paragraph before its key sentences.

    vectors: (n, d), unit norm, of texts_to_embed(essay). key_sentences: at most so many a paragraph. chosen: by number of
    the paragraph, indices of its key sentences, ascending; of a paragraph without an entry those nearest to the whole of it
    are taken."""
    queries: list[Query] = []
    rows: list[int] = []
    first = len(essay.paragraphs)
    for number, paragraph in enumerate(essay.paragraphs):
        last = first + len(candidates(paragraph))
        keys = chosen.get(number) or best_of(centrality(vectors[number], vectors[first:last]), key_sentences)
        queries.append(Query(paragraph.text, QueryKind.PARAGRAPH, number))
        queries.extend(Query(paragraph.sentences[key], QueryKind.KEY_SENTENCE, number) for key in keys)
        rows.extend([number, *(first + key for key in keys)])
        first = last
    return EmbeddedQueries(tuple(queries), vectors[rows])
