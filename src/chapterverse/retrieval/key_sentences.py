"""Which sentences say what a paragraph says (S1, "key sentences are extracted by a local small language model").

Two ways, each a score a sentence: nearness to the whole paragraph, from vectors that are there anyway; and how much more a
language model expects the sentence as the paragraph's main claim than without the paragraph. Figures: docs/key-sentences.md."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from chapterverse.essay import Paragraph
from chapterverse.model import Vectors

LATENESS = 0.05  # cosine that the last sentence of a paragraph loses to the first
CLAIM = "The main claim of this paragraph:"

Scores = NDArray[np.float64]
"""One a sentence of a paragraph, higher is better."""


def centrality(paragraph: Vectors, sentences: Vectors) -> Scores:
    """Nearness to the whole, early sentences before late ones, as in centroid summarisation (Radev et al. 2004).

    paragraph: (d,), sentences: (n, d), unit norm."""
    nearness = sentences @ paragraph - LATENESS * np.linspace(0, 1, len(sentences))
    return np.asarray(nearness, np.float64)


def pairs_of(paragraph: Paragraph) -> list[tuple[str, str]]:
    """What a language model is asked: every sentence as the claim of the paragraph, then every sentence as that of none."""
    given = f"{paragraph.text}\n\n{CLAIM}"
    return [(prompt, f" {sentence}") for prompt in (given, CLAIM) for sentence in paragraph.sentences]


def information(paragraph: Paragraph, log_probs: Sequence[float | None]) -> Scores | None:
    """The pointwise mutual information of the paragraph and each sentence as its claim (Church & Hanks 1990): what its
    log-probability gains by the paragraph, words standing for tokens.

    log_probs: of pairs_of(paragraph), nats a token; None where one of them is missing. The gain of a mean token instead
    favours short sentences, and chooses worse than chance."""
    found = [one for one in log_probs if one is not None]
    if len(found) < len(log_probs):
        return None
    given, alone = np.array(found, np.float64).reshape(2, -1)
    words = np.array([len(sentence.split()) for sentence in paragraph.sentences])
    return np.asarray((given - alone) * words, np.float64)


def best_of(scores: Scores, limit: int) -> list[int]:
    """Places, ascending, of so many sentences; the earlier of two that are equal."""
    return sorted(int(place) for place in np.argsort(-scores, kind="stable")[:limit])
