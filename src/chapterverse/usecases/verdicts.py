"""Verdicts with what they need of the world: an embedder, and a model that reads where there is one."""

from collections.abc import Sequence

from chapterverse.evidence.likeness import TEXTS, Likeness, likeness, texts_to_embed
from chapterverse.evidence.reading import Reader
from chapterverse.evidence.said import Said
from chapterverse.evidence.verdict import Verdict, judge_reading, judge_vectors
from chapterverse.ports import Embedder


def judge_all(said: Sequence[Said], embedder: Embedder, reader: Reader | None = None) -> list[Verdict]:
    """A verdict each, in the order given; one call of the embedder, and of the reader. Raises EmbedderUnavailable,
    ModelUnavailable."""
    if not said:
        return []
    near = likenesses(said, embedder)
    if not reader:
        return [judge_vectors(one, its) for one, its in zip(said, near, strict=True)]
    chances = reader([(read_aloud(one), one.claim) for one in said])
    return [judge_reading(one, its, read) for one, its, read in zip(said, near, chances, strict=True)]


def likenesses(said: Sequence[Said], embedder: Embedder) -> list[Likeness]:
    """One each, of at least one."""
    vectors = embedder.embed_passages([text for one in said for text in texts_to_embed(one)])
    return [likeness(its) for its in vectors.reshape(len(said), TEXTS, -1)]


def read_aloud(said: Said) -> str:
    """The sentence between its neighbours, which say what "it" is."""
    return " ".join(filter(None, (said.previous, said.sentence, said.next)))
