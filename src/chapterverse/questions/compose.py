"""An answer is written by a language model and checked, or is a passage of the sources.

A language model writes claims in one call, each with the words of the sources that it rests on. The server finds these words,
holds the claim to the contract (citations/contract.py), and has it read again beside them by a call that sees nothing else
(citations/second_reading.py). What fails is repaired once, or dropped."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from time import monotonic
from typing import Annotated

from pydantic import Field

from chapterverse.citations.contract import Grounds, Requirement, find_words, language_if_long, under_contract
from chapterverse.citations.second_reading import Ask, Statement, ask_for, read_again
from chapterverse.core.book import Sentence
from chapterverse.core.errors import BadAnswer, CeilingReached, ChapterverseError, LanguageModelUnavailable, ModelRefused
from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import Prompt, fenced
from chapterverse.core.requests import Record
from chapterverse.messages import message
from chapterverse.prompts import prompt
from chapterverse.questions.answers import (
    ENTRIES,
    CitableSource,
    Confidence,
    Findings,
    Question,
    Reading,
    text_of,
    text_under_headings,
)
from chapterverse.questions.model import Answerability, ConfidenceLevel
from chapterverse.questions.records import AnswerRecord, CitationRecord, ClaimRecord, QuotedRecord, SourceRecord
from chapterverse.questions.styles import AnswerSettings, AnswerStyle, Band

PROMPT, REPAIR = "answer-2", "answer-repair-1"
MAX_CLAIMS, MAX_GROUNDS = 6, 3
MAX_TEXT, MAX_COPIED = 400, 600  # characters of a claim, and of the words that it rests on
MAX_WORDS = 60  # of a claim
WHY = {
    BadAnswer: message("llm_late_or_unusable"),
    CeilingReached: message("llm_enough_for_today"),
    LanguageModelUnavailable: message("llm_away_now"),
    ModelRefused: message("llm_would_not_answer"),
}
FOREIGN = 0.05  # best cosine below which no language model is asked; questions in other words than the source's reach 0.08


class DraftGround(Record, extra="forbid", frozen=True):
    """The words of a source that a claim rests on."""

    source: int
    words: str = Field(max_length=MAX_COPIED)


class DraftClaim(Record, extra="forbid", frozen=True):
    """A claim as the model wrote it. answers: whether the question would stay unanswered without it."""

    text: str = Field(max_length=MAX_TEXT)
    answers: bool
    grounds: Annotated[list[DraftGround], Field(min_length=1, max_length=MAX_GROUNDS)]


class AnswerDraft(Record, extra="forbid", frozen=True):
    """A language model's answer; no claims if the sources do not answer the question."""

    claims: Annotated[list[DraftClaim], Field(max_length=MAX_CLAIMS)]


def _drafted(wanted: Prompt, check: "ClaimCheck") -> tuple[list[ClaimRecord], bool]:
    """The model's claims, checked, none if what is left would not answer; and whether some were dropped. Raises as ask_for."""
    drafts = ask_for(AnswerDraft, wanted, check.ask, check.deadline).claims
    checked = check.all(drafts)
    refused = [(draft, its) for draft, its in zip(drafts, checked, strict=True) if isinstance(its, str)]
    repaired = iter(_repaired(wanted, refused, check) if refused else ())
    accepted = [
        (draft.answers, claim)
        for draft, its in zip(drafts, checked, strict=True)
        if (claim := next(repaired, None) if isinstance(its, str) else its)
    ]
    if not any(is_answer for is_answer, _ in accepted):
        return [], bool(drafts)
    return [claim for _, claim in accepted], len(accepted) < len(drafts)


def _repaired(wanted: Prompt, refused: Sequence[tuple[DraftClaim, str]], check: "ClaimCheck") -> list[ClaimRecord | None]:
    """For each refused claim the one that the model writes instead, if that holds. The model may write them in its own order
    and leave some out, so each goes to the first refused one that rests on the same source. Empty if the model fails."""
    problems = "\n".join(f"- {draft.text} Refused: {problem}" for draft, problem in refused)
    instructions = wanted.instructions + prompt(REPAIR).template
    again = replace(wanted, instructions=instructions, material=f"{wanted.material}\n\n{fenced({'refused': problems})}")
    try:
        drafts = ask_for(AnswerDraft, again, check.ask, check.deadline).claims[: len(refused)]
    except ChapterverseError:
        return []
    left = [(draft, claim) for draft, claim in zip(drafts, check.all(drafts), strict=True) if isinstance(claim, ClaimRecord)]
    found = list[ClaimRecord | None]()
    for before, _ in refused:
        known = {ground.source for ground in before.grounds}
        same = next((one for one in left if known & {ground.source for ground in one[0].grounds}), None)
        left = [one for one in left if one is not same]
        found.append(same and same[1])
    return found


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """Checks claims."""

    sources: Sequence[CitableSource]
    question: Question
    ask: Ask
    deadline: float

    def all(self, drafts: Sequence[DraftClaim]) -> list[ClaimRecord | str]:
        """Each as a claim with its citations, or what is wrong with it; read again all at once."""
        if not drafts:
            return []
        with ThreadPoolExecutor(len(drafts)) as pool:
            return list(pool.map(self, drafts))

    def __call__(self, draft: DraftClaim) -> ClaimRecord | str:
        """A claim, or what is wrong with the draft."""
        found = [there for one in draft.grounds if (there := self._found(one))]
        if len(found) < len(draft.grounds):
            return "the words of its grounds do not stand in that source"
        texts = tuple(_in_context(source, sentences) for source, sentences in found)
        known = (*texts, self.question.question, self.question.selected)
        grounds = Grounds(texts, known, repeats_contacts=True, language=language_if_long(self.question.question))
        held = under_contract(draft.text, grounds, MAX_WORDS)
        if failed := [one for one in held.failed if one is not Requirement.MARK]:  # "35 percent" is what a question may ask for
            return f"its {' and '.join(failed)} must be as in the source or the question"
        question = {"question": self.question.question}
        numbered = tuple(f"[{number}] {text}" for number, text in enumerate(texts, start=1))
        try:
            finding = read_again(Statement(held.text, question, numbered), self.ask, self.deadline)
        except ChapterverseError:
            return "it could not be read again"
        if not finding.keeps:
            return finding.problem or "the sources do not say this"
        cited = {one.id: CitationRecord.of(source, source.passage(one)) for source, sentences in found for one in sentences}
        return ClaimRecord(text=held.text, citations=list(cited.values()))

    def _found(self, ground: DraftGround) -> tuple[CitableSource, list[Sentence]] | None:
        """The source in which the words stand, if possible that which is named, and their sentences in it; None if in none."""
        for source in sorted(self.sources, key=lambda one: one.number != ground.source):
            if place := find_words(ground.words, text_of(source.sentences)):
                ends = [len(text_of(source.sentences[: number + 1])) for number in range(len(source.sentences))]
                spans = zip(source.sentences, [0, *ends], ends, strict=False)
                return source, [one for one, at, end in spans if at < place[1] and place[0] < end]
            if find_words(ground.words, source.text):
                return source, list(source.sentences[:1])
        return None


def _in_context(source: CitableSource, sentences: Sequence[Sentence]) -> str:
    """The sentences as they are read again: under their headings, with their neighbours in the source and what they belong to,
    such as the header of their table."""
    if source.whole:
        return source.text
    places = [at for at, one in enumerate(source.sentences) if one in sentences]
    near = source.sentences[max(min(places) - 1, 0) : max(places) + 2]
    units = (source.unit(one) if one in sentences else (one,) for one in near)
    ordered = list({each.id: each for unit in units for each in unit}.values())
    return f"{source.section}\n{text_under_headings(ordered, source.headings)}"


def answer_prompt(question: Question, sources: Sequence[CitableSource], style: AnswerStyle) -> Prompt:
    """The prompt for this question; what is always the same stands first, the question last."""
    blocks = {
        "sources": "\n\n".join(map(style.line.format, sources)),
        "conversation": "\n".join(question.conversation),
        "selected text": question.selected,
        "question": question.question,
    }
    material = fenced({name: text for name, text in blocks.items() if text})
    return Prompt(PROMPT, prompt(PROMPT).template, material, style.temperature, style.max_tokens)


def redacted(question: Question, settings: AnswerSettings) -> Question:
    """The question with names removed, for a language model; unchanged without a redactor. Raises ModelUnavailable."""
    if settings.redactor is None:
        return question
    texts = [question.question, question.selected, *question.conversation]
    words, selected, *conversation = settings.redactor.redact(texts, question.names)
    return replace(question, question=words, selected=selected, conversation=conversation)


def compose_answer(
    question: Question, findings: Findings, style: AnswerStyle, school: str, settings: AnswerSettings
) -> AnswerRecord:
    """The answer; if the language model fails, it is a passage of the sources. To a mere courtesy, the reply to that: no source
    answers it, and none has failed to.

    Raises NotFound if a source was replaced meanwhile, EmbedderUnavailable, ModelUnavailable."""
    if findings.courtesy:
        return plain_reply(findings.courtesy, band="courtesy")
    by = settings.for_school(school)
    if (paid := by.paid) and findings.sources and findings.best >= FOREIGN:
        answer = _by_model(question, findings, style, by, paid=paid, school=school)
    else:
        answer = _quoted(findings, style)
    answer.intent = settings.intent_of(question.question)
    return answer


def plain_reply(text: str, band: str) -> AnswerRecord:
    """A reply that rests on no source."""
    return AnswerRecord(text=text, claims=(), sources=[], confidence=Confidence(band=band), disclaimer=text)


def _by_model(
    question: Question, findings: Findings, style: AnswerStyle, settings: AnswerSettings, *, paid: PaidModel, school: str
) -> AnswerRecord:
    """The model's claims; without any a passage, and why. Raises as compose_answer does."""
    try:
        deadline, plain = monotonic() + settings.seconds, redacted(question, settings)
        wanted, shown = paid.fitted(lambda best: answer_prompt(plain, best, style), findings.sources)
        if not shown:
            raise BadAnswer("llm_context_too_small")
        check = ClaimCheck(shown, plain, partial(paid.answer, school), deadline)
        claims, is_cut = _drafted(wanted, check)
    except ChapterverseError as error:
        answer = _quoted(findings, style)
        answer.notes = (message("note_own_sentences", why=WHY.get(type(error), message("llm_not_asked"))), *answer.notes)
        return answer
    if not claims:
        answer = _quoted(findings, style, findings.reading.standing.lowered)
        if is_cut:
            answer.notes = (message("note_what_was_found", why=message("llm_not_borne_out")), *answer.notes)
        elif answer.nothing:
            answer.by = paid.model.model
        return answer
    cited = {one.number for claim in claims for one in claim.citations}
    [wanted] = settings.embedder.embed_queries([question.query])
    relevance = float((settings.embedder.embed_passages([claim.text for claim in claims]) @ wanted).mean())  # S2-25
    return AnswerRecord(
        text=" ".join(claim.numbered for claim in claims),
        claims=claims,
        sources=[SourceRecord.of(one) for one in findings.sources if one.number in cited],
        confidence=_confidence(findings, style.bands[ConfidenceLevel.CONFIDENT], relevance),
        by=paid.model.model,
    )


def _quoted(findings: Findings, style: AnswerStyle, standing: ConfidenceLevel | None = None) -> AnswerRecord:
    """An answer that is a passage of the sources, or says that they have none. standing: by default the reading's."""
    reading = findings.reading
    standing = standing or reading.standing
    if not standing.answers:
        return _unanswered(findings, style, standing)
    band = style.bands[standing]
    before, after = (_filled(text, findings, style) for text in (band.before, band.after))
    if reading.entries:
        entry, relevance = reading.entries[0], reading.entries[0].score
        cited = [(one.text, CitationRecord.of(entry, entry.passage(one))) for one in entry.sentences]
        claims = [ClaimRecord(text=text, citations=[citation]) for text, citation in cited]
        words = f"This answers: “{entry.title}”", " ".join(claim.numbered for claim in claims)
    else:
        best, relevance = reading.passages[0], reading.passages[0].relevance
        citations = [CitationRecord.of(best.source, one) for one in best.highlighted_passages]
        claims = [ClaimRecord(text=best.highlighted_text, citations=citations)]
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


def _unanswered(findings: Findings, style: AnswerStyle, standing: ConfidenceLevel) -> AnswerRecord:
    """An answer that says that there is none, with the nearest passage, or entries that may be meant, if there are any."""
    if "{titles}" in style.bands[standing].before and not findings.reading.entries:
        standing = ConfidenceLevel.REFUSED
    reading, band = findings.reading, style.bands[standing]
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
