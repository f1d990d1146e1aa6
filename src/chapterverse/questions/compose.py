"""Compose an answer from the findings: written by a language model and checked, or a passage of the sources."""

from chapterverse.messages import message
from chapterverse.questions.answers import ENTRIES, EXTRACT, Confidence, Findings, Question, Reading, text_of
from chapterverse.questions.drafts import DraftResult, draft_answer
from chapterverse.questions.model import Answerability, ConfidenceLevel
from chapterverse.questions.records import AnswerRecord, CitationRecord, ClaimRecord, QuotedRecord, SourceRecord
from chapterverse.questions.styles import AnswerSettings, AnswerStyle, Band

COURTESY = "courtesy"  # name of the band of a reply to a greeting or thanks
FOREIGN = 0.05  # best cosine below which no language model is asked; questions in other words than the source's reach 0.08
THIS_ANSWERS = "This answers: “{title}”"


def compose_answer(
    question: Question, findings: Findings, style: AnswerStyle, school: str, settings: AnswerSettings
) -> AnswerRecord:
    """The answer; if the language model fails, it is a passage of the sources. To a mere courtesy, the reply to that: no source
    answers it, and none has failed to.

    Raises NotFound if a source was replaced meanwhile, EmbedderUnavailable, ModelUnavailable."""
    if courtesy := settings.courtesy(question.question):
        return plain_reply(courtesy, COURTESY)
    settings = settings.for_school(school)
    if settings.paid and findings.sources and findings.best >= FOREIGN:
        draft = draft_answer(question, findings.sources, style, school, settings)
        answer = _by_draft(draft, question, findings, style, settings)
    else:
        answer = _quoted(findings, style)
    answer.intent = settings.intent_of(question.question)
    return answer


def plain_reply(text: str, band: str) -> AnswerRecord:
    """A reply that rests on no source."""
    return AnswerRecord(text=text, claims=(), sources=[], confidence=Confidence(band=band), disclaimer=text)


def _by_draft(
    draft: DraftResult, question: Question, findings: Findings, style: AnswerStyle, settings: AnswerSettings
) -> AnswerRecord:
    """The model's claims; without any a passage, and why."""
    by = settings.paid.model.model if settings.paid else EXTRACT
    if draft.claims:
        cited = {one.number for claim in draft.claims for one in claim.citations}
        band = style.bands[ConfidenceLevel.CONFIDENT]
        [wanted] = settings.embedder.embed_queries([question.query])
        relevance = float((settings.embedder.embed_passages([claim.text for claim in draft.claims]) @ wanted).mean())  # S2-25
        text = " ".join(claim.numbered for claim in draft.claims)
        sources = [SourceRecord.of(one) for one in findings.sources if one.number in cited]
        confidence = _confidence(findings, band, relevance)
        return AnswerRecord(text=text, claims=draft.claims, sources=sources, confidence=confidence, by=by)
    if draft.failed:
        answer, why = _quoted(findings, style), message("note_own_sentences", why=draft.failed)
    else:
        answer = _unanswered(findings, style, settle=ConfidenceLevel.NEAR)
        if not draft.removed:
            answer.by = by
            return answer
        why = message("note_what_was_found", why=message("llm_not_borne_out"))
    answer.notes = (why, *answer.notes)
    return answer


def _quoted(findings: Findings, style: AnswerStyle) -> AnswerRecord:
    """An answer that is a passage of the sources, or says that they have none."""
    reading = findings.reading
    if not reading.standing.answers:
        return _unanswered(findings, style)
    band = style.bands[reading.standing]
    before, after = (_filled(text, findings, style) for text in (band.before, band.after))
    if reading.entries:
        entry = reading.entries[0]
        relevance = entry.score
        claims = [
            ClaimRecord(text=one.text, citations=[CitationRecord.of(entry, entry.passage(one))]) for one in entry.sentences
        ]
        words = THIS_ANSWERS.format(title=entry.title), " ".join(claim.numbered for claim in claims)
    else:
        best = reading.passages[0]
        highlighted, relevance = best.highlighted_passages, best.relevance
        cited = [CitationRecord.of(best.source, one) for one in highlighted]
        claims = [ClaimRecord(text=text_of([one.sentence for one in highlighted]), citations=cited)]
        words = "", f"{best.text} [{best.source.number}]"
    return AnswerRecord(
        text="\n\n".join(filter(None, (before, *words, after))),
        claims=claims,
        sources=_sources(reading),
        confidence=_confidence(findings, band, relevance, reading.judgement),
        disclaimer=before or after or None,
        passages=[QuotedRecord.of(one) for one in reading.passages],
        did_you_mean=[one.title for one in reading.entries[1:ENTRIES]],
    )


def _unanswered(findings: Findings, style: AnswerStyle, settle: ConfidenceLevel | None = None) -> AnswerRecord:
    """An answer that says that there is none, with the nearest passage, or entries that may be meant. settle: the highest level
    that it may have."""
    reading = findings.reading
    standing = settle if settle and reading.standing.answers else reading.standing
    band = style.bands[standing]
    near = reading if standing is ConfidenceLevel.NEAR else Reading()
    titles = [one.title for one in near.entries[:ENTRIES]]
    text = _filled(band.before, findings, style).replace("{titles}", "\n".join(f"- {title}" for title in titles))
    first = [f"{one.text} [{one.source.number}]" for one in near.passages[:1]]
    return AnswerRecord(
        text="\n\n".join(filter(None, (text, *first))),
        claims=(),
        sources=_sources(near),
        confidence=_confidence(findings, band, judgement=reading.judgement),
        disclaimer=text,
        nothing=True,
        notes=reading.notes,
        passages=[QuotedRecord.of(one) for one in near.passages],
        did_you_mean=titles,
    )


def _sources(reading: Reading) -> list[SourceRecord]:
    """Those of what is shown, by number."""
    by_number = {one.number: one for one in (*(each.source for each in reading.passages), *reading.entries[:ENTRIES])}
    return [SourceRecord.of(by_number[number]) for number in sorted(by_number)]


def _confidence(
    findings: Findings, band: Band, relevance: float | None = None, judgement: Answerability | None = None
) -> Confidence:
    return Confidence(best=findings.best, mean=findings.mean, band=band.name, relevance=relevance, answerable=judgement)


def _filled(text: str, findings: Findings, style: AnswerStyle) -> str:
    """The text with the titles of close sections, if any."""
    titles = "; ".join(findings.related)
    return text.replace("{related}", style.related.replace("{titles}", titles) if titles else "")
