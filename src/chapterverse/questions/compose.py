"""An answer from the findings: written by a language model and checked, or made of the sources' own sentences."""

import logging
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from chapterverse.citations.model import Verdict, VerdictKind
from chapterverse.core.hits import Passage, Vectors
from chapterverse.core.ports import Embedder
from chapterverse.messages import Message, message
from chapterverse.questions.answers import (
    IN_ITS_WORDS,
    Answer,
    CitableSource,
    Claim,
    Confidence,
    Findings,
    Question,
    SourceCitation,
)
from chapterverse.questions.drafts import Drafting, DraftResult
from chapterverse.questions.model import ConfidenceLevel
from chapterverse.questions.styles import AnswerSettings, AnswerStyle, Band

MOST_READ = 64  # sentences that are compared with the question: about half a second of MiniLM on a CPU

SAME = 0.9  # cosine above which two sentences say the same (S1-18)

OWN_WORDS = Verdict(VerdictKind.SUPPORTS, message("source_own_words"))


@dataclass(frozen=True, slots=True)
class _Sentence:
    source: CitableSource
    position: int

    @property
    def passage(self) -> Passage:
        return self.source.passages[self.position]

    @property
    def claim(self) -> Claim:
        return Claim(self.passage.sentence.text, (SourceCitation(self.source, self.passage, OWN_WORDS),))


def extracted(asked: Question, sources: Sequence[CitableSource], most: int, embedder: Embedder) -> list[Claim]:
    """Claims from the sources' own sentences. A source written as one answer: its first `most` sentences. Else the `most`
    sentences closest to the query, without near duplicates, by source and position. Raises EmbedderUnavailable,
    ModelUnavailable."""
    first = sources[0]
    if first.whole:
        return [_Sentence(first, position).claim for position in range(len(first.passages))][:most]
    sentences = list(_each_once(sources))[:MOST_READ]
    [wanted] = embedder.embed_queries([asked.query])
    vectors = embedder.embed_passages([one.passage.sentence.text for one in sentences])
    best_first = [int(at) for at in np.argsort(-(vectors @ wanted), kind="stable")]
    return [sentences[at].claim for at in sorted(_diverse(best_first, vectors)[:most])]


def _each_once(sources: Sequence[CitableSource]) -> Iterator[_Sentence]:
    """Sentences, each once although chunks overlap, without questions."""
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


NONE_STANDS = message("llm_not_borne_out")

log = logging.getLogger(__name__)


def compose_answer(asked: Question, findings: Findings, style: AnswerStyle, school: str, answering: AnswerSettings) -> Answer:
    """The whole answer. Raises EmbedderUnavailable, ModelUnavailable; if the language model fails, sentences of the sources are
    used."""
    *_, last = stream_answer(asked, findings, style, school, answering)
    assert isinstance(last, Answer)  # noqa: S101  # stream_answer ends with one
    return last


def stream_answer(
    asked: Question, findings: Findings, style: AnswerStyle, school: str, answering: AnswerSettings
) -> Iterator[Claim | Answer]:
    """Each claim as soon as it is checked, then the whole answer. Without sources that answer, no language model is called.

    Raises as compose_answer."""
    composing = _Composing(asked, findings, style, style.band_of(findings))
    answer = replace((yield from composing(school, answering)), intent=answering.intent_of(asked.question))
    _note(answer, findings, style, school)
    yield answer


@dataclass(frozen=True, slots=True)
class _Composing:
    """State of one answer."""

    asked: Question
    findings: Findings
    style: AnswerStyle
    band: Band

    def __call__(self, school: str, answering: AnswerSettings) -> Generator[Claim, None, Answer]:
        if not self.findings.sources or self.findings.standing is ConfidenceLevel.REFUSED or not self.band.answers:
            return self._nothing()
        if answering.paid is None:
            claims = extracted(self.asked, self.findings.sources, self.style.sentences, answering.embedder)
            yield from claims
            return self._answer(claims, answering.embedder)
        drafting = Drafting(self.style, school, answering, answering.paid)
        drafted = yield from drafting(self.asked, self.findings.sources)
        model = answering.paid.model.model
        if drafted.declined:
            return replace(self._nothing(), by=model, usage=drafted.usage)
        if drafted.claims:
            notes = (message("note_may_end_early", why=drafted.failed),) if drafted.failed else ()
            return self._drafted(self._answer(drafted.claims, answering.embedder), drafted, model, notes)
        claims = extracted(self.asked, self.findings.sources, self.style.sentences, answering.embedder)
        yield from claims
        notes = (message("note_own_sentences", why=drafted.failed or NONE_STANDS),)
        return self._drafted(self._answer(claims, answering.embedder), drafted, IN_ITS_WORDS, notes)

    def _drafted(self, answer: Answer, drafted: DraftResult, by: str, notes: tuple[Message, ...]) -> Answer:
        return replace(answer, by=by, removed=drafted.removed, usage=drafted.usage, notes=notes)

    def _answer(self, claims: Sequence[Claim], embedder: Embedder) -> Answer:
        said = " ".join(claim.numbered for claim in claims)
        before, after = self._filled(self.band.before), self._filled(self.band.after)
        return Answer(
            text="\n\n".join(filter(None, (before, said, after))),
            claims=tuple(claims),
            sources=self.findings.sources,
            confidence=self._confidence(_relevance(self.asked, claims, embedder)),
            disclaimer=before or after,
        )

    def _nothing(self) -> Answer:
        """That the sources do not answer, and what to do instead."""
        text = self._filled(self.style.nothing if self.band.answers else self.band.before)
        return Answer(text, (), self.findings.sources, self._confidence(), disclaimer=text, nothing=True)

    def _confidence(self, relevance: float | None = None) -> Confidence:
        return Confidence(self.findings.best, self.findings.mean, self.band.name, relevance, self.findings.judgement)

    def _filled(self, text: str) -> str:
        """The text with the titles of close sections, if any."""
        titles = "; ".join(self.findings.related)
        return text.replace("{related}", self.style.related.replace("{titles}", titles) if titles else "")


def _relevance(asked: Question, claims: Sequence[Claim], embedder: Embedder) -> float:
    """Mean cosine of the claims to the query (S2-25)."""
    [wanted] = embedder.embed_queries([asked.query])
    return float((embedder.embed_passages([claim.text for claim in claims]) @ wanted).mean())


def _note(answer: Answer, findings: Findings, style: AnswerStyle, school: str) -> None:
    """Log metrics only, no text."""
    doubtful = style.doubtful is not None and findings.mean < style.doubtful
    log.log(
        logging.WARNING if doubtful else logging.INFO,
        "question answered from what hardly bears on it" if doubtful else "question answered",
        extra={
            "school": school,
            "application": style.name,
            "best": findings.best,
            "mean": findings.mean,
            "scores": list(findings.scores),
            "band": answer.confidence.band,
            "answerable": findings.judgement and findings.judgement.score,
            "relevance": answer.confidence.relevance,
            "intent": answer.intent and answer.intent.name.value,
            "intent_score": answer.intent and answer.intent.score,
            "claims": len(answer.claims),
            "removed": answer.removed,
            "nothing": answer.nothing,
            "prompt_tokens": answer.usage.prompt_tokens,
            "answer_tokens": answer.usage.answer_tokens,
        },
    )
