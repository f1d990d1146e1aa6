"""Compose an answer from the findings: written by a language model and checked, or made of sentences of the sources."""

import logging
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace

from chapterverse.core.ports import Embedder
from chapterverse.messages import Message, message
from chapterverse.questions.answers import (
    EXTRACT,
    Answer,
    Claim,
    Confidence,
    Findings,
    Question,
)
from chapterverse.questions.conversation import courtesy_reply
from chapterverse.questions.drafts import Drafting, DraftResult
from chapterverse.questions.extract import asks_why, extract_claims, give_reason
from chapterverse.questions.model import ConfidenceLevel
from chapterverse.questions.styles import AnswerSettings, AnswerStyle, Band

COURTESY = "courtesy"  # name of the band of a reply to a greeting or thanks
NO_CLAIM_PASSED = message("llm_not_borne_out")
THIS_ANSWERS = "This answers: “{title}”"
log = logging.getLogger(__name__)


def compose_answer(question: Question, findings: Findings, style: AnswerStyle, school: str, settings: AnswerSettings) -> Answer:
    """The whole answer; if the language model fails, it is made of sentences of the sources.

    Raises EmbedderUnavailable, ModelUnavailable."""
    *_, last = stream_answer(question, findings, style, school, settings)
    assert isinstance(last, Answer)  # noqa: S101  # the last item of stream_answer
    return last


def stream_answer(
    question: Question, findings: Findings, style: AnswerStyle, school: str, settings: AnswerSettings
) -> Iterator[Claim | Answer]:
    """Each checked claim, then the whole answer. A language model also reads sources that the judge doubts; where
    they are not worth reading, none is called.

    To a mere courtesy, the reply to that: no source answers it, and none has failed to.

    Raises as compose_answer."""
    if courtesy := courtesy_reply(question.question):
        yield Answer(courtesy, (), (), Confidence(0.0, 0.0, COURTESY), disclaimer=courtesy)
        return
    composing = _Composing(question, findings, style, style.band_of(findings))
    answer = replace((yield from composing(school, settings)), intent=settings.intent_of(question.question))
    _note(answer, findings, style, school)
    yield answer


@dataclass(frozen=True, slots=True)
class _Composing:
    """One question on its way to an answer."""

    question: Question
    findings: Findings
    style: AnswerStyle
    band: Band

    def __call__(self, school: str, settings: AnswerSettings) -> Generator[Claim, None, Answer]:
        settings, refused = settings.for_school(school), self._is_refused
        if not self.findings.sources or (refused and not (settings.paid and self._is_worth_reading)):
            return self._nothing()
        draft = DraftResult()
        notes: tuple[Message, ...] = ()
        if settings.paid:
            draft = yield from Drafting(self.style, school, settings, settings.paid)(self.question, self.findings.sources)
            model = settings.paid.model.model
            if draft.declined:
                return replace(self._nothing(), by=model, usage=draft.usage)
            if draft.claims:
                notes = (message("note_may_end_early", why=draft.failed),) if draft.failed else ()
                composing = self._as_possible() if refused else self
                return composing._answer(draft.claims, settings.embedder, draft, model, notes)
            if refused:
                return replace(self._nothing(), removed=draft.removed, usage=draft.usage)
            notes = (message("note_own_sentences", why=draft.failed or NO_CLAIM_PASSED),)
        claims = extract_claims(self.question, self.findings, self.style.sentences, settings.embedder)
        if self.question.points and not settings.paid:
            notes = (self._note_on_selection(claims),)
        yield from claims
        return self._answer(claims, settings.embedder, draft, EXTRACT, notes)

    def _note_on_selection(self, claims: Sequence[Claim]) -> Message:
        if asks_why(self.question.question):
            return message("note_reason" if give_reason(claims, self.question.selected) else "note_no_reason")
        return message("note_around_selection")

    @property
    def _is_refused(self) -> bool:
        standing = self.findings.standing
        return (standing is not None and not standing.answers) or not self.band.answers

    @property
    def _is_worth_reading(self) -> bool:
        judgement = self.findings.judgement
        return judgement is not None and judgement.worth_reading

    def _as_possible(self) -> "_Composing":
        """The same after a language model has found the answer that the judge doubted."""
        judgement = self.findings.judgement and replace(self.findings.judgement, standing=ConfidenceLevel.POSSIBLE)
        findings = replace(self.findings, judgement=judgement)
        return replace(self, findings=findings, band=self.style.band_of(findings))

    def _answer(
        self, claims: Sequence[Claim], embedder: Embedder, draft: DraftResult, by: str, notes: tuple[Message, ...]
    ) -> Answer:
        text = " ".join(claim.numbered for claim in claims)
        before, after = self._filled(self.band.before), self._filled(self.band.after)
        return Answer(
            text="\n\n".join(filter(None, (before, _entry_question(claims, by), text, after))),
            claims=tuple(claims),
            sources=self.findings.sources,
            confidence=self._confidence(_relevance(self.question, claims, embedder)),
            disclaimer=before or after,
            by=by,
            removed=draft.removed,
            notes=notes,
            usage=draft.usage,
        )

    def _nothing(self) -> Answer:
        """An answer that says that the sources have nothing, or what comes nearest, and what to do instead."""
        nearest = self.findings.nearest if self.band.near else []
        titles = [*self.findings.entries, *(one.heading for one in nearest)]
        says_nothing = self.band.answers or (self.band.near and not titles)
        text = self._filled(self.style.nothing if says_nothing else self.band.before)
        text = text.replace("{titles}", "\n".join(f"- {title}" for title in titles))
        return Answer(
            text, (), self.findings.sources, self._confidence(), disclaimer=text, nothing=True, nearest=tuple(nearest)
        )

    def _confidence(self, relevance: float | None = None) -> Confidence:
        return Confidence(self.findings.best, self.findings.mean, self.band.name, relevance, self.findings.judgement)

    def _filled(self, text: str) -> str:
        """The text with the titles of close sections, if any."""
        titles = "; ".join(self.findings.related)
        return text.replace("{related}", self.style.related.replace("{titles}", titles) if titles else "")


def _entry_question(claims: Sequence[Claim], by: str) -> str:
    """A line with the question of the FAQ entry that is quoted, which may not be the question asked; empty for others."""
    source = claims[0].citations[0].source
    return THIS_ANSWERS.format(title=source.title) if by == EXTRACT and source.whole else ""


def _relevance(question: Question, claims: Sequence[Claim], embedder: Embedder) -> float:
    """Mean cosine of the claims to the query (S2-25)."""
    [wanted] = embedder.embed_queries([question.query])
    return float((embedder.embed_passages([claim.text for claim in claims]) @ wanted).mean())


def _note(answer: Answer, findings: Findings, style: AnswerStyle, school: str) -> None:
    """Log the metrics of an answer, none of its text."""
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
