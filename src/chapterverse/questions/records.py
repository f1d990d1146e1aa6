"""Answers and conversations as they are stored and as `--json` prints them: pydantic models, made by `of` from the facts.

Version 1 is what the first stage stored, without a `version`. A field may be added with a default; any other change needs a new
version that still reads the old one."""

import json
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer

from chapterverse.citations.model import VerdictKind, cite
from chapterverse.citations.passages import verdict_json
from chapterverse.citations.records import PassageRecord, SentenceRecord
from chapterverse.core.book import Sentence
from chapterverse.core.hits import Passage
from chapterverse.messages import Message, to_json
from chapterverse.questions.answers import Answer, CitableSource, Claim, Findings, SourceCitation
from chapterverse.questions.model import Answerability, Conversation, EntryType, FaqEntry, HandOff, Intent, Speaker, Turn
from chapterverse.search.plan import inverse_distance

Words = Annotated[Message, PlainSerializer(to_json, when_used="json")]

IsoTime = Annotated[datetime, PlainSerializer(datetime.isoformat, when_used="json")]


def place_of(sentence: Sentence) -> dict[str, Any]:
    """Where a sentence can be shown: its pages, or the url of a page without numbers."""
    address = sentence.address
    pages = [{"page_index": place.page_index, "page_label": place.page_label} for place in address.places]
    return {"book": address.book, "sentence_id": sentence.id, "pages": pages, "url": address.url}


class PageNumber(BaseModel):
    """A page: index from 0, and the printed label."""

    page_index: int
    page_label: str


class SentencePlace(BaseModel):
    """Fields of place_of."""

    book: str
    sentence_id: str
    pages: list[PageNumber]
    url: str | None


class CitationRecord(SentencePlace):
    """The sentence of source #number that supports a claim. sentence: as library/artefacts.py writes it."""

    number: int
    book_title: str
    citation: str
    sentence: SentenceRecord
    previous: str | None
    next: str | None
    further_reading: str
    verdict: VerdictKind
    reason: Words

    @classmethod
    def of(cls, cited: SourceCitation) -> Self:
        passage = cited.passage
        judged = PassageRecord.fields_of(passage) | verdict_json(cited.verdict)
        return cls.model_validate({"number": cited.source.number, **judged, **place_of(passage.sentence)})


class ClaimRecord(BaseModel):
    """A claim and the sentences that support it."""

    text: str
    citations: list[CitationRecord]

    @classmethod
    def of(cls, claim: Claim) -> Self:
        return cls(text=claim.text, citations=[CitationRecord.of(cited) for cited in claim.citations])


class SourceRecord(SentencePlace):
    """A source without its sentences; citation and place are those of the first."""

    number: int
    title: str
    headings: list[str]
    type: str = ""
    id: str = ""
    department: str | None = None
    score: float
    text: str
    citation: str

    @classmethod
    def of(cls, source: CitableSource) -> Self:
        own = {name: getattr(source, name) for name in ("number", "title", "type", "id", "department", "score", "text")}
        first = source.passages[0]
        return cls(**own, headings=list(source.headings), citation=cite(first), **place_of(first.sentence))


class ConfidenceRecord(BaseModel):
    """See answers.Confidence; answerable is its judgement."""

    best: float
    mean: float
    band: str
    relevance: float | None
    answerable: Answerability | None = None


class AnswerRecord(BaseModel):
    """A whole answer; sources count from 1, and claims name the sources that support them."""

    version: int = Field(1, exclude=True)
    text: str
    claims: list[ClaimRecord]
    sources: list[SourceRecord]
    confidence: ConfidenceRecord
    disclaimer: str | None
    nothing: bool
    intent: Intent | None = None
    by: str
    notes: list[Words]

    @classmethod
    def of(cls, answer: Answer) -> Self:
        confidence = answer.confidence
        return cls(
            text=answer.text,
            claims=[ClaimRecord.of(claim) for claim in answer.claims],
            sources=[SourceRecord.of(source) for source in answer.sources],
            confidence=ConfidenceRecord(
                best=confidence.best,
                mean=confidence.mean,
                band=confidence.band,
                relevance=confidence.relevance,
                answerable=confidence.judgement,
            ),
            disclaimer=answer.disclaimer or None,
            nothing=answer.nothing,
            intent=answer.intent,
            by=answer.by,
            notes=list(answer.notes),
        )

    @property
    def cited(self) -> list[int]:
        """Numbers of the cited sources, each once, in the order of the text."""
        return list(dict.fromkeys(one.number for claim in self.claims for one in claim.citations))

    def stored(self) -> str:
        """JSON with the version, for a conversation's turn."""
        return json.dumps({"version": self.version, **self.model_dump(mode="json")})


def document_answer(answer: Answer, findings: Findings) -> dict[str, Any]:
    """The answer from documents, with the scores of the found chunks in both readings of S2."""
    scores = [{"cosine": score, "inverse_distance": inverse_distance(score)} for score in findings.scores]
    return {**AnswerRecord.of(answer).model_dump(), "scores": scores}


def textbook_answer(answer: Answer, findings: Findings) -> dict[str, Any]:
    """The answer from textbooks. sections: the place of each cited source, at its first cited sentence, by number; related:
    sections close to the question."""
    cited = [each for claim in answer.claims for each in claim.citations]
    first = {each.source.number: each for each in reversed(cited)}
    near = [
        {"title": title, "paragraph_id": passage.sentence.address.paragraph_id, **place_of(passage.sentence)}
        for title, passage in zip(findings.related, findings.near, strict=False)
    ]
    sections = [_section(first[number].source, first[number].passage) for number in sorted(first)]
    own = {"sections": sections, "related_topics": list(findings.related), "related": near}
    return AnswerRecord.of(answer).model_dump() | own


def _section(source: CitableSource, passage: Passage) -> dict[str, Any]:
    address = passage.sentence.address
    chapter, headings = address.chapter, address.section_path
    return {
        "number": source.number,
        "section": " > ".join(filter(None, (chapter.module, chapter.name, *headings))),
        "module": chapter.module,
        "chapter": chapter.name,
        "heading": headings[-1] if headings else None,
        "file": chapter.file,
        **place_of(passage.sentence),
        "page_label": address.places[0].page_label if address.places else None,
        "relevance": source.score,
    }


def reply(id: str, answer: AnswerRecord, *, with_agent: bool = False) -> dict[str, Any]:
    """S5-15: reply, sources, no_relevant_info; and the whole answer. Only the cited sources, with S5's names (2, "Data
    Sources & Metadata"), too; page: the printed label."""
    cited = [source for source in answer.sources if source.number in answer.cited]
    sources = [
        source.model_dump()
        | {"source_type": source.type, "source_id": source.id, "department_id": source.department}
        | {"page": source.pages[0].page_label if source.pages else None}
        for source in cited
    ]
    told = {"id": id, "reply": answer.text, "sources": sources, "no_relevant_info": answer.nothing}
    return told | {"answer": answer.model_dump(), "with_agent": with_agent}


class TurnRecord(BaseModel):
    """One message; answer: of the assistant, with its sources."""

    model_config = ConfigDict(from_attributes=True)

    speaker: Speaker
    text: str
    at: IsoTime
    id: str | None
    answer: Annotated[AnswerRecord | None, BeforeValidator(lambda of: json.loads(of) if isinstance(of, str) else of)]


class ConversationRecord(BaseModel):
    """A whole conversation, oldest turn first; see model.Conversation."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    user: str
    department: str | None
    created: IsoTime
    hand_off: HandOff | None
    waiting: IsoTime | None
    closed: IsoTime | None
    agent_name: str | None
    turns: list[TurnRecord]


def conversation_json(conversation: Conversation) -> dict[str, Any]:
    """As `--json` prints it."""
    return ConversationRecord.model_validate(conversation).model_dump(mode="json")


def answer_of(turn: Turn) -> AnswerRecord | None:
    """The stored answer of an assistant's turn; None for any other turn."""
    return AnswerRecord.model_validate_json(turn.answer) if turn.answer else None


class EntryRecord(BaseModel):
    """An FAQ entry, approved or not; see model.FaqEntry."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    question: str
    answer: str
    department: str | None
    type: EntryType
    source_id: str
    conversation: str | None
    created: IsoTime
    approved: IsoTime | None
    archived: IsoTime | None


def entry_json(entry: FaqEntry) -> dict[str, Any]:
    """As `--json` prints it."""
    return EntryRecord.model_validate(entry).model_dump(mode="json")
