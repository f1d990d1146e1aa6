"""What kind of question is asked, told without any that were labelled: by the likeness to a description of the kind, and to
ways of asking that have no subject (S2, "Future Metric Additions": query intent classification)."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.hits import Vectors


class Intent(StrEnum):
    """Kinds of question whose answers come out differently."""

    DEFINITION = "definition"
    FACT = "fact"
    EXPLANATION = "explanation"
    HOW_TO = "how-to"
    COMPARISON = "comparison"
    OVERVIEW = "overview"  # S2, "Generic Queries"
    POLICY = "policy"


DESCRIBED: Mapping[Intent, tuple[str, ...]] = {
    Intent.DEFINITION: (
        "A question about what a term means, or what something is.",
        "What is it?",
        "What does this word mean?",
        "How is the term defined?",
        "Define this concept.",
    ),
    Intent.FACT: (
        "A question about a name, a number, a place or a date that a text tells.",
        "Who did it?",
        "When did it happen?",
        "How many are there?",
        "Where is it?",
    ),
    Intent.EXPLANATION: (
        "A question about why something is so, or how it works.",
        "Why is that so?",
        "What is the reason for it?",
        "How does it work?",
        "What are the effects of it?",
    ),
    Intent.HOW_TO: (
        "A question about the steps to do something.",
        "How do I do it?",
        "What are the steps to do this?",
        "How can I set it up?",
        "Show me how to fix it.",
    ),
    Intent.COMPARISON: (
        "A question about the difference between two things.",
        "What is the difference between the two?",
        "Which is better, the one or the other?",
        "Compare the two.",
        "What are the advantages over the alternative?",
    ),
    Intent.OVERVIEW: (
        "A question about what a whole text says.",
        "What is this document about?",
        "Summarise this chapter.",
        "What are the main points?",
        "Give me an overview.",
    ),
    Intent.POLICY: (
        "A question about rules, deadlines, grades, fees or forms of a course or a school.",
        "What is the deadline?",
        "Am I allowed to do this?",
        "How much of the grade is the exam?",
        "What happens if I hand it in late?",
        "Whom do I contact about this course?",
    ),
}


@dataclass(frozen=True, slots=True)
class Asking:
    """The likeliest intent; score: cosine of the question and what describes it."""

    intent: Intent
    score: float


def likeliest(question: NDArray[np.float32], described: Mapping[Intent, Vectors]) -> Asking:
    """question: (d,), unit norm; described: of each intent (n, d), unit norm, of whose rows the mean counts."""
    means = {intent: vectors.mean(axis=0) for intent, vectors in described.items()}
    scores = {intent: float(question @ mean / np.linalg.norm(mean)) for intent, mean in means.items()}
    best = max(scores, key=lambda intent: scores[intent])
    return Asking(best, scores[best])
