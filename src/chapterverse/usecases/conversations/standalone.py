"""A question that leans on what was said before, as one that stands alone: by rule, no model is asked (S5, 5.2).

On CANARD the title of what is talked about, its section and the names in the last answer find more than a person's own
rewriting does; the question before finds less than nothing (docs/conversations.md)."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from chapterverse.evidence.checks.words import content_of, read_clauses
from chapterverse.model import Speaker, Turn

TURNS = 5  # of those before, that are looked at (S5, 6)
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
class Topic:
    """What is talked about: the document, or the question that was answered, and the section of it."""

    title: str
    section: str = ""

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.title, self.section)))


def standalone_query(question: str, turns: Sequence[Turn] = (), topic: Topic | None = None) -> str:
    """What to look for. turns: those before, oldest first; topic: what is talked about, where that is known otherwise than from
    the last answer's sources. A question that leans on nothing stays as it is."""
    answers = [turn for turn in turns[-TURNS:] if turn.speaker is not Speaker.STUDENT]
    about = topic or next(filter(None, map(topic_of, reversed(answers))), None)
    if not leans(question) or not (about or answers):
        return question
    names = " ".join(list(dict.fromkeys(names_in(answers[-1].text)))[:MOST_NAMES]) if answers else ""
    return " ".join([*(f"{part}." for part in (str(about or ""), names) if part), question])


def leans(question: str) -> bool:
    """Whether it says too little by itself: it points at something, goes on from something, or names hardly anything. By "one"
    only a question of few words does: "I lost my card, what is a new one?" has said which. A greeting asks nothing."""
    if _GREETING.fullmatch(question):
        return False
    words = len(content_of(read_clauses(question)))
    return bool(_LEANING.search(question)) or words <= (SOME if _LOOSELY.search(question) else FEW)


def topic_of(turn: Turn) -> Topic | None:
    """What the source is about that an answer begins with, as usecases/answers/answer_json.py tells it."""
    if turn.answer is None:
        return None
    told = json.loads(turn.answer)
    cited = (one["number"] for claim in told["claims"] for one in claim["citations"])
    first = next(cited, None)
    source = next((one for one in told["sources"] if one["number"] == first), None)
    return source and Topic(source["title"], (source["headings"] or [""])[-1])


def names_in(text: str) -> Iterator[str]:
    """Words with a capital that no sentence begins with."""
    return (found[0] for found in _NAME.finditer(text))
