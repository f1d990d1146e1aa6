"""What weighs most in feedback: which rules, and which mistakes, come first."""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TypeVar

Key = TypeVar("Key", bound=tuple[str, str])

MAX_PRIORITIES = 3
MANY = 4  # mistakes: so many come before all but the first other priority
A_MISSPELLING = 60  # words of an essay for each misspelt one: fewer of these are no priority
A_MISTAKE = 65  # words of an essay for each mistake: with fewer mistakes, none is a priority
SEVERAL = 3  # mistakes of different kinds that are a priority together
FEW = 2  # mistakes of a kind, or comments on sentences or wording: fewer are no priority
WEIGHTIEST = (  # what to take up first, by the beginning of a rule's name; what is not here comes last, by its kind
    "task.retold",
    "task.copied",
    "task.not_there",
    "books.misquoted",
    "task.pa",
    "reasons.begun",
    "reasons.claim",
    "reasons.list",
    "reasons.answer",
    "reasons.evidence",
    "reasons.develop",
    "reasons.ending",
    "reasons.moment",
    "reasons.feeling",
    "reasons.senses",
    "structure.paragraphs",
    "reasons.source",
    "task.",
    "structure.ending",
    "reasons.",
    "structure.",
    "books.",
    "works.example",
    "works.exact",
    "works.other_side",
    "works.answer",
    "works.image",
    "works.source",
    "works.thought",
    "works.term",
    "works.opinion",
)
TURNS = ("first", "second")  # what the names of rules end in if a language model takes the comment up before all else
NEVER_FIRST = frozenset({"books.not_found", "No blank goes before this mark."})  # of little weight, however often
LAST = frozenset({"books.quotation"})  # what is right, and could be shown better
OF_WORDING = frozenset({"language", "sentences", "wording"})
_ON_VERBS = re.compile(r"\bverb\b|something past")  # mistakes by which a sentence is hard to follow
_SMALL = re.compile(
    "“I” is always|A sentence begins with|The same word|A name begins|Names of"
)  # mistakes that do not make a text harder to read
_SPELT = re.compile("This word is spelt differently|Check this word")
_TIMES = re.compile(r" There are (\d+) of these in your essay\.\Z")


def uncounted(text: str) -> str:
    """The text of a comment without the number of places that it stands for."""
    return _TIMES.sub("", text)


def places_of(text: str, is_sure: bool) -> int:
    """How many places a comment with this text stands for; 0 for a word that is only to be checked."""
    found = _TIMES.search(text)
    return int(found[1]) if found else int(is_sure)


def rank(rule: str, kind: int) -> int:
    """Where a rule stands among WEIGHTIEST; after these all others, by the number of their kind."""
    at = next((at for at, one in enumerate(WEIGHTIEST) if rule.startswith(one)), None)
    return len(WEIGHTIEST) + kind if at is None else at


def first_ones(in_turn: Sequence[Key], weights: Mapping[Key, int], words: int, contradicted: Collection[Key]) -> list[Key]:
    """What to read first, of kinds and rules in turn, at most MAX_PRIORITIES: one that works, then what a language model takes
    up first, else what weighs most. contradicted: comments on what a book denies."""
    works = [key for key in in_turn if key[0] == "works"][:1]
    by_model = any(key[1].endswith(TURNS) for key in in_turn)
    named = [key for key in in_turn if key[1].endswith(TURNS) or key in contradicted] if by_model else []
    return [*works, *(named or next_ones(in_turn, weights, words))][:MAX_PRIORITIES]


def next_ones(in_turn: Sequence[Key], weights: Mapping[Key, int], words: int = 0) -> list[Key]:
    """What to do next, of kinds and rules in turn: of each kind one, of reasons several. Mistakes only if one kind of them
    recurs, or there are several; many come right after the first. words: of the essay."""
    in_turn = sorted((key for key in in_turn if key[1] not in NEVER_FIRST), key=lambda key: key[1] in LAST)
    first_of_kind = {key[0]: key for key in reversed(in_turn)}
    in_turn = [key for key in in_turn if not _SMALL.match(key[1]) or weights[key] >= MANY]
    language = [key for key in in_turn if key[0] == "language"]
    mistakes, on_verbs = sum(weights[key] for key in language), [key for key in language if _ON_VERBS.search(key[1])]
    recurs = mistakes >= SEVERAL
    if mistakes < words / A_MISTAKE:  # the usual number of slips
        in_turn, language = [key for key in in_turn if key not in language], []
    if (
        language and _SPELT.match(language[0][1]) and weights[language[0]] < max(SEVERAL, words / A_MISSPELLING)
    ):  # a few words misspelt hinder nobody
        language = [key for key in language if not _SPELT.match(key[1])]
        first_of_kind.pop("language")
        if language:
            first_of_kind["language"] = language[0]
    of_verbs = sum(weights[key] for key in on_verbs)
    if language and on_verbs and (weights[language[0]] < FEW or (_SMALL.match(language[0][1]) and of_verbs >= SEVERAL)):
        first_of_kind["language"] = on_verbs[0]
        recurs = recurs or of_verbs >= FEW
    found = [
        key
        for key in in_turn
        if key[0] == "reasons" or (key[0] != "works" and key == first_of_kind.get(key[0]))
        if key[0] not in OF_WORDING or weights[key] >= FEW or (key[0] == "language" and recurs)
    ]
    of_kind = max((weights[key] for key in found if key[0] == "language"), default=0)
    if mistakes >= MANY and (of_kind >= FEW or of_verbs >= SEVERAL):
        found = found[:1] + sorted(found[1:], key=lambda key: key[0] != "language")
    return found
