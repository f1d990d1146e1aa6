"""Answers, conversations and FAQ entries as they are stored, printed by `--json`, and sent over HTTP.

Stored answers have version 1. A field may be added with a
default; any other change needs a new version that still reads the old one."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Self

from pydantic import BeforeValidator, Field

from chapterverse.citations.model import cite
from chapterverse.citations.records import PassageRecord, SentencePlace, place_of
from chapterverse.core.hits import Passage
from chapterverse.core.requests import Record, Words
from chapterverse.messages import to_json
from chapterverse.questions.answers import EXTRACT, CitableSource, Confidence, Findings, QuotedPassage, is_row
from chapterverse.questions.model import HandOff, Intent, Speaker, Turn
from chapterverse.search.plan import inverse_distance

VERSION = 1  # of a stored AnswerRecord


class CitationRecord(PassageRecord, SentencePlace):
    """The sentence of source #number that a claim cites."""

    number: int

    @classmethod
    def of(cls, source: CitableSource, passage: Passage) -> Self:
        return cls.of_passage(passage, number=source.number, **place_of(passage))


class ClaimRecord(Record):
    """One or two sentences of an answer, and the sentences that support it, at least one."""

    text: str
    citations: Sequence[CitationRecord]

    @property
    def numbered(self) -> str:
        """The text with the numbers of its sources."""
        return self.text + " " + "".join(f"[{number}]" for number in dict.fromkeys(cited.number for cited in self.citations))


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
        named = {"source_type": source.type, "source_id": source.id, "department_id": source.department}
        first = source.passage(source.sentences[0])
        return cls(**own, **named, headings=list(source.headings), citation=cite(first), **place_of(first))


class QuotedSentence(Record):
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
        return cls.of_passage(first, number=quoted.source.number, sentences=sentences, **place_of(first))


class AnswerRecord(Record):
    """A whole answer; it has claims or a disclaimer. text: with "[1]" behind what source 1 supports, and the disclaimer;
    nothing: it says that the sources do not answer. Sources count from 1; citations name them by number. intent: kind of
    question. did_you_mean: questions of other FAQ entries that may be meant, best first: entries that differ in one condition
    are easily mistaken for each other. passages: of the sources, best first: the answer's, or the nearest if nothing answers;
    the band is then "near"."""

    text: str
    claims: Sequence[ClaimRecord]
    sources: Sequence[SourceRecord]
    confidence: Confidence
    disclaimer: str | None = None
    nothing: bool = False
    intent: Intent | None = None
    by: str = Field(EXTRACT, description='The language model, or "extract": sentences of the sources.')
    notes: Sequence[Words] = Field((), description="For the reader: how the answer was made.")
    did_you_mean: Sequence[str] = ()
    passages: Sequence[QuotedRecord] = ()

    @property
    def citations(self) -> list[CitationRecord]:
        """Those of all claims, in the order of the text."""
        return [cited for claim in self.claims for cited in claim.citations]

    @property
    def cited(self) -> list[int]:
        """Numbers of the cited sources, each once, in the order of the text."""
        return list(dict.fromkeys(one.number for one in self.citations))

    def stored(self) -> str:
        """JSON with the version, for a conversation's turn."""
        return json.dumps({"version": VERSION, **self.model_dump()}, default=to_json)


class ChunkScore(Record):
    """Similarity of a chunk to the question in both readings of S2: the cosine, which defines bands, and 1 / (1 + d²)."""

    cosine: float
    inverse_distance: float


class RelatedSection(SentencePlace):
    """A section close to the question, at the sentence closest to it."""

    title: str
    paragraph_id: str


class SearchedAnswerRecord(AnswerRecord):
    """An answer from documents or textbooks. id: for rating it, empty on the command line. scores: of the chunks found, best
    first, also those below the threshold; of documents the best three. related: close sections of a textbook."""

    id: str
    scores: list[ChunkScore]
    related: Sequence[RelatedSection]

    @classmethod
    def made_from(cls, answer: AnswerRecord, findings: Findings, id: str = "") -> Self:
        related = [
            RelatedSection(title=title, paragraph_id=one.sentence.address.paragraph_id, **place_of(one))
            for title, one in findings.related.items()
        ]
        return cls(
            **dict(answer),
            id=id,
            scores=[ChunkScore(cosine=score, inverse_distance=inverse_distance(score)) for score in findings.scores],
            related=related,
        )


class ReplyRecord(Record):
    """A reply of the help desk (S5-15). id: for its rating. reply: the text to show. sources: the cited ones. no_relevant_info:
    nothing was found; then offer "Talk to Human", a POST to the conversation's handoff. with_agent: an
    agent holds the conversation, so the assistant does not answer."""

    id: str
    reply: str
    sources: Sequence[SourceRecord]
    no_relevant_info: bool
    answer: AnswerRecord
    with_agent: bool

    @classmethod
    def of(cls, id: str, answer: AnswerRecord, *, with_agent: bool = False) -> Self:
        sources = [source for source in answer.sources if source.number in answer.cited]
        nothing = answer.nothing
        return cls(id=id, reply=answer.text, sources=sources, no_relevant_info=nothing, answer=answer, with_agent=with_agent)


class TurnRecord(Record, from_attributes=True):
    """One message. id: of a message, as its sender named it; of an answer, for its rating. answer: of the assistant, with its
    sources. by: the agent's name, if known."""

    speaker: Speaker
    text: str
    at: datetime
    id: str | None
    by: str | None
    answer: Annotated[AnswerRecord | None, BeforeValidator(lambda of: json.loads(of) if isinstance(of, str) else of)]


class ConversationSummary(Record, from_attributes=True):
    """A conversation without its turns. user_name: as the school knows the user. hand_off: null while only the assistant
    answers. waiting: since when an agent is requested; closed: since when it is closed; agent_name: of the agent who holds it.
    mine: the caller holds it. begins: the first words of its first question. last, last_by: of the last turn. is_unread: an
    agent has answered since the user last got it."""

    id: str
    user: str
    user_name: str = ""
    department: str | None
    created: datetime
    hand_off: HandOff | None
    waiting: datetime | None
    closed: datetime | None
    agent_name: str | None
    mine: bool = False
    begins: str
    last: datetime
    last_by: Speaker | None
    is_unread: bool = False


class ConversationRecord(ConversationSummary):
    """A conversation, oldest turn first."""

    turns: Sequence[TurnRecord]


def answer_of(turn: Turn) -> AnswerRecord | None:
    """The stored answer of an assistant's turn; None for any other turn."""
    return AnswerRecord.model_validate_json(turn.answer) if turn.answer else None
