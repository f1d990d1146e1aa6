"""Answers, conversations and FAQ entries as they are stored, printed by `--json`, and sent over HTTP, where each place of a
sentence gets the addresses of its pages (library/schemas.with_addresses).

Stored answers have version 1. A field may be added with a
default; any other change needs a new version that still reads the old one."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from chapterverse.citations.model import cite
from chapterverse.citations.records import PassageRecord, SentencePlace, place_of
from chapterverse.core.hits import Passage
from chapterverse.messages import to_json
from chapterverse.messages.fields import Words
from chapterverse.questions.answers import (
    Answer,
    CitableSource,
    Claim,
    Confidence,
    Findings,
    QuotedPassage,
    SourceCitation,
    is_row,
)
from chapterverse.questions.model import HandOff, Intent, Speaker, Turn
from chapterverse.search.plan import inverse_distance

VERSION = 1  # of a stored AnswerRecord


class CitationRecord(PassageRecord, SentencePlace):
    """The sentence of source #number that a claim cites."""

    number: int

    @classmethod
    def of(cls, cited: SourceCitation) -> Self:
        passage = cited.passage
        return cls.of_passage(passage, number=cited.source.number, **place_of(passage.sentence))


class ClaimRecord(BaseModel):
    """A claim and the sentences that support it."""

    text: str
    citations: Sequence[CitationRecord]

    @classmethod
    def of(cls, claim: Claim) -> Self:
        return cls(text=claim.text, citations=[CitationRecord.of(cited) for cited in claim.citations])


class SourceRecord(SentencePlace):
    """Source #number. source_type, source_id: document, FAQ entry or resolved ticket (S5, "Data Sources & Metadata").
    department_id: null for all. score: cosine to the question. citation and place: of its first sentence."""

    number: int
    title: str
    headings: list[str]
    source_type: str = ""
    source_id: str = ""
    department_id: str | None = None
    score: float
    text: str
    citation: str

    @classmethod
    def of(cls, source: CitableSource) -> Self:
        own = {name: getattr(source, name) for name in ("number", "title", "score", "text")}
        first = source.first
        named = {"source_type": source.type, "source_id": source.id, "department_id": source.department}
        return cls(**own, **named, headings=list(source.headings), citation=cite(first), **place_of(first.sentence))


class QuotedSentence(BaseModel):
    """A sentence, list item or table row of a passage. highlighted: whether it answers, or comes nearest."""

    text: str
    paragraph_id: str
    row: bool
    highlighted: bool


class QuotedRecord(PassageRecord, SentencePlace):
    """A passage of source #number: the sentence is its first lit one, sentences are all of it, in reading order."""

    number: int
    sentences: list[QuotedSentence]

    @classmethod
    def of(cls, quoted: QuotedPassage) -> Self:
        first = quoted.highlighted_passages[0]
        sentences = [
            QuotedSentence(
                text=one.sentence.text,
                paragraph_id=one.sentence.address.paragraph_id,
                row=is_row(one.sentence),
                highlighted=one.sentence.id in quoted.highlighted,
            )
            for one in quoted.passages
        ]
        return cls.of_passage(first, number=quoted.source.number, sentences=sentences, **place_of(first.sentence))


class AnswerRecord(BaseModel):
    """A whole answer. text: with "[1]" behind what source 1 supports; nothing: it says that the sources do not answer. Sources
    count from 1; citations name them by number. did_you_mean: questions of other FAQ entries that were found, best first.
    passages: of the sources, best first: the answer's, or the nearest if nothing answers; the band is then "near"."""

    text: str
    claims: Sequence[ClaimRecord]
    sources: Sequence[SourceRecord]
    confidence: Confidence
    disclaimer: str | None
    nothing: bool
    intent: Intent | None = None
    by: str = Field(description='The language model, or "extract": sentences of the sources.')
    notes: Sequence[Words] = Field(description="For the reader: how the answer was made.")
    did_you_mean: Sequence[str] = ()
    passages: Sequence[QuotedRecord] = ()

    @classmethod
    def of(cls, answer: Answer, **more: Any) -> Self:
        """more: fields of a subclass."""
        return cls(
            text=answer.text,
            claims=[ClaimRecord.of(claim) for claim in answer.claims],
            sources=[SourceRecord.of(source) for source in answer.sources],
            confidence=answer.confidence,
            disclaimer=answer.disclaimer or None,
            nothing=answer.nothing,
            intent=answer.intent,
            by=answer.by,
            notes=list(answer.notes),
            did_you_mean=answer.siblings,
            passages=[QuotedRecord.of(quoted) for quoted in answer.passages],
            **more,
        )

    @property
    def cited(self) -> list[int]:
        """Numbers of the cited sources, each once, in the order of the text."""
        return list(dict.fromkeys(one.number for claim in self.claims for one in claim.citations))

    def stored(self) -> str:
        """JSON with the version, for a conversation's turn."""
        return json.dumps({"version": VERSION, **self.model_dump()}, default=to_json)


class ChunkScore(BaseModel):
    """Similarity of a chunk to the question in both readings of S2: the cosine, which defines bands, and 1 / (1 + d²)."""

    cosine: float
    inverse_distance: float


class DocumentAnswerRecord(AnswerRecord):
    """An answer from documents. id: for rating it, empty on the command line. scores: of the three chunks found, best first,
    also those below the threshold. textbooks: those of the sources that were asked that are textbooks."""

    id: str
    scores: list[ChunkScore]
    textbooks: Sequence[str] = ()

    @classmethod
    def made_from(cls, answer: Answer, findings: Findings, id: str = "", textbooks: Sequence[str] = ()) -> Self:
        scores = [ChunkScore(cosine=score, inverse_distance=inverse_distance(score)) for score in findings.scores]
        return cls.of(answer, id=id, scores=scores, textbooks=textbooks)


class Section(SentencePlace):
    """The section of source #number, "Module > Chapter > Heading", at its first cited sentence. file: in the folder of pages.
    relevance: cosine to the question."""

    number: int
    section: str
    module: str | None
    chapter: str | None
    heading: str | None
    file: str | None
    page_label: str | None
    relevance: float

    @classmethod
    def of(cls, cited: SourceCitation) -> Self:
        address = cited.passage.sentence.address
        chapter, headings = address.chapter, address.section_path
        return cls(
            number=cited.source.number,
            section=" > ".join(filter(None, (chapter.module, chapter.name, *headings))),
            module=chapter.module,
            chapter=chapter.name,
            heading=headings[-1] if headings else None,
            file=chapter.file,
            page_label=address.places[0].page_label if address.places else None,
            relevance=cited.source.score,
            **place_of(cited.passage.sentence),
        )


class RelatedSection(SentencePlace):
    """A section close to the question, at the sentence closest to it."""

    title: str
    paragraph_id: str

    @classmethod
    def of(cls, title: str, passage: Passage) -> Self:
        sentence = passage.sentence
        return cls(title=title, paragraph_id=sentence.address.paragraph_id, **place_of(sentence))


class TextbookAnswerRecord(AnswerRecord):
    """An answer from textbooks. id: for rating it, empty on the command line. sections: those cited, by number. related_topics:
    titles of close sections; related: the same sections with their places."""

    id: str
    sections: Sequence[Section]
    related_topics: list[str]
    related: Sequence[RelatedSection]

    @classmethod
    def made_from(cls, answer: Answer, findings: Findings, id: str = "") -> Self:
        first = {cited.source.number: cited for cited in reversed(answer.citations)}
        sections = [Section.of(first[number]) for number in sorted(first)]
        related = [RelatedSection.of(*one) for one in zip(findings.related, findings.near, strict=False)]
        return cls.of(answer, id=id, sections=sections, related_topics=list(findings.related), related=related)


class ReplyRecord(BaseModel):
    """A reply of the help desk (S5-15). id: for its rating. reply: the text to show. sources: the cited ones. no_relevant_info:
    nothing was found; then offer "Talk to Human", a POST to talk_to_human, which is empty on the command line. with_agent: an
    agent holds the conversation, so the assistant does not answer."""

    id: str
    reply: str
    sources: Sequence[SourceRecord]
    no_relevant_info: bool
    answer: AnswerRecord
    with_agent: bool
    talk_to_human: str

    @classmethod
    def of(cls, id: str, answer: AnswerRecord, *, with_agent: bool = False, talk_to_human: str = "") -> Self:
        sources = [source for source in answer.sources if source.number in answer.cited]
        return cls(
            id=id,
            reply=answer.text,
            sources=sources,
            no_relevant_info=answer.nothing,
            answer=answer,
            with_agent=with_agent,
            talk_to_human=talk_to_human,
        )


class TurnRecord(BaseModel):
    """One message. id: of a message, as its sender named it; of an answer, for its rating. answer: of the assistant, with its
    sources."""

    model_config = ConfigDict(from_attributes=True)

    speaker: Speaker
    text: str
    at: datetime
    id: str | None
    answer: Annotated[AnswerRecord | None, BeforeValidator(lambda of: json.loads(of) if isinstance(of, str) else of)]


class ConversationFields(BaseModel):
    """A conversation without its turns. user_name: as the school knows the user. hand_off: null while only the assistant
    answers. waiting: since when an agent is requested; closed: since when it is closed; agent_name: of the agent who holds it.
    messages: number of all turns."""

    model_config = ConfigDict(from_attributes=True)

    id: str
    user: str
    user_name: str = ""
    department: str | None
    created: datetime
    hand_off: HandOff | None
    waiting: datetime | None
    closed: datetime | None
    agent_name: str | None
    messages: int


class ConversationRecord(ConversationFields):
    """A conversation, oldest turn first."""

    turns: Sequence[TurnRecord]


class ConversationSummary(ConversationFields):
    """A conversation without its turns. begins: the beginning of the first question. mine: the caller holds it. last, last_by:
    time and speaker of the last turn."""

    mine: bool = False
    begins: str
    last: datetime
    last_by: Speaker | None


def answer_of(turn: Turn) -> AnswerRecord | None:
    """The stored answer of an assistant's turn; None for any other turn."""
    return AnswerRecord.model_validate_json(turn.answer) if turn.answer else None
