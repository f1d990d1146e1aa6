"""How answers are written: prompt, thresholds and texts of each application, settings of the writer, kinds of question.

The kind of question (S2-26) is found without labelled examples: by the
cosine to a description of the kind and to typical questions without a subject."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from chapterverse.citations.model import JudgeAll
from chapterverse.core.hits import Vectors
from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import Embedder, Redactor
from chapterverse.essays.writing.writing import BY_WORDS
from chapterverse.questions.answers import CitableSource, Findings
from chapterverse.questions.model import ConfidenceLevel, Intent, IntentName


class Measure(StrEnum):
    """Which figure tells how sure an answer is: the best cosine, or the mean of the top k."""

    BEST = "best"
    MEAN = "mean"


@dataclass(frozen=True, slots=True)
class Band:
    """Answers that are as sure as this. least: figure, unrounded, from which it holds; before, after: what is said around such
    an answer; answers: whether there is one, else `before` is all that is said. {related} stands for titles of sections."""

    name: str
    least: float
    before: str = ""
    after: str = ""
    answers: bool = True


@dataclass(frozen=True, slots=True)
class AnswerStyle:
    """prompt: the file's name, with its version. line: how a source is put before a language model. bands: surest first, the
    last holds for every figure. nothing: all that is said where nothing was found, related: what is added for titles near it.

    sentences: of an answer without a language model, at most; doubtful: mean below which a warning is logged, None: never.
    only_sure: whether an answer that is not sure is none, where a school has calibrated; least: the specification's cosine of a
    source, where nothing else is known (questions/judging.py)."""

    name: str
    prompt: str
    line: str
    bands: tuple[Band, ...]
    nothing: str
    related: str = ""
    measure: Measure = Measure.BEST
    temperature: float = 0.2
    most_tokens: int = 800
    sentences: int = 3
    doubtful: float | None = None
    only_sure: bool = False
    least: float = -1.0

    def band_of(self, findings: Findings) -> Band:
        """The surest whose least the figure reaches; where the school's own texts tell how sure it is, the first if it is,
        the last if it is refused, else the least sure of those that answer."""
        if findings.standing:
            return self._standing(findings.standing)
        figure = findings.best if self.measure is Measure.BEST else findings.mean
        return next((band for band in self.bands if figure >= band.least), self.bands[-1])

    def _standing(self, standing: ConfidenceLevel) -> Band:
        if standing is ConfidenceLevel.POSSIBLE:
            return [band for band in self.bands if band.answers][-1]
        return self.bands[0] if standing is ConfidenceLevel.CONFIDENT else self.bands[-1]

    def source_line(self, source: CitableSource) -> str:
        """The source as a language model reads it; braces in it stay what they are."""
        return self.line.format(
            number=source.number,
            title=source.title,
            section=source.section,
            score=source.score,
            text=source.text,
        )

    def with_least(self, least: Mapping[str, float]) -> "AnswerStyle":
        """The same with other figures for the bands named."""
        bands = tuple(replace(band, least=least.get(band.name, band.least)) for band in self.bands)
        return replace(self, bands=bands)


DOCUMENT_QA = AnswerStyle(
    name="documents",
    prompt="answer-documents-1",
    line="[{number}] {section}\n{text}",
    bands=(  # S2-7, S2-8, S2-9
        Band("high", 0.70),
        Band("medium", 0.50, before="The document may contain what you look for:"),
        Band(
            "low",
            -1.0,
            before="The documents may not contain specific information about this. Try to put the question in other words, "
            "or upload a document that is about it.",
            answers=False,
        ),
    ),
    nothing="The documents may not contain specific information about this. Try to put the question in other words, or upload "
    "a document that is about it.",
    doubtful=0.4,  # S2-12
)

TEXTBOOK_CHAT = AnswerStyle(
    name="textbook",
    prompt="answer-textbook-1",
    line="[{number}] Section: {section} | Relevance: {score:.2f} | {text}",  # S4-13
    bands=(  # S4-16
        Band("high", 0.70),
        Band(
            "low",
            -1.0,
            after="Please check this against the sections named: they are only partly about your question.{related}",
        ),
    ),
    nothing="I couldn't find relevant content.{related}",
    related=" Related topics: {titles}.",
    measure=Measure.MEAN,
    least=0.7,  # S4-8
    temperature=0.3,
    most_tokens=800,
)

HELPDESK = AnswerStyle(
    name="helpdesk",
    prompt="answer-helpdesk-1",
    line="[Source {number}] title: {title}\ncontent: {text}",  # S5-14
    bands=(Band("found", -1.0),),  # what does not reach the threshold is no source
    nothing="I couldn't find specific information about that in our knowledge base. For accurate help, please use "
    "**Talk to Human** so an agent can assist you.",  # S5-13
    sentences=5,
    only_sure=True,  # an agent can be asked
    least=0.65,  # S5-12
)


DESCRIBED: Mapping[IntentName, tuple[str, ...]] = {
    IntentName.DEFINITION: (
        "A question about what a term means, or what something is.",
        "What is it?",
        "What does this word mean?",
        "How is the term defined?",
        "Define this concept.",
    ),
    IntentName.FACT: (
        "A question about a name, a number, a place or a date that a text tells.",
        "Who did it?",
        "When did it happen?",
        "How many are there?",
        "Where is it?",
    ),
    IntentName.EXPLANATION: (
        "A question about why something is so, or how it works.",
        "Why is that so?",
        "What is the reason for it?",
        "How does it work?",
        "What are the effects of it?",
    ),
    IntentName.HOW_TO: (
        "A question about the steps to do something.",
        "How do I do it?",
        "What are the steps to do this?",
        "How can I set it up?",
        "Show me how to fix it.",
    ),
    IntentName.COMPARISON: (
        "A question about the difference between two things.",
        "What is the difference between the two?",
        "Which is better, the one or the other?",
        "Compare the two.",
        "What are the advantages over the alternative?",
    ),
    IntentName.OVERVIEW: (
        "A question about what a whole text says.",
        "What is this document about?",
        "Summarise this chapter.",
        "What are the main points?",
        "Give me an overview.",
    ),
    IntentName.POLICY: (
        "A question about rules, deadlines, grades, fees or forms of a course or a school.",
        "What is the deadline?",
        "Am I allowed to do this?",
        "How much of the grade is the exam?",
        "What happens if I hand it in late?",
        "Whom do I contact about this course?",
    ),
}


def likeliest(question: NDArray[np.float32], described: Mapping[IntentName, Vectors]) -> Intent:
    """question: (d,), unit norm; described: of each intent (n, d), unit norm, of whose rows the mean counts."""
    means = {intent: vectors.mean(axis=0) for intent, vectors in described.items()}
    scores = {intent: float(question @ mean / np.linalg.norm(mean)) for intent, mean in means.items()}
    best = max(scores, key=lambda intent: scores[intent])
    return Intent(best, scores[best])


@dataclass(frozen=True)
class AnswerSettings:
    """paid: None where sources speak for themselves; seconds: that a language model has for an answer. redactor: of what a user
    has said, before a language model is told it. rewrite: whether a language model makes a follow-up question stand alone, or
    rules do. clock: that of time.monotonic()."""

    embedder: Embedder
    paid: PaidModel | None = None
    judge: JudgeAll = BY_WORDS
    redactor: Redactor | None = None
    rewrite: bool = False
    seconds: float = 5.0
    clock: Callable[[], float] = monotonic

    def intent_of(self, question: str) -> Intent:
        """What kind of question it is. Raises EmbedderUnavailable, ModelUnavailable."""
        [vector] = self.embedder.embed_queries([question])
        return likeliest(vector, self._described)

    @cached_property
    def _described(self) -> Mapping[IntentName, Vectors]:
        return {intent: self.embedder.embed_queries(texts) for intent, texts in DESCRIBED.items()}
