"""A question after those before it, where no conversation is kept: whoever asks tells what was asked and answered."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from chapterverse.errors import NotFound
from chapterverse.evidence.numbering import Passage
from chapterverse.model import SentenceId, Speaker, Turn
from chapterverse.usecases.answers.answer import Answer
from chapterverse.usecases.answers.answering import Answering
from chapterverse.usecases.answers.drafting import redacted
from chapterverse.usecases.answers.sources import Asked
from chapterverse.usecases.conversations.context import said_before
from chapterverse.usecases.conversations.rewriting import rewritten
from chapterverse.usecases.conversations.standalone import Topic, standalone_query
from chapterverse.usecases.lookup import find_passage
from chapterverse.usecases.services import Services

ANY = datetime.min.replace(tzinfo=UTC)  # when something was said does not matter here


@dataclass(frozen=True, slots=True)
class Earlier:
    """A question before and what was answered. cited: a sentence that the answer rests on, which says what it is about."""

    question: str
    answer: str = ""
    cited: SentenceId | None = None

    @classmethod
    def of(cls, question: str, answer: Answer) -> "Earlier":
        """As it was answered."""
        cited = [one.passage.sentence.id for claim in answer.claims for one in claim.citations]
        return cls(question, answer.text, cited[0] if cited else None)

    @property
    def turns(self) -> tuple[Turn, Turn]:
        """What was said."""
        return Turn(Speaker.STUDENT, self.question, ANY), Turn(Speaker.ASSISTANT, self.answer, ANY)


def following(question: str, earlier: Sequence[Earlier], school: str, services: Services, answering: Answering) -> Asked:
    """The question as it is understood after those before it, oldest first; as it is where there are none, or where it stands
    alone. services: of the collection that was asked. Raises CatalogUnavailable, BucketUnavailable."""
    turns = [turn for one in earlier for turn in one.turns]
    asked = Asked(question, standalone_query(question, turns, topic(earlier, school, services)), said_before(turns))
    if not (answering.rewrite and asked.said):
        return asked
    told = redacted(asked, answering)  # a language model is told it
    query = rewritten(told, school, answering)
    return asked if query == told.query else replace(asked, query=query)


def topic(earlier: Sequence[Earlier], school: str, services: Services) -> Topic | None:
    """What the last answer is about that rests on a sentence which is still there."""
    for cited in (one.cited for one in reversed(earlier) if one.cited):
        with suppress(NotFound):
            return topic_of(find_passage(school, cited, services))
    return None


def topic_of(passage: Passage) -> Topic:
    """The document, and the section in it."""
    address = passage.sentence.address
    headings = [address.chapter.name or "", *address.section_path]
    return Topic(passage.book_title, headings[-1])
