"""What a question asks for (a time, a place, a person, a number) and whether a text has such a thing. English only."""

import re
from enum import StrEnum

from chapterverse.core.words import DAYS, MONTHS, TENS, UNITS


class AnswerType(StrEnum):
    """What a question asks for."""

    TIME = "time"
    PLACE = "place"
    PERSON = "person"
    NUMBER = "number"


NUMBER_WORDS = "|".join(f"{UNITS} {TENS} one half twice hundred thousand".split())

_QUESTIONS = {  # the first that matches counts
    AnswerType.TIME: r"\b(?:when|(?:what|which) (?:time|date|day|year|month|week)|how (?:long|often|late|early)"
    r"|deadlines?|due)\b",
    AnswerType.NUMBER: r"\b(?:how (?:many|much|old|far|tall|large|big|high|heavy)|what (?:percent\w*|number|score|share|fee)"
    r"|costs?|price)\b",
    AnswerType.PLACE: r"\bwhere\b|\b(?:what|which) (?:room|building|place|city|town|country|address|location)\b",
    AnswerType.PERSON: r"\b(?:who(?:se|m)?|which (?:person|teacher|professor|author))\b",
}
_ANSWERS = {
    AnswerType.TIME: rf"\d|\b(?:{DAYS}|{MONTHS}|noon|midnight|morning|evening|week(?:s|end)?|daily|hours?|minutes?|semester"
    rf"|term|{NUMBER_WORDS})\b",
    AnswerType.NUMBER: rf"\d|\b(?:{NUMBER_WORDS}|none|no|free)\b",
    AnswerType.PLACE: r"\b(?:rooms?|halls?|buildings?|offices?|lab(?:oratory)?|librar\w+|cent(?:er|re)|campus|online|zoom"
    r"|moodle|canvas|blackboard|website|page|link|https?|www|e-?mail|class|school|street|here|there)\b"
    r"|(?<=[a-z,] )(?:in|at|on|from|near|to) [A-Z]\w+|\b[A-Z][a-z]+ \d{2,4}\b",
    AnswerType.PERSON: r"\b(?:Mr|Mrs|Ms|Dr|Prof)\b\.?|\b[A-Z][\w’'-]+ (?:[A-Z]\. ?)?[A-Z][a-z]+|@|<[A-Z_]+>",
}
_WANTING = {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in _QUESTIONS.items()}
_HOLDS = {kind: re.compile(pattern if kind is AnswerType.PERSON else f"(?i:{pattern})") for kind, pattern in _ANSWERS.items()}


def wanted_type(question: str) -> AnswerType | None:
    """What the question asks for; None for anything else."""
    return next((kind for kind, pattern in _WANTING.items() if pattern.search(question)), None)


def has_answer_type(question: str, text: str) -> bool:
    """Whether the text has what the question asks for; True for questions that ask for none of these."""
    kind = wanted_type(question)
    return kind is None or bool(_HOLDS[kind].search(text))
