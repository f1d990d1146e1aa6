"""A follow-up question as a query that stands alone (S5-9): by rules, or written by a language model.

On CANARD, title and section of the topic and the names in the last answer find more than a human rewriting; the previous
question makes results worse (docs/quality.md). `OtherWords` adds paraphrases of the question to the search (query expansion
after Ma et al. 2023, "Query Rewriting for Retrieval-Augmented Large Language Models"); it is off unless set, and results are
still scored by their cosine to the original question."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import monotonic

from chapterverse.citations.words import content_of, read_clauses
from chapterverse.core.book import SentenceId
from chapterverse.core.errors import ChapterverseError, NotFound
from chapterverse.core.hits import Passage
from chapterverse.core.language import Prompt, Schema
from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import Redactor
from chapterverse.essays.writing.drafts import fenced
from chapterverse.library.lookup import find_passage
from chapterverse.library.services import CollectionServices
from chapterverse.prompts import prompt
from chapterverse.questions.answers import Answer, Question
from chapterverse.questions.drafts import redacted, tag_of
from chapterverse.questions.model import Speaker, Turn
from chapterverse.questions.records import answer_of
from chapterverse.questions.styles import AnswerSettings

TURNS = 5  # of those before, that are looked at (S5-8)

FEW = 1  # word of content; a question with no more leaves the rest to what was said before

SOME = 3  # words of content, with which "one" may be explained already

MOST_NAMES = 6  # of the last answer

_LEANING = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|him|his|she|her|hers|this|that|these|those|there|then|such|same|other|"
    r"others|another|else|either|both|former|latter|instead|also|too|again|more|aside|besides|previous|next)\b"
    r"|^\s*(?:and|or|but|so|then|what about|how about)\b",
    re.IGNORECASE,
)

_LOOSELY = re.compile(r"\bones?\b", re.IGNORECASE)

_GREETING = re.compile(
    r"\W*(?:hi|hello|hey|thanks?|thank you|thx|many thanks|ok(?:ay)?|great|bye|good(?:bye| morning| day| evening| afternoon)?)"
    r"(?: (?:there|so much|very much|you|a lot|again))?\W*",
    re.IGNORECASE,
)

_NAME = re.compile(r"(?<![.?!:\]] )(?<!^)\b[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*")


@dataclass(frozen=True, slots=True)
class ConversationTopic:
    """What the conversation is about: document or answered question, and its section."""

    title: str
    section: str = ""

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.title, self.section)))


def standalone_query(question: str, turns: Sequence[Turn] = (), topic: ConversationTopic | None = None) -> str:
    """The search text. turns: earlier ones, oldest first; topic: if known otherwise than from the last answer's sources. A
    question that stands alone is returned unchanged."""
    answers = [turn for turn in turns[-TURNS:] if turn.speaker is not Speaker.STUDENT]
    about = topic or next(filter(None, map(topic_of, reversed(answers))), None)
    if not leans(question) or not (about or answers):
        return question
    names = " ".join(list(dict.fromkeys(names_in(answers[-1].text)))[:MOST_NAMES]) if answers else ""
    return " ".join([*(f"{part}." for part in (str(about or ""), names) if part), question])


def leans(question: str) -> bool:
    """Whether the question needs the conversation: it points at something, continues something, or names hardly anything. "one"
    counts only in a short question: "I lost my card, what is a new one?" explains itself. A greeting asks nothing."""
    if _GREETING.fullmatch(question):
        return False
    words = len(content_of(read_clauses(question)))
    return bool(_LEANING.search(question)) or words <= (SOME if _LOOSELY.search(question) else FEW)


def topic_of(turn: Turn) -> ConversationTopic | None:
    """Title and section of the source that an assistant's answer cites first; None without one."""
    answer = answer_of(turn)
    if answer is None or not answer.cited:
        return None
    source = next((one for one in answer.sources if one.number == answer.cited[0]), None)
    return ConversationTopic(source.title, (source.headings or [""])[-1]) if source else None


def names_in(text: str) -> Iterator[str]:
    """Capitalised words that do not begin a sentence."""
    return (found[0] for found in _NAME.finditer(text))


CHARACTERS = 2_000  # S5-17


def said_before(turns: Sequence[Turn], most: int = TURNS, characters: int = CHARACTERS) -> list[str]:
    """The last turns, oldest first, within the limit of characters: the oldest are left out first; a newest turn that alone is
    too long is cut."""
    kept: list[str] = []
    left = characters
    for turn in reversed(turns[-most:] if most else ()):
        line = f"{turn.speaker.value.capitalize()}: {turn.text}"
        if len(line) > left:
            break
        kept.insert(0, line)
        left -= len(line) + 1
    if turns and most and not kept:
        return [f"{turns[-1].speaker.value.capitalize()}: {turns[-1].text}"[-characters:]]
    return kept


NAME = "standalone-1"

LONGEST = 300  # characters; a longer one is no query

MOST_TOKENS = 100

SCHEMA: Schema = {
    "type": "object",
    "properties": {"query": {"type": "string", "description": "The question, understood without the conversation."}},
    "required": ["query"],
    "additionalProperties": False,
}


def rewritten(asked: Question, school: str, answering: AnswerSettings) -> str:
    """The query by a language model from question and conversation; asked.query if the model is off or fails."""
    if answering.paid is None or not asked.said:
        return asked.query
    blocks = {"conversation": "\n".join(asked.said), "question": asked.question}
    tag = tag_of(blocks)
    wanted = Prompt(NAME, prompt(NAME).substitute(tag=tag), fenced(blocks, tag), 0.0, MOST_TOKENS)
    try:
        told = answering.paid.answer(school, wanted, SCHEMA, answering.clock() + answering.seconds / 2).value.get("query")
    except ChapterverseError:
        return asked.query
    fits = isinstance(told, str) and told.strip() and len(told) <= LONGEST and tag not in told
    return " ".join(str(told).split()) if fits else asked.query


ANY = datetime.min.replace(tzinfo=UTC)  # when something was said does not matter here


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier question with its answer. cited: a sentence that the answer cites, which tells its topic."""

    question: str
    answer: str = ""
    cited: SentenceId | None = None

    @classmethod
    def of(cls, question: str, answer: Answer) -> "Exchange":
        """From the given answer."""
        cited = [one.passage.sentence.id for claim in answer.claims for one in claim.citations]
        return cls(question, answer.text, cited[0] if cited else None)

    @property
    def turns(self) -> tuple[Turn, Turn]:
        """Question and answer as turns."""
        return Turn(Speaker.STUDENT, self.question, ANY), Turn(Speaker.ASSISTANT, self.answer, ANY)


def following(
    question: str, earlier: Sequence[Exchange], school: str, services: CollectionServices, answering: AnswerSettings
) -> Question:
    """The question as understood after the earlier ones, oldest first. services: of the collection that is searched. Raises
    CatalogUnavailable, BucketUnavailable."""
    turns = [turn for one in earlier for turn in one.turns]
    asked = Question(question, standalone_query(question, turns, topic(earlier, school, services)), said_before(turns))
    if not (answering.rewrite and asked.said):
        return asked
    told = redacted(asked, answering)  # a language model is told it
    query = rewritten(told, school, answering)
    return asked if query == told.query else replace(asked, query=query)


def topic(earlier: Sequence[Exchange], school: str, services: CollectionServices) -> ConversationTopic | None:
    """Topic of the last answer whose cited sentence still exists."""
    for cited in (one.cited for one in reversed(earlier) if one.cited):
        with suppress(NotFound):
            return topic_in(find_passage(school, cited, services))
    return None


def topic_in(passage: Passage) -> ConversationTopic:
    """Document and section of the sentence."""
    address = passage.sentence.address
    headings = [address.chapter.name or "", *address.section_path]
    return ConversationTopic(passage.book_title, headings[-1])


OTHER_WORDS_NAME = "other-words-1"

MOST, OTHER_WORDS_LONGEST = 3, 300  # wordings, and characters of each

OTHER_WORDS_MOST_TOKENS = 150

OTHER_WORDS_SCHEMA: Schema = {
    "type": "object",
    "properties": {"wordings": {"type": "array", "items": {"type": "string"}, "description": "The question in other words."}},
    "required": ["wordings"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Paraphraser:
    """Paraphrases by a language model. school: whose cost limit applies; seconds: time limit."""

    paid: PaidModel
    redactor: Redactor
    school: str
    seconds: float = 1.5
    clock: Callable[[], float] = monotonic

    def __call__(self, question: str) -> tuple[str, ...]:
        """At most MOST; none where the model fails or says nothing of use: never an error of ours."""
        try:
            [told] = self.redactor.redact([question], ())
            blocks = {"question": told}
            tag = tag_of(blocks)
            wanted = Prompt(
                OTHER_WORDS_NAME,
                prompt(OTHER_WORDS_NAME).substitute(tag=tag),
                fenced(blocks, tag),
                0.0,
                OTHER_WORDS_MOST_TOKENS,
            )
            said = self.paid.answer(self.school, wanted, OTHER_WORDS_SCHEMA, self.clock() + self.seconds).value.get("wordings")
        except ChapterverseError:
            return ()
        wordings = [" ".join(one.split()) for one in (said if isinstance(said, list) else []) if isinstance(one, str)]
        fitting = (one for one in wordings if one and len(one) <= OTHER_WORDS_LONGEST and tag not in one and one != question)
        return tuple(dict.fromkeys(fitting))[:MOST]
