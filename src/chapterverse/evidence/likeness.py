"""What vectors tell of a claim and a sentence: whether they are about the same thing, and which way round."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chapterverse.evidence.said import Said
from chapterverse.evidence.turned import deny, turn
from chapterverse.model import Vectors

Vector = NDArray[np.float32]
TEXTS = 6  # of one claim and its sentence


@dataclass(frozen=True, slots=True)
class Likeness:
    """about: cosine of the claim to the sentence. turned: how much nearer the one is to the opposite of the other than to the
    other itself, in [-1, 1]; no cosine alone can see that (docs/verdicts.md)."""

    about: float
    turned: float


def texts_to_embed(said: Said) -> tuple[str, ...]:
    """TEXTS of them: the claim, turned and denied; the sentence, turned and denied."""
    return tuple(text for own in (said.claim, said.sentence) for text in (own, turn(own), deny(own)))


def likeness(vectors: Vectors) -> Likeness:
    """vectors: (TEXTS, d), unit norm, of texts_to_embed."""
    claim, turned_claim, denied_claim, sentence, turned_sentence, denied_sentence = vectors
    shifts = (
        _along(turned_claim - claim, sentence),
        _along(denied_claim - claim, sentence),
        _along(turned_sentence - sentence, claim),
        _along(denied_sentence - sentence, claim),
    )
    return Likeness(about=float(claim @ sentence), turned=float(np.mean(shifts)))


def _along(shift: Vector, other: Vector) -> float:
    """The part of a vector that goes in the direction of the shift, however long that is; 0 where nothing was shifted."""
    length = float(np.linalg.norm(shift))
    return float(other @ shift) / length if length else 0.0
