"""An answer without a language model: the sources' own sentences, in their order."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from chapterverse.evidence.numbering import Passage
from chapterverse.evidence.verdict import Verdict, VerdictKind
from chapterverse.messages import message
from chapterverse.model import Vectors
from chapterverse.ports import Embedder
from chapterverse.usecases.answers.answer import Cited, Claim
from chapterverse.usecases.answers.sources import Asked, Source

MOST_READ = 64  # sentences that are compared with the question: about half a second of MiniLM on a CPU
SAME = 0.9  # cosine above which two sentences say the same (S1, "Diversity")
OWN_WORDS = Verdict(VerdictKind.SUPPORTS, message("source_own_words"))


@dataclass(frozen=True, slots=True)
class _Sentence:
    source: Source
    position: int

    @property
    def passage(self) -> Passage:
        return self.source.passages[self.position]

    @property
    def claim(self) -> Claim:
        return Claim(self.passage.sentence.text, (Cited(self.source, self.passage, OWN_WORDS),))


def extracted(asked: Asked, sources: Sequence[Source], most: int, embedder: Embedder) -> list[Claim]:
    """The best source from its beginning, where somebody wrote it as an answer; else the `most` sentences nearest to what was
    asked, none that says the same as a better one, by source and place in it. Raises EmbedderUnavailable, ModelUnavailable."""
    first = sources[0]
    if first.whole:
        return [_Sentence(first, position).claim for position in range(len(first.passages))][:most]
    sentences = list(_each_once(sources))[:MOST_READ]
    [wanted] = embedder.embed_queries([asked.query])
    vectors = embedder.embed_passages([one.passage.sentence.text for one in sentences])
    best_first = [int(at) for at in np.argsort(-(vectors @ wanted), kind="stable")]
    return [sentences[at].claim for at in sorted(_diverse(best_first, vectors)[:most])]


def _each_once(sources: Sequence[Source]) -> Iterator[_Sentence]:
    """Chunks overlap; a sentence is the first one's. A question answers nothing."""
    seen = set[str]()
    for source in sources:
        for position, passage in enumerate(source.passages):
            sentence = passage.sentence
            if sentence.id not in seen and (len(source.passages) == 1 or not sentence.text.rstrip().endswith("?")):
                seen.add(sentence.id)
                yield _Sentence(source, position)


def _diverse(best_first: Sequence[int], vectors: Vectors) -> list[int]:
    kept: list[int] = []
    for at in best_first:
        if all(float(vectors[at] @ vectors[other]) <= SAME for other in kept):
            kept.append(at)
    return kept
