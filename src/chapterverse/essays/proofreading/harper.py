"""Harper in this process: its grammar checker and its dictionary, and what a misspelt word was meant to be, of what it offers.

Of its 900 rules those are asked that need no more than their own judgement: they were right in 128 of 140 places read in real
essays (data/grammar_judged.json of scripts/eval); single rules are too rare to tell. A misspelling is judged by what mistakes
look like, how frequent words are, and the words beside it. Only what is sure is corrected, and never a name."""

import logging
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from itertools import accumulate
from math import inf, log10
from threading import TIMEOUT_MAX
from typing import TYPE_CHECKING

from bookreader.text.language import dictionary
from chapterverse.core.turns import at_work, pausing
from chapterverse.essays.model import Correction, overlaps
from chapterverse.essays.proofreading.words import Words, has, pair

if TYPE_CHECKING:
    from harper import Lint, Linter

SPELLING = "SpellCheck"  # its rule
INSERT_AFTER = 2  # the kind of its suggestions that add words
MIN_NAME = 4  # letters
log = logging.getLogger(__name__)

_BLANKS = "Put spaces after punctuation marks, not before them."
_RULES: dict[str, str] = {
    "A name begins with a capital letter.": "OrthographicConsistency UnitedOrganizations Months Countries NationalCapitals"
    " NotablePlaces",
    "The verb must match its subject: I am, he does.": "IAmAgreement IDo HeDos HavePronoun PronounVerbAgreement",
    "Use the plain verb after this word: did go, will go.": "DidPast HelpedPast WillNonLemma LetToDo",
    "This word has an irregular form, like went or children.": "Payed RegularIrregulars",
    "Use “since” with a starting point, and “for” with a length of time.": "SinceDuration",
    "Use “than” to compare; “then” is about time.": "ThenThan",
    "Use the past participle here: it is known.": "SimplePastToPastParticiple IsBeenAuxSequence CanBeSeen"
    " SupposedTo UseToUsedTo IsKnownFor",
    "“I” is always a capital letter.": "CapitalizePersonalPronouns",
    _BLANKS: "CommaFixes Spaces",
    "Use “an” before a vowel sound (an apple, an hour), otherwise “a”.": "AnA",
    "Compare only once: “happier” already means “more happy”.": "MoreBetter AdjectiveDoubleDegree",
    "Write this as one word.": "Anybody Anyhow Anywhere Everybody Everywhere Furthermore Itself Lifetime Meanwhile Myself"
    " Nobody Nothing Nowadays Nowhere Overnight Somebody Somehow Someone Somewhere Therefore Whereas Without Worldwide"
    " Yourself OnesSelf AllThough",
    "These are separate words here.": "Everyday OpenCompounds EveryTime OfCourse AfterAll",
    "Check the preposition here (in, on, to, of …).": "ArriveTo Discuss DespiteOf InterestedIn AwareOf ExceptOf"
    " LookForwardTo ResponsibleFor TakeCareOf FondOn ByAccident OnTheOtherHand QuantifierNeedsOf AskNoPreposition LaughOfAt",
    "The usual expression is a little different.": "DayAndAge AllOfASudden DoMistake MostOfTheTimes BackInTheDay MakeSense"
    " WorthToDo AtTheEndOfTheDay ByOnesOwn GetRidOf Themself InTheFirstPlace HumanBeings",
    "Write “have” here: “of” only sounds like it.": "ModalOf",
    "These words are easily confused.": "NounVerbConfusion ThereToTheir DoesOrDose ToLoseTooLoose"
    " TheWhetherWeather ToTooIdioms WorseOrWorst ThoughThought PeaceOfMind Confident Bought PronounKnew WasAloud AllReady",
    "One of these words is enough.": "AnAnother TheAnother TheMy AnotherAn WillGonna AsIfThough LikeAsIf",
    "Use “I”, “he” or “they” for the person who acts, otherwise “me”, “him” or “them”.": "SubjectPronoun CompoundSubjectI",
}
WHY: Mapping[str, str] = {rule: why for why, rules in _RULES.items() for rule in rules.split()}
HELPERS = frozenset(["have", "has", "had", "is", "are", "was", "were", "be", "been"])
AT_ONCE = 16  # each takes five milliseconds of the processor


class CheckerUnavailable(Exception):
    """A grammar checker or a dictionary did not answer as it should, or not in time."""


class Engine:
    """Harper, which is loaded at first use; one text is checked at a time, on one thread: on each new one it takes two seconds
    for the first word that is like no other. up: a time of at_work()."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "harper")

    @cached_property
    def _linters(self) -> "tuple[Linter, Linter]":
        """One for the rules of WHY, one for spelling. Loading them takes a second."""
        from harper import Linter

        grammar, spelling = Linter(), Linter()
        grammar.set_lint_config({rule: rule in WHY for rule in grammar.get_lint_config()})
        spelling.set_lint_config({rule: rule == SPELLING for rule in spelling.get_lint_config()})
        return grammar, spelling

    def corrections(self, paragraphs: Sequence[Words], up: float) -> list[Correction]:
        """The mistakes in the paragraphs. Raises CheckerUnavailable."""
        found: list[Correction] = []
        for whole in pausing(paragraphs):
            every = (_correction(whole, rule, one) for rule, its in self._lints(whole.text, up).items() for one in its)
            found += [one for one in every if one]
            if at_work() > up:
                raise CheckerUnavailable
        return found

    def unknown(self, words: Sequence[str], up: float) -> dict[str, tuple[str, ...]]:
        """The words of English that its dictionary does not have, each with what it offers instead. It is asked for AT_ONCE
        words at a time, with a blank between them. Raises CheckerUnavailable."""
        offered: dict[str, tuple[str, ...]] = {}
        for start in pausing(range(0, len(words), AT_ONCE)):
            some = words[start : start + AT_ONCE]
            ends = list(accumulate((len(word) + 1 for word in some), initial=0))
            for one in self._lints(" ".join(some), up, spelling=True).get(SPELLING, ()):
                offered[some[bisect_right(ends, one.span.start) - 1]] = tuple(each.replacement_text for each in one.suggestions)
        return offered

    def _lints(self, text: str, up: float, *, spelling: bool = False) -> "Mapping[str, Sequence[Lint]]":
        """What it says of the text, by rule. Raises CheckerUnavailable where it cannot be loaded, fails, or is busy."""
        lints = self._thread.submit(lambda: self._linters[spelling].organized_lints(text, language="plaintext"))
        try:
            return lints.result(min(max(up - at_work(), 0), TIMEOUT_MAX))  # a batch has no limit
        except TimeoutError as error:
            lints.cancel()
            raise CheckerUnavailable from error
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of its own is no Exception; its words may be the essay's
            log.warning("harper failed", extra={"error": type(error).__name__})
            raise CheckerUnavailable from error


HARPER = Engine()


def _correction(whole: Words, rule: str, lint: "Lint") -> Correction | None:
    """Harper's first suggestion; words that are to go take the next one with them, which is what to write."""
    text = whole.text
    first, (start, stop) = next(iter(lint.suggestions), None), (lint.span.start, lint.span.end)
    if rule == "RegularIrregulars":  # "drove" or "driven" is first by chance
        before = (text[:start].lower().split() or [""])[-1]
        leading = [before] if before in HELPERS else ["he", "she", "it", "they", "we", "i"]
        seen = [sum(pair(each, one.replacement_text) for each in leading) for one in lint.suggestions]
        first = lint.suggestions[seen.index(max(seen))] if any(seen) else None
    if first is None:
        return None
    instead = f"{lint.problem_text}{first.replacement_text}" if first.kind == INSERT_AFTER else first.replacement_text
    if len(lint.problem_text) == 1:  # "A" is no word in capitals
        instead = instead.capitalize() if instead.isupper() else instead
    if not instead:
        after = re.match(r"\s*\w+", text[stop:])
        stop, instead = (stop + after.end(), after[0].strip()) if after else (stop, "")
    return whole.corrected(WHY[rule], start, stop, instead) if _holds(rule, (start, stop), instead, whole) else None


def _holds(rule: str, span: tuple[int, int], instead: str, whole: Words) -> bool:
    """Whether a rule is to be believed here: abbreviations are not asked for, nor words to be joined that may be apart."""
    text, (start, stop) = whole.text, span
    words = text[start:stop]
    believed = {
        "PronounVerbAgreement": text[max(start - 4, 0) : start].lower() != "you "  # "you friends" lacks a letter
        and not whole.is_past,  # "he build" may be "he built"
        "RegularIrregulars": words.lower().endswith("ed"),  # "childs" may be "children" or "child's"
        "Everyday": " " in instead and text[stop : stop + 1] != " ",  # before a noun it is one word
        "NounVerbConfusion": words.lower().startswith(("affect", "effect", "breath")),
        "OrthographicConsistency": len(words) >= MIN_NAME and words.isalpha() and f"{words}{instead[1:]}".islower(),
        "QuantifierNeedsOf": words.lower() == "lot",
        "OpenCompounds": " " in instead,
        "Spaces": re.match(r"[.;!?](?:\s|$)", text[stop:]) is not None,
        "SimplePastToPastParticiple": words.lower() != "broke",
    }
    return believed.get(rule, True) and (words.strip() != "" or WHY[rule] == _BLANKS) and words != instead


# against 1 for the count; chosen on the first half of scripts/eval/data/spelling.jsonl
WEIGHT_OF_COST, WEIGHT_OF_PAIR = 3.0, 0.7
MARGIN = 1.4  # the best candidate has to be so much better than the next one
LONG, CLOSE = 6, 1.0  # letters, and the cost of a correction, of a word that could be a name
LOWEST = -1.0  # the score of a correction
SURE_COST, SURER_COST = 0.16, 0.2  # for each letter: "pierogi" is no "prog"; of twice MARGIN, with neighbours that fit
FITS = 1.4
ENDINGS = {"ys": "ies", "t": "ed"}  # endings: "puppys", "laught"
RARE_PAIR = 3e6  # what a pair counts that the table does not have; its rarest has 6.4e6
FIRST = 0.6  # added for the first letter, which is rarely wrong
ENDING = 0.5  # added for a last "s" too many or too few
TRANSPOSED, IE = 0.6, 0.4  # the cost of two letters in the wrong order; of "i" and "e"
LIGHT = 0.5  # the cost of a vowel, or of a letter beside its like, too many or too few
HALF, MIN_HALF = 10_000, 3  # the count and the letters of each half of a word that is two words
MAX_TRIED = 200  # unknown words of an essay
MIN_LETTERS = 4  # shorter words are too similar to correct
NAMED = 2  # times that a word has a capital: it is a name

VOWELS = frozenset("aeiouy")
LIKE_VOWELS = {frozenset("ae"): 0.6, frozenset("ei"): 0.6, frozenset("iy"): 0.4, frozenset("ao"): 0.7, frozenset("ou"): 0.7}
LIKE_CONSONANTS = frozenset(map(frozenset, ("cs", "ck", "sz", "gj", "fv", "dt", "bp", "mn", "vw", "kq", "xs", "xz")))
_RUDE = re.compile(r"fuck|shit|bitch|asshole|cunt|whore|slut|nigg|fagg|dick|cock|penis|rape")
_GLUED = re.compile(r"[@/-]|[.:=?&][\w/]")
_INSIDE = re.compile(r"[^.!?:\s][”\"’)\]]*\s+[“\"(]*\Z")  # a sentence has begun
BACK = 100  # characters before a word that are looked at


def misspelt_in(
    paragraphs: Sequence[Words], left_alone: Sequence[Sequence[tuple[int, int]]], harper: Engine, up: float
) -> Iterator[Correction]:
    """Corrections of the words that no dictionary has, where it is sure what was meant; each word once. left_alone: spans of
    each paragraph. Raises CheckerUnavailable."""
    names = names_in(paragraphs)
    unknown: dict[str, tuple[Words, int]] = {}
    for text in paragraphs:
        for at, word in enumerate(text.all):
            plain = _plain(word.text)
            new = word.text not in unknown and plain not in names and not is_word(plain)
            if new and _is_plain(text, at) and not overlaps((word.start, word.end), left_alone[text.paragraph]):
                unknown[word.text] = (text, at)
    tried = [(text, text.written(at), at) for text, at in [*unknown.values()][:MAX_TRIED]]
    offered = harper.unknown([wrong for _, wrong, _ in tried], up)
    for text, wrong, at in tried:
        if wrong in offered and (meant := meant_by(wrong, text.before(at), text.after(at), offered[wrong])):
            meant = meant.replace("'", "’") if "’" in text.text else meant
            yield text.corrected("", text.all[at].start, text.all[at].end, meant)


def _is_plain(text: Words, at: int) -> bool:
    """Whether it has letters and an apostrophe at most, one capital at most, and is no part of an address or a compound."""
    start, end = text.all[at].start, text.all[at].end
    word = text.written(at)
    letters = word.replace("’", "").replace("'", "")
    known = len(letters) >= MIN_LETTERS and letters.isalpha() and (word.islower() or word[1:].islower())
    return known and text.text[start - 1 : start] not in tuple("@./’'-_") and not _GLUED.match(text.text, end)


def _plain(word: str) -> str:
    return re.sub(r"'(?:s|ll|d|ve|re)?\Z", "", word)


def names_in(paragraphs: Sequence[Words]) -> frozenset[str]:
    """The words, in lower case, that have a capital within a sentence, or NAMED times."""
    inside: set[str] = set()
    capitals: Counter[str] = Counter()
    for text in paragraphs:
        for word in text.all:
            if text.text[word.start].isupper():
                capitals[_plain(word.text)] += 1
                if _INSIDE.search(text.text, max(word.start - BACK, 0), word.start):
                    inside.add(_plain(word.text))
    return frozenset(inside | {word for word, count in capitals.items() if count >= NAMED})


def is_word(word: str) -> bool:
    """Whether it is a word of American or British English. word: in lower case."""
    return word in dictionary() or has(word)


def meant_by(written: str, before: str, after: str, offered: Sequence[str]) -> str | None:
    """The right spelling of a misspelt word; None if it is not sure. before, after: the words beside it, empty at the edge of a
    sentence; offered: by a dictionary."""
    word = written.lower().replace("’", "'")
    if word in [one.lower() for one in offered]:
        return None
    sounding = [word.removesuffix(end) + other for end, other in ENDINGS.items() if word.endswith(end)]
    single = [one for one in (*offered, *sounding) if " " not in one and not one.lower().endswith("'s")]
    costs = {one: 0.0 if one in sounding else cost_of(word, one.lower()) for one in single}
    fits = {one: _fitting(one.lower(), before, after) for one in single}
    scores = {one: log10(count) - WEIGHT_OF_COST * cost + fits[one] for one, cost in costs.items() if (count := _count(one))}
    best, second = [*sorted(scores.values(), reverse=True), -inf, -inf][:2]
    if best < LOWEST or best - second < MARGIN:
        return None
    meant = max(scores, key=scores.__getitem__)
    is_name = written[0].isupper() and (len(word) < LONG or costs[meant] > CLOSE)
    base = word.removesuffix("ed")
    # "seeked" is no "seemed", but "tryed" is "tried"
    is_other = base != word and is_word(base) and not meant.lower().startswith(base.removesuffix("y"))
    doubtful = is_name or is_other or (_is_two_words(word) and (costs[meant] > LIGHT or not fits[meant]))
    sure = SURER_COST if best - second > 2 * MARGIN and fits[meant] > FITS else SURE_COST
    return None if doubtful or costs[meant] > sure * (len(word) + 1) else meant


def _count(word: str) -> int:
    return 0 if _RUDE.search(word.lower()) else dictionary().get(word.lower(), 0)


def _fitting(meant: str, before: str, after: str) -> float:
    """How well the word goes with those beside it."""
    pairs = [(before, meant)] * bool(before) + [(meant, after)] * bool(after)
    return WEIGHT_OF_PAIR * sum(log10(max(pair(*each), RARE_PAIR) / RARE_PAIR) for each in pairs)


def _is_two_words(word: str) -> bool:
    """Whether it is two common words written as one: "rearview"."""
    parts = ((word[:at], word[at:]) for at in range(MIN_HALF, len(word) - MIN_HALF + 1))
    return any(_count(one) >= HALF <= _count(other) for one, other in parts)


def cost_of(written: str, meant: str) -> float:
    """How unlikely the mistake is, about 1 for each letter wrong: the optimal string alignment distance, less where letters
    look or sound alike."""
    older: list[float] = []
    before = [0.0]
    for j in range(len(meant)):
        before.append(before[-1] + _single(meant, j))
    for i, letter in enumerate(written):
        row = [before[0] + _single(written, i)]
        for j, other in enumerate(meant):
            best = before[j] if letter == other else before[j] + _swapped(letter, other) + (FIRST if i == 0 == j else 0)
            best = min(best, before[j + 1] + _single(written, i), row[j] + _single(meant, j))
            if i and j and letter == meant[j - 1] and written[i - 1] == other:
                best = min(best, older[j - 1] + (IE if {letter, other} == {"i", "e"} else TRANSPOSED))
            row.append(best)
        older, before = before, row
    return before[-1] + (ENDING if (written[-1] == "s") != (meant[-1] == "s") else 0)


def _single(word: str, at: int) -> float:
    """The cost of a letter that only this word has."""
    is_light = word[at] in VOWELS or word[at] in word[max(at - 1, 0) : at] + word[at + 1 : at + 2]
    return (LIGHT if is_light else 1.0) + (0 if at else FIRST)


def _swapped(letter: str, other: str) -> float:
    """The cost of one letter in place of another one."""
    both = frozenset((letter, other))
    return LIKE_VOWELS.get(both, 0.9 if both <= VOWELS else 0.6 if both in LIKE_CONSONANTS else 1.0)
