"""A follow-up question as a standalone query (S5-9), by rules or by a language model.

On CANARD, title and section of the topic and the names in the last answer find more than a human rewriting does; adding the
previous question makes results worse (docs/quality.md). `Paraphraser` adds paraphrases of the question to the search (query
expansion after Ma et al. 2023, "Query Rewriting for Retrieval-Augmented Large Language Models"). It is off by default, and
results are still scored by their cosine to the original question."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from time import monotonic

from chapterverse.citations.words import content_of, read_clauses
from chapterverse.core.book import Kind, SentenceId
from chapterverse.core.errors import ChapterverseError, NotFound
from chapterverse.core.hits import Passage
from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import Prompt, Redactor, Schema
from chapterverse.essays.writing.drafts import fenced
from chapterverse.library.lookup import find_passage
from chapterverse.library.services import CollectionServices
from chapterverse.messages import ENGLISH, in_words, message
from chapterverse.prompts import prompt
from chapterverse.questions.answers import Answer, Question
from chapterverse.questions.drafts import redacted, tag_of
from chapterverse.questions.model import Speaker, Turn
from chapterverse.questions.records import answer_of
from chapterverse.questions.school_words import first_key, keys_in
from chapterverse.questions.styles import AnswerSettings

TURNS = 5  # earlier turns that are read (S5-8)
MAX_CHARACTERS = 2_000  # of the conversation in a prompt (S5-17)
FEW_WORDS = 1  # content words; a question with no more depends on the conversation
ENOUGH_WORDS = 3  # content words; a question with more explains its own "one"
MAX_NAMES = 6  # of the last answer

HELLO, WELCOME = message("courtesy_hello"), message("courtesy_welcome")
_POINTS_BACK = re.compile(
    r"\b(?:it|its|they|them|their|theirs|he|him|his|she|her|hers|this|that|these|those|then|such|same|other|"
    r"others|another|else|either|both|former|latter|instead|also|too|again|more|aside|besides|previous|next)\b"
    r"|(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )\bthere\b(?! (?:is|are|was|were)\b)"  # "are there …?" points nowhere
    r"|^\s*(?:and|or|but|so|then|what about|how about)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")
_ONE = re.compile(r"\bones?\b", re.IGNORECASE)
_GOOD_DAY = re.compile(r"\b(?:good (?:morning|day|afternoon|evening)|(gut\w+ (?:morgen|tag|abend)))\b")
_HELLO = {"hi", "hello", "hey", "hallo", "moin", "servus"}
_GERMAN = {
    "hallo",
    "moin",
    "servus",
    "danke",
    "dank",
    "dankeschön",
    "tschüss",
    "wiedersehen",
    "super",
    "alles",
    "klar",
}
_COURTESY = _HELLO | _GERMAN | {"thanks", "thank", "thx", "cheers", "ok", "okay", "great", "perfect", "bye", "goodbye"}
_AROUND_THANKS = {
    "you",
    "there",
    "so",
    "much",
    "very",
    "many",
    "a",
    "lot",
    "again",
    "for",
    "your",
    "the",
    "help",
    "good",
    "that",
    "s",
    "was",
    "all",
    "everyone",
    "vielen",
    "schön",
    "sehr",
    "dir",
    "auf",
    "für",
    "die",
    "hilfe",
    "und",
    "and",
}  # words of a courtesy, too
MAX_COURTESY = 8  # words of one
_FRAME = re.compile(  # "What does Mill say about …": pages on the author, not those that the author wrote, have the name
    r"^\W*(?i:(?:what|how|where|why)\b[^?]{0,20}?\b)?(?i:do|does|did|has|have)\s+"
    r"(?:(?i:the (?:author|book|text|textbook|writer|chapter|article|handbook))|[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*)\s+"
    r"(?i:say|said|write|written|think|thought|argue|argued|claim|mention|hold|believe|propose|recommend)\b"
    r"(?i:\s+(?:about|of|on|against|that|in favour of))?\s+(?P<subject>\w.*)",
    re.DOTALL,
)
_NAME = re.compile(r"(?<![.?!:\]] )(?<![“\"])(?<!^)\b[A-Z][\w’'-]+(?: [A-Z][\w’'-]+)*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ConversationTopic:
    """What the conversation is about: a document or an answered question, its section, and the name of a row of its table."""

    title: str
    section: str = ""
    row: str = ""

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.title, self.section, self.row)))


def standalone_query(question: str, turns: Sequence[Turn] = (), topic: ConversationTopic | None = None) -> str:
    """The search text by rules. turns: earlier ones, oldest first. topic: replaces the topic of the last answer's sources. A
    question that stands alone is returned as its subject (subject_of)."""
    answers = [turn for turn in turns[-TURNS:] if turn.speaker is not Speaker.STUDENT]
    about = topic or topic_in_turns(turns)
    if not needs_context(question) or not (about or answers):
        return subject_of(question)
    names = (
        " ".join(list(dict.fromkeys(names_in(answers[-1].text)))[:MAX_NAMES]) if answers and not (about and about.row) else ""
    )
    return " ".join([*(f"{part}." for part in (str(about or ""), names) if part), question])


def subject_of(question: str) -> str:
    """What it asks about, without a frame such as "What does Mill say about …"; without a frame the question itself."""
    framed = _FRAME.match(question)
    return framed["subject"] if framed else question


def needs_context(question: str) -> bool:
    """Whether the question depends on the conversation: it points back, continues a sentence, or has hardly any content words.
    "one" points back only in a short question: "I lost my card, what is a new one?" explains itself. A greeting does not."""
    if courtesy_reply(question):
        return False
    words = len(content_of(read_clauses(question)))
    return bool(_POINTS_BACK.search(question)) or words <= (ENOUGH_WORDS if _ONE.search(question) else FEW_WORDS)


def courtesy_reply(text: str) -> str:
    """The reply to a greeting, thanks or a farewell, in its language; empty for anything else."""
    plain = _GOOD_DAY.sub(lambda day: "hallo" if day[1] else "hello", text[:MAX_CHARACTERS].casefold())
    words = _WORD.findall(plain)
    meant = _COURTESY.intersection(words)
    is_courtesy = meant and len(words) <= MAX_COURTESY and _AROUND_THANKS.union(meant).issuperset(words)
    if not is_courtesy or ("?" in text and not meant <= _HELLO):
        return ""
    reply = HELLO if meant <= _HELLO else WELCOME
    return in_words(reply, "de" if meant & _GERMAN else ENGLISH)


def has_content(question: str) -> bool:
    """Whether it has a content word of its own: "How much is it?" has none."""
    return bool(content_of(read_clauses(question)))


def topic_in_turns(turns: Sequence[Turn]) -> ConversationTopic | None:
    """The topic of the newest of the last answers that cites a source; None without one."""
    answers = [turn for turn in turns[-TURNS:] if turn.speaker is not Speaker.STUDENT]
    return next(filter(None, map(topic_of, reversed(answers))), None)


def topic_of(turn: Turn) -> ConversationTopic | None:
    """Title and section of the source that an assistant's answer cites first; None without one."""
    answer = answer_of(turn)
    if answer is None or not answer.cited:
        return None
    source = next((one for one in answer.sources if one.number == answer.cited[0]), None)
    return ConversationTopic(source.title, (source.headings or [""])[-1]) if source else None


def names_in(text: str) -> Iterator[str]:
    """Capitalised words that do not begin a sentence."""
    return (match[0] for match in _NAME.finditer(text))


def recent_turns(turns: Sequence[Turn], max_turns: int = TURNS, max_characters: int = MAX_CHARACTERS) -> list[str]:
    """The last turns as "Speaker: text", oldest first. The oldest are dropped to keep the limit of characters; if the newest
    alone is too long, its end is returned."""
    lines: list[str] = []
    left = max_characters
    for turn in reversed(turns[-max_turns:] if max_turns else ()):
        line = f"{turn.speaker.value.capitalize()}: {turn.text}"
        if len(line) > left:
            return lines or [line[-max_characters:]]
        lines.insert(0, line)
        left -= len(line) + 1
    return lines


@dataclass(frozen=True, slots=True)
class Exchange:
    """An earlier question with its answer. cited: a sentence that the answer cites; it determines the topic."""

    question: str
    answer: str = ""
    cited: SentenceId | None = None

    @classmethod
    def of(cls, question: str, answer: Answer) -> "Exchange":
        """A question and the answer given to it; of a row with its header, the row is cited."""
        first = [one.passage.sentence for one in answer.claims[0].citations] if answer.claims else []
        rows = [one for one in first if one.kind is Kind.TABLE]
        return cls(question, answer.text, next((one.id for one in (*rows[-1:], *first)), None))

    @property
    def turns(self) -> tuple[Turn, Turn]:
        """Question and answer as turns; their time is not known and not needed."""
        unknown = datetime.min.replace(tzinfo=UTC)
        return Turn(Speaker.STUDENT, self.question, unknown), Turn(Speaker.ASSISTANT, self.answer, unknown)


def standalone_question(
    question: str, earlier: Sequence[Exchange], school: str, services: CollectionServices, settings: AnswerSettings
) -> Question:
    """The question with a standalone query. earlier: oldest first. services: of the collection that is searched.

    Raises CatalogUnavailable, BucketUnavailable."""
    turns = [turn for one in earlier for turn in one.turns]
    topic = last_topic(earlier, school, services)
    if topic and keys_in(question):
        topic = replace(topic, row="")
    query = standalone_query(question, turns, topic)
    about = ". ".join(filter(None, (topic.section, topic.row))) if topic and needs_context(question) else ""
    plain = Question(question, query, recent_turns(turns), about=about)
    if not (settings.rewrite and plain.conversation):
        return plain
    safe = redacted(plain, settings)
    query = rewrite_query(safe, school, settings)
    return plain if query == safe.query else replace(plain, query=query, about="")


def last_topic(earlier: Sequence[Exchange], school: str, services: CollectionServices) -> ConversationTopic | None:
    """Topic of the last answer whose cited sentence still exists; None without one."""
    for cited in (one.cited for one in reversed(earlier) if one.cited):
        with suppress(NotFound):
            return topic_in(find_passage(school, cited, services))
    return None


def topic_in(passage: Passage) -> ConversationTopic:
    """Document and section of the sentence, and the name that it begins with if it is a row."""
    address = passage.sentence.address
    row = first_key(passage.sentence.text) if passage.sentence.kind is Kind.TABLE else ""
    headings = [address.chapter.name or "", *address.section_path]
    return ConversationTopic(passage.book_title, headings[-1], row)


REWRITING_PROMPT = "standalone-1"
PARAPHRASING_PROMPT = "other-words-1"
MAX_QUERY = 300  # characters of a query or a paraphrase
MAX_PARAPHRASES = 3

SUMMARY_PROMPT = "summary-1"
MAX_SUMMARY = 800  # characters of a conversation's summary

SUMMARY_SCHEMA: Schema = {
    "type": "object",
    "properties": {"summary": {"type": "string", "description": "The conversation, in at most 100 words."}},
    "required": ["summary"],
    "additionalProperties": False,
}
REWRITING_SCHEMA: Schema = {
    "type": "object",
    "properties": {"query": {"type": "string", "description": "The question, understood without the conversation."}},
    "required": ["query"],
    "additionalProperties": False,
}
PARAPHRASING_SCHEMA: Schema = {
    "type": "object",
    "properties": {"wordings": {"type": "array", "items": {"type": "string"}, "description": "The question in other words."}},
    "required": ["wordings"],
    "additionalProperties": False,
}


def rewrite_query(question: Question, school: str, settings: AnswerSettings) -> str:
    """The query by the language model; question.query if the model is off or fails."""
    if settings.paid is None or not question.conversation:
        return question.query
    blocks = {"conversation": "\n".join(question.conversation), "question": question.question}
    deadline = settings.clock() + settings.seconds / 2
    try:
        wanted = _prompt(REWRITING_PROMPT, blocks, max_tokens=100)
        query = settings.paid.answer(school, wanted, REWRITING_SCHEMA, deadline).value.get("query")
    except ChapterverseError:
        return question.query
    return _usable(query, tag_of(blocks)) or question.query


def summarize(before: str, turns: Sequence[str], school: str, settings: AnswerSettings) -> str:
    """A summary of the turns after an earlier summary, by the language model; `before` if the model is off or fails. Names were
    removed from the turns."""
    if settings.paid is None:
        return before
    blocks = {"earlier summary": before, "messages": "\n".join(turns)}
    blocks = {name: text for name, text in blocks.items() if text}
    deadline = settings.clock() + settings.seconds / 2
    try:
        wanted = _prompt(SUMMARY_PROMPT, blocks, max_tokens=250)
        summary = settings.paid.answer(school, wanted, SUMMARY_SCHEMA, deadline).value.get("summary")
    except ChapterverseError:
        return before
    return _usable(summary, tag_of(blocks), MAX_SUMMARY) or before


@dataclass(frozen=True)
class Paraphraser:
    """Paraphrases of a question by a language model. school: whose cost limit applies; seconds: time limit."""

    paid: PaidModel
    redactor: Redactor
    school: str
    seconds: float = 1.5
    clock: Callable[[], float] = monotonic

    def __call__(self, question: str) -> tuple[str, ...]:
        """At most MAX_PARAPHRASES; empty if the model fails or answers nothing usable. Raises no ChapterverseError."""
        try:
            blocks = {"question": self.redactor.redact([question], ())[0]}
            deadline = self.clock() + self.seconds
            wanted = _prompt(PARAPHRASING_PROMPT, blocks, max_tokens=150)
            wordings = self.paid.answer(self.school, wanted, PARAPHRASING_SCHEMA, deadline).value.get("wordings")
        except ChapterverseError:
            return ()
        usable = [_usable(one, tag_of(blocks)) for one in (wordings if isinstance(wordings, list) else [])]
        return tuple(dict.fromkeys(one for one in usable if one and one != question))[:MAX_PARAPHRASES]


def _prompt(name: str, blocks: dict[str, str], *, max_tokens: int) -> Prompt:
    tag = tag_of(blocks)
    return Prompt(name, prompt(name).substitute(tag=tag), fenced(blocks, tag), 0.0, max_tokens)


def _usable(text: object, tag: str, max_characters: int = MAX_QUERY) -> str:
    """The text on one line; empty if it is no string, too long, or contains the fence."""
    line = " ".join(text.split()) if isinstance(text, str) else ""
    return line if len(line) <= max_characters and tag not in line else ""
