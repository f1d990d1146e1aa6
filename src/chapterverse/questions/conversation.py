"""A follow-up question as a standalone query (S5-9).

On CANARD, title and section of the topic and the names in the last answer find more than a human rewriting does; adding the
previous question makes results worse."""

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from pydantic import Field

from chapterverse.core.book import SentenceId
from chapterverse.core.errors import NotFound
from chapterverse.core.requests import Record
from chapterverse.core.words import distinct_terms
from chapterverse.library.scope import find_passage
from chapterverse.library.services import CollectionServices
from chapterverse.questions.answers import Question
from chapterverse.questions.model import Speaker, Turn
from chapterverse.questions.records import answer_of

TURNS = 5  # earlier turns that are read (S5-8)
MAX_CHARACTERS = 2_000  # of the conversation in a prompt (S5-17)
FEW_WORDS = 1  # content words; a question with no more depends on the conversation
ENOUGH_WORDS = 3  # content words; a question with more explains its own "one"
MAX_NAMES = 6  # of the last answer
MAX_SELECTED = 500  # characters of the selected text in the query

_POINTS_BACK = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|him|his|she|her|hers|this|that|these|those|then|such|same|other|"
    r"others|another|else|either|both|former|latter|instead|also|too|again|more|aside|besides|previous|next)\b"
    r"|(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )\bthere\b(?! (?:is|are|was|were)\b)"  # "are there …?" points nowhere
    r"|^\s*(?:and|or|but|so|then|what about|how about)\b",
    re.IGNORECASE,
)
_ONE = re.compile(r"\bones?\b", re.IGNORECASE)
_FRAME = re.compile(  # "What does Mill say about …": pages on the author, not those that the author wrote, have the name
    r"^\W*(?i:(?:what|how|where|why)\b[^?]{0,20}?\b)?(?i:do|does|did|has|have)\s+"
    r"(?:(?i:the (?:author|book|text|textbook|writer|chapter|article|handbook))|[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*)\s+"
    r"(?i:say|said|write|written|think|thought|argue|argued|claim|mention|hold|believe|propose|recommend)\b"
    r"(?i:\s+(?:about|of|on|against|that|in favour of))?\s+(?P<subject>\w.*)",
    re.DOTALL,
)
_NAME = re.compile(  # capitalised words that do not begin a sentence
    r"(?<![.?!:\]] )(?<![“\"])(?<!^)\b[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*", re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class ConversationTopic:
    """What the conversation is about: a document or an answered question, and its section."""

    title: str
    section: str = ""

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.title, self.section)))


def standalone_query(question: str, turns: Sequence[Turn] = (), topic: ConversationTopic | None = None) -> str:
    """The search text by rules. turns: earlier ones, oldest first. topic: replaces the topic of the last answer's sources. A
    question that stands alone is returned without a frame such as "What does Mill say about …"."""
    answers = [turn for turn in turns[-TURNS:] if turn.speaker is not Speaker.STUDENT]
    about = topic or topic_in_turns(turns)
    if not needs_context(question) or not (about or answers):
        framed = _FRAME.match(question)
        return framed["subject"] if framed else question
    found = _NAME.findall(answers[-1].text) if answers else []
    names = " ".join(list(dict.fromkeys(found))[:MAX_NAMES])
    return " ".join([*(f"{part}." for part in (str(about or ""), names) if part), question])


def needs_context(question: str) -> bool:
    """Whether the question depends on the conversation: it points back, continues a sentence, or has hardly any content words.
    "one" points back only in a short question: "I lost my card, what is a new one?" explains itself."""
    words = len(set(distinct_terms(question)))
    return bool(_POINTS_BACK.search(question)) or words <= (ENOUGH_WORDS if _ONE.search(question) else FEW_WORDS)


def topic_in_turns(turns: Sequence[Turn]) -> ConversationTopic | None:
    """Title and section of the source that the newest of the last answers with one cites first; None without one."""
    for answer in filter(None, map(answer_of, reversed(turns[-TURNS:]))):
        for source in answer.sources:
            if source.number in answer.cited[:1]:
                return ConversationTopic(source.title, (source.headings or [""])[-1])
    return None


def recent_turns(turns: Sequence[Turn]) -> list[str]:
    """The last TURNS as "Speaker: text", oldest first. The oldest are dropped to keep to MAX_CHARACTERS; if the newest alone is
    too long, its end is returned."""
    lines = [f"{turn.speaker.value.capitalize()}: {turn.text}" for turn in turns[-TURNS:]]
    while len(lines) > 1 and len("\n".join(lines)) > MAX_CHARACTERS:
        del lines[0]
    return [line[-MAX_CHARACTERS:] for line in lines]


class Exchange(Record, extra="forbid", frozen=True):
    """An earlier question with its answer. cited: sentence_id of a sentence that the answer cites; it determines the topic."""

    question: str = Field(min_length=1, max_length=20_000)
    answer: str = Field(default="", max_length=20_000)
    cited: SentenceId | None = Field(default=None, min_length=1, max_length=255)

    @property
    def turns(self) -> tuple[Turn, Turn]:
        """Question and answer as turns; their time is not known and not needed."""
        unknown = datetime.min.replace(tzinfo=UTC)
        return Turn(Speaker.STUDENT, self.question, unknown), Turn(Speaker.ASSISTANT, self.answer, unknown)


def standalone_question(
    question: str, earlier: Sequence[Exchange], school: str, services: CollectionServices, selected: str = ""
) -> Question:
    """The question with a standalone query. earlier: oldest first. services: of the collection that is searched. selected: text
    that it is about, in place of the topic of the conversation.

    Raises CatalogUnavailable, BucketUnavailable."""
    turns = [turn for one in earlier for turn in one.turns]
    if selected:
        return Question(question, f"{question} {selected[:MAX_SELECTED]}", recent_turns(turns), selected)
    topic = None  # of the last answer whose cited sentence still exists
    for cited in (one.cited for one in reversed(earlier) if one.cited):
        with suppress(NotFound):
            cites = find_passage(school, cited, services)
            address = cites.sentence.address
            topic = ConversationTopic(cites.book_title, [address.chapter.name or "", *address.section_path][-1])
            break
    query = standalone_query(question, turns, topic)
    about = topic.section if topic and needs_context(question) else ""
    return Question(question, query, recent_turns(turns), about=about)
