"""How answers are written: prompt, thresholds and texts of each application, and kinds of question.

The kind of question (S2-26) is found without labelled examples: by the cosine of the question to a description of the kind and
to typical questions without a subject."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from time import monotonic

import numpy as np
from numpy.typing import NDArray

from chapterverse.citations.model import JudgeAll
from chapterverse.citations.verdicts import judge_by_words
from chapterverse.core.hits import Vectors
from chapterverse.core.paid_model import PaidModel, no_school_model
from chapterverse.core.ports import Embedder, Redactor
from chapterverse.questions.answers import CitableSource, Findings
from chapterverse.questions.model import ConfidenceLevel, Intent, IntentName


class Measure(StrEnum):
    """The number that selects the confidence band: the best cosine, or the mean of the top k."""

    BEST = "best"
    MEAN = "mean"


@dataclass(frozen=True, slots=True)
class Band:
    """A range of confidence. min_score: its lower bound. before, after: texts around the answer; answers: if false, `before` is
    the whole answer. {related} stands for titles of close sections. near: for what is too doubtful to be an answer; {titles}
    stands for what comes nearest."""

    name: str
    min_score: float
    before: str = ""
    after: str = ""
    answers: bool = True
    near: bool = False


@dataclass(frozen=True, slots=True)
class AnswerStyle:
    """How one application answers. prompt: file name, with its version. line: format of a source in the prompt. bands: highest
    first, the last holds for every score. nothing: the answer if nothing was found; related: what is added to it if close
    sections exist.

    sentences: maximum of an answer without a language model. doubtful: mean score below which a warning is logged, None for
    never. only_confident: no answers below CONFIDENT if the school has accepted a calibration. min_score: cosine of a
    source by the specification, if no better threshold is known (questions/judging.py)."""

    name: str
    prompt: str
    line: str
    bands: tuple[Band, ...]
    nothing: str
    related: str = ""
    measure: Measure = Measure.BEST
    temperature: float = 0.2
    max_tokens: int = 800
    sentences: int = 3
    doubtful: float | None = None
    only_confident: bool = False
    min_score: float = -1.0

    def band_of(self, findings: Findings) -> Band:
        """The band of these findings. Without a calibration: the highest band whose bound their score reaches. With one: the
        first if confident, the lowest that answers if possible, else the one for what is near or none, if there is one."""
        match findings.standing:
            case ConfidenceLevel.CONFIDENT:
                return self.bands[0]
            case ConfidenceLevel.REFUSED:
                return self._scored[-1]
            case ConfidenceLevel.NEAR:
                return next((band for band in self.bands if band.near), self.bands[-1])
            case ConfidenceLevel.POSSIBLE:
                return [band for band in self.bands if band.answers][-1]
        score = findings.best if self.measure is Measure.BEST else findings.mean
        return next((band for band in self._scored if score >= band.min_score), self._scored[-1])

    @property
    def _scored(self) -> list[Band]:
        return [band for band in self.bands if not band.near]

    def source_line(self, source: CitableSource) -> str:
        """The source as a language model reads it; braces in the source are left alone."""
        return self.line.format(
            number=source.number, title=source.title, section=source.section, score=source.score, text=source.text
        )

    @property
    def min_answer_score(self) -> float:
        """The lowest bound of the bands that answer: the cosine from which a chunk can be a source."""
        return min((band.min_score for band in self.bands if band.answers), default=-1.0)

    def with_min_scores(self, min_scores: Mapping[str, float]) -> "AnswerStyle":
        """A copy with other bounds for the bands named."""
        bands = tuple(replace(band, min_score=min_scores.get(band.name, band.min_score)) for band in self.bands)
        return replace(self, bands=bands)


NEAREST = "The documents do not clearly answer this. These places come nearest; they may be about something else:\n\n{titles}"

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
        Band("near", -1.0, before=NEAREST, answers=False, near=True),
    ),
    nothing="The documents may not contain specific information about this. Try to put the question in other words, or upload "
    "a document that is about it.",
    min_score=0.50,  # S2-8
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
    min_score=0.7,  # S4-8
    temperature=0.3,
)

HELPDESK = AnswerStyle(
    name="helpdesk",
    prompt="answer-helpdesk-1",
    line="[Source {number}] title: {title}\ncontent: {text}",  # S5-14
    bands=(
        Band("found", -1.0),  # chunks below the threshold are no sources
        Band(
            "near",
            -1.0,
            before="I am not sure what you mean. Did you mean one of these questions?\n\n{titles}\n\nIf not, please use **Talk "
            "to Human** so an agent can assist you.",
            answers=False,
            near=True,
        ),
    ),
    nothing="I couldn't find specific information about that in our knowledge base. For accurate help, please use "
    "**Talk to Human** so an agent can assist you.",  # S5-13
    sentences=5,
    only_confident=True,  # else titles of entries, and an agent can answer
    min_score=0.65,  # S5-12
)


INTENT_EXAMPLES: Mapping[IntentName, tuple[str, ...]] = {
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


def likeliest(question: NDArray[np.float32], examples: Mapping[IntentName, Vectors]) -> Intent:
    """The intent whose mean example is closest. question: (d,), unit norm; examples: (n, d) of each intent, unit norm."""
    means = {intent: vectors.mean(axis=0) for intent, vectors in examples.items()}
    scores = {intent: float(question @ mean / np.linalg.norm(mean)) for intent, mean in means.items()}
    best = max(scores, key=lambda intent: scores[intent])
    return Intent(best, scores[best])


@dataclass(frozen=True)
class AnswerSettings:
    """How answers are made. paid: the language model, None for answers of the sources' own sentences; seconds: its time limit.
    redactor: removes names from texts for the language model. rewrite: the language model writes standalone queries, instead
    of rules. clock: time.monotonic(). school_model: of a school that has set up one."""

    embedder: Embedder
    paid: PaidModel | None = None
    judge: JudgeAll = judge_by_words
    redactor: Redactor | None = None
    rewrite: bool = False
    seconds: float = 5.0
    clock: Callable[[], float] = monotonic
    school_model: Callable[[str], PaidModel | None] = no_school_model

    def for_school(self, school: str) -> "AnswerSettings":
        """The same with the school's own language model, where the operator has set none. Raises CatalogUnavailable."""
        model = None if self.paid else self.school_model(school)
        return replace(self, paid=model) if model else self

    def intent_of(self, question: str) -> Intent:
        """The kind of the question. Raises EmbedderUnavailable, ModelUnavailable."""
        [vector] = self.embedder.embed_queries([question])
        return likeliest(vector, self._examples)

    @cached_property
    def _examples(self) -> Mapping[IntentName, Vectors]:
        return {intent: self.embedder.embed_queries(texts) for intent, texts in INTENT_EXAMPLES.items()}
