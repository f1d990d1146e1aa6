"""What an application's answers look like: prompt, thresholds and texts as data."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from chapterverse.questions.answers import Findings, Source
from chapterverse.questions.model import Standing


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
    source, where nothing else is known (usecases/judging.py)."""

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

    def _standing(self, standing: Standing) -> Band:
        if standing is Standing.POSSIBLE:
            return [band for band in self.bands if band.answers][-1]
        return self.bands[0] if standing is Standing.SURE else self.bands[-1]

    def source_line(self, source: Source) -> str:
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
    bands=(  # S2, "Insights & Thresholds"
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
    doubtful=0.4,  # S2, "Production Monitoring Plan"
)

TEXTBOOK_CHAT = AnswerStyle(
    name="textbook",
    prompt="answer-textbook-1",
    line="[{number}] Section: {section} | Relevance: {score:.2f} | {text}",  # S4, "Context Format"
    bands=(  # S4, "Low-Confidence Handling"
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
    least=0.7,  # S4, "Retrieval Parameters"
    temperature=0.3,
    most_tokens=800,
)

HELPDESK = AnswerStyle(
    name="helpdesk",
    prompt="answer-helpdesk-1",
    line="[Source {number}] title: {title}\ncontent: {text}",  # S5, 5.5
    bands=(Band("found", -1.0),),  # what does not reach the threshold is no source
    nothing="I couldn't find specific information about that in our knowledge base. For accurate help, please use "
    "**Talk to Human** so an agent can assist you.",  # S5, 5.4
    sentences=5,
    only_sure=True,  # an agent can be asked
    least=0.65,  # S5, 5.4
)
