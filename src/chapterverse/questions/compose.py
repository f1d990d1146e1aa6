"""Compose an answer from the findings: written by a language model and checked, or a passage of the sources."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from chapterverse.core.ports import Embedder
from chapterverse.messages import message
from chapterverse.questions.answers import (
    ENTRIES,
    EXTRACT,
    Answer,
    CitableSource,
    Claim,
    Confidence,
    Findings,
    Question,
    Reading,
    SourceCitation,
    text_of,
)
from chapterverse.questions.drafts import DraftResult, draft_answer
from chapterverse.questions.model import ConfidenceLevel
from chapterverse.questions.styles import AnswerSettings, AnswerStyle, Band

COURTESY = "courtesy"  # name of the band of a reply to a greeting or thanks
FOREIGN = 0.05  # best cosine below which no language model is asked; questions in other words than the source's reach 0.08
THIS_ANSWERS = "This answers: “{title}”"
log = logging.getLogger(__name__)


def compose_answer(question: Question, findings: Findings, style: AnswerStyle, school: str, settings: AnswerSettings) -> Answer:
    """The answer; if the language model fails, it is a passage of the sources. To a mere courtesy, the reply to that: no source
    answers it, and none has failed to.

    Raises NotFound if a source was replaced meanwhile, EmbedderUnavailable, ModelUnavailable."""
    if courtesy := settings.courtesy(question.question):
        return Answer(courtesy, (), (), Confidence(band=COURTESY), disclaimer=courtesy)
    settings = settings.for_school(school)
    answer = _answer(question, findings, style, school, settings)
    answer = replace(answer, intent=settings.intent_of(question.question))
    _note(answer, findings, style, school)
    return answer


def _answer(question: Question, findings: Findings, style: AnswerStyle, school: str, settings: AnswerSettings) -> Answer:
    """By the language model, if there is one and something is near; else of a passage."""
    if not settings.paid or not findings.sources or findings.best < FOREIGN:
        return _quoted(findings, style)
    draft = draft_answer(question, findings.sources, style, school, settings)
    answer = _by_draft(draft, question, findings, style, settings)
    return replace(answer, removed=draft.removed, usage=draft.usage)


def _by_draft(
    draft: DraftResult, question: Question, findings: Findings, style: AnswerStyle, settings: AnswerSettings
) -> Answer:
    """The model's claims; without any a passage, and why."""
    by = settings.paid.model.model if settings.paid else EXTRACT
    if draft.claims:
        return replace(_written(question, draft.claims, findings, style, settings.embedder), by=by)
    if draft.failed:
        quoted = _quoted(findings, style)
        return replace(quoted, notes=(message("note_own_sentences", why=draft.failed), *quoted.notes))
    unanswered = _unanswered(findings, style, settle=ConfidenceLevel.NEAR)
    if not draft.removed:
        return replace(unanswered, by=by)
    return replace(unanswered, notes=(message("note_what_was_found", why=message("llm_not_borne_out")), *unanswered.notes))


def _written(question: Question, claims: Sequence[Claim], findings: Findings, style: AnswerStyle, embedder: Embedder) -> Answer:
    """An answer that a language model wrote and a second reading bore out."""
    sources = {cited.source.number: cited.source for claim in claims for cited in claim.citations}
    return Answer(
        text=" ".join(claim.numbered for claim in claims),
        claims=tuple(claims),
        sources=tuple(sources[number] for number in sorted(sources)),
        confidence=_confidence(findings, style.bands[ConfidenceLevel.CONFIDENT], _relevance(question, claims, embedder)),
    )


def _quoted(findings: Findings, style: AnswerStyle) -> Answer:
    """An answer that is a passage of the sources, or says that they have none."""
    reading = findings.reading
    if not reading.standing.answers:
        return _unanswered(findings, style)
    band = style.bands[reading.standing]
    before, after = (_filled(text, findings, style) for text in (band.before, band.after))
    if reading.entries:
        entry = reading.entries[0]
        relevance = entry.score
        claims = [Claim(one.text, (SourceCitation(entry, entry.passage(one)),)) for one in entry.sentences]
        said = THIS_ANSWERS.format(title=entry.title), " ".join(claim.numbered for claim in claims)
    else:
        best = reading.passages[0]
        highlighted, relevance = best.highlighted_passages, best.relevance
        cited = tuple(SourceCitation(best.source, one) for one in highlighted)
        claims = [Claim(text_of([one.sentence for one in highlighted]), cited)]
        said = "", f"{best.text} [{best.source.number}]"
    return Answer(
        text="\n\n".join(filter(None, (before, *said, after))),
        claims=tuple(claims),
        sources=_sources(reading),
        confidence=_confidence(findings, band, relevance),
        disclaimer=before or after,
        passages=reading.passages,
        siblings=tuple(one.title for one in reading.entries[1:ENTRIES]),
    )


def _unanswered(findings: Findings, style: AnswerStyle, settle: ConfidenceLevel | None = None) -> Answer:
    """An answer that says that there is none, with the nearest passage, or entries that may be meant. settle: the highest level
    that it may have."""
    reading = findings.reading
    standing = settle if settle and reading.standing.answers else reading.standing
    is_near = standing is ConfidenceLevel.NEAR
    band = style.bands[standing]
    titles = [one.title for one in reading.entries[:ENTRIES]] if is_near else []
    passages = reading.passages if is_near else ()
    text = _filled(band.before, findings, style).replace("{titles}", "\n".join(f"- {title}" for title in titles))
    first = f"{passages[0].text} [{passages[0].source.number}]" if passages else ""
    return Answer(
        text="\n\n".join(filter(None, (text, first))),
        claims=(),
        sources=_sources(reading) if is_near else (),
        confidence=_confidence(findings, band),
        disclaimer=text,
        nothing=True,
        notes=reading.notes,
        passages=passages,
        siblings=tuple(titles),
    )


def _sources(reading: Reading) -> tuple[CitableSource, ...]:
    """Those of what is shown, by number."""
    by_number = {one.number: one for one in (*(each.source for each in reading.passages), *reading.entries[:ENTRIES])}
    return tuple(by_number[number] for number in sorted(by_number))


def _confidence(findings: Findings, band: Band, relevance: float | None = None) -> Confidence:
    return Confidence(
        best=findings.best,
        mean=findings.mean,
        band=band.name,
        relevance=relevance,
        answerable=findings.known_judgement,
    )


def _filled(text: str, findings: Findings, style: AnswerStyle) -> str:
    """The text with the titles of close sections, if any."""
    titles = "; ".join(findings.related)
    return text.replace("{related}", style.related.replace("{titles}", titles) if titles else "")


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
            "answerable": findings.known_judgement and findings.known_judgement.score,
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
