"""Harper in this process: its grammar checker and its dictionary.

Of its 900 rules those are asked that need no more than their own judgement: together with others that are no longer asked they
were right in .945 of the places read in real essays (data/grammar_judged.json of scripts/eval); single rules are too rare to
tell. What pupils often confuse is found by the pairs of words and the tables in rules.py."""

import logging
import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import accumulate
from threading import TIMEOUT_MAX, Event, Lock, Thread
from typing import TYPE_CHECKING

from chapterverse.core.turns import at_work, pausing
from chapterverse.essays.proofreading.rules import Correction, Kind, Words
from chapterverse.essays.proofreading.words import is_past

if TYPE_CHECKING:
    from harper import Lint, Linter

SPELLING = "SpellCheck"  # its rule
INSERT_AFTER = 2  # the kind of its suggestions that add words
MIN_NAME = 4  # letters
log = logging.getLogger(__name__)

_NAMES, _BLANKS = "A name begins with a capital letter.", "A blank goes after a comma, and none before a mark."
_RULES: dict[str, str] = {
    _NAMES: "OrthographicConsistency UnitedOrganizations Months Countries NationalCapitals NotablePlaces",
    "The verb has to fit its subject: I am, he does.": "IAmAgreement IDo HeDos HavePronoun PronounVerbAgreement",
    "After this word the verb has no ending: did go, will go.": "DidPast HelpedPast WillNonLemma LetToDo",
    "This word has a form of its own: went, children.": "Payed RegularIrregulars",
    "“Since” needs a starting point; for how long something lasts it is “for”.": "SinceDuration",
    "In a comparison it is “than”; “then” is about time.": "ThenThan",
    "Here the verb needs its third form: it is known.": "SimplePastToPastParticiple IsBeenAuxSequence CanBeSeen"
    " SupposedTo UseToUsedTo IsKnownFor",
    "“I” is always a capital.": "CapitalizePersonalPronouns",
    _BLANKS: "CommaFixes Spaces",
    "“A” goes before a consonant sound, “an” before a vowel sound: a dog, an apple, an hour.": "AnA",
    "Show the comparison once: “happier” alone says “more happy”.": "MoreBetter AdjectiveDoubleDegree",
    "Here this is one word.": "Anybody Anyhow Anywhere Everybody Everywhere Furthermore Itself Lifetime Meanwhile Myself Nobody"
    " Nothing Nowadays Nowhere Overnight Somebody Somehow Someone Somewhere Therefore Whereas Without Worldwide Yourself"
    " OnesSelf AllThough",
    "Here these are separate words.": "Everyday OpenCompounds EveryTime OfCourse AfterAll APart AheadAnd",
    "This word goes with another small word, or with none.": "ArriveTo Discuss DespiteOf InterestedIn AwareOf AccuseOf"
    " ComfortableWith CraveFor ExceptOf JealousOf LookForwardTo ResponsibleFor TakeCareOf FondOn ByAccident OnTheOtherHand"
    " QuantifierNeedsOf ThinkKnowOff InOnTheCards AskNoPreposition LaughOfAt AwaitFor ArriveOnWeekday",
    "The usual expression is a little different.": "DayAndAge AllIntentsAndPurposes AllOfASudden CaseInPoint DoMistake"
    " MostOfTheTimes NerveRacking BackInTheDay AsFollows MakeSense WorthToDo AtTheEndOfTheDay ByOnesOwn GetRidOf Themself"
    " InTheFirstPlace TheEntiretyOf AsOpposedTo AtAllCosts HaveTakeALook HumanBeings",
    "An apostrophe is missing: it stands for the letters left out.": "Cant Didnt ElsePossessive",
    "Look at the number: one thing, or more than one?": "ThisTypeOfThing AnotherThings CriteriaPhenomena",
    "Here it is “have”: “of” only sounds like it.": "ModalOf",
    "Two words that sound or look alike are mixed up here.": "NounVerbConfusion ThereToTheir DoesOrDose ToLoseTooLoose"
    " TheWhetherWeather"
    " ToTooIdioms WorseOrWorst ThoughThought PeaceOfMind WinPrize SafeToSave WaistWaste CeaseTo BoarderBorder Confident"
    " ThrowAway FeelFell BellowBelow Bought PronounKnew WasAloud"
    " ColdModalTypo SeamToSeem HopHope AllReady ApartFrom BetterOffPhrase"
    " ForNoun",
    "One of these words is enough.": "AnAnother TheAnother TheMy AnotherAn WillGonna AsIfThough LikeAsIf",
    "Use “I”, “he”, “they” for who does it, and “me”, “him”, “them” for the others.": "SubjectPronoun CompoundSubjectI",
}
KINDS: Mapping[str, Kind] = {_NAMES: "capitals", _BLANKS: "punctuation"}
WHY: Mapping[str, str] = {rule: why for why, rules in _RULES.items() for rule in rules.split()}
AT_ONCE = 16  # each takes five milliseconds of the processor


class CheckerUnavailable(Exception):
    """A grammar checker or a dictionary did not answer as it should, or not in time."""


class Engine:
    """Harper with the rules of WHY, loaded on a thread of its own, which takes a second; one text is checked at a time."""

    def __init__(self) -> None:
        self._linter: Linter | None = None
        self._loaded, self._busy = Event(), Lock()
        Thread(target=self._load, name="load-harper", daemon=True).start()

    def corrections(self, paragraphs: Sequence[str], seconds: float) -> list[Correction]:
        """As a Checker. What comes before Harper is loaded waits for it no longer than its time; it raises, too, where Harper
        cannot be loaded, fails, or is busy until then."""
        until = at_work() + seconds
        found: list[Correction] = []
        for at, text in pausing(enumerate(paragraphs)):
            with self._linting(until) as linter:
                organized = linter.organized_lints(text, language="plaintext")
            whole = Words(text, at)
            every = (_correction(whole, rule, one) for rule, lints in organized.items() for one in lints)
            found += [one for one in every if one]
            if at_work() > until:
                raise CheckerUnavailable("harper_away")
        return found

    def unknown(self, words: Sequence[str], seconds: float) -> dict[str, tuple[str, ...]]:
        """As a Dictionary, which is asked for AT_ONCE words at a time, with a blank between them."""
        until, offered = at_work() + seconds, dict[str, tuple[str, ...]]()
        for start in pausing(range(0, len(words), AT_ONCE)):
            some = words[start : start + AT_ONCE]
            ends = list(accumulate((len(word) + 1 for word in some), initial=0))
            with self._linting(until) as linter:
                try:
                    linter.set_lint_config({rule: rule == SPELLING for rule in linter.get_lint_config()})
                    lints = linter.organized_lints(" ".join(some), language="plaintext").get(SPELLING, [])
                finally:
                    linter.set_lint_config({rule: rule in WHY for rule in linter.get_lint_config()})
            for one in lints:
                offered[some[bisect_right(ends, one.span.start) - 1]] = tuple(each.replacement_text for each in one.suggestions)
        return offered

    @contextmanager
    def _linting(self, until: float) -> "Iterator[Linter]":
        """The linter, for one thread at a time."""
        if not self._loaded.wait(_left(until)) or not self._linter:
            raise CheckerUnavailable("harper_away")
        if not self._busy.acquire(timeout=_left(until)):
            raise CheckerUnavailable("harper_away")
        try:
            yield self._linter
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of its own is no Exception
            raise CheckerUnavailable("harper_away") from error
        finally:
            self._busy.release()

    def _load(self) -> None:
        try:
            from harper import Linter

            linter = Linter()
            linter.set_lint_config({rule: rule in WHY for rule in linter.get_lint_config()})
            self._linter = linter
        except Exception:  # reported to those who wait, because this thread has no caller
            log.warning("harper could not be loaded", exc_info=True)
        finally:
            self._loaded.set()


@cache
def engine() -> Engine:
    """The engine of this process; the first call begins to load it."""
    return Engine()


def _correction(whole: Words, rule: str, lint: "Lint") -> Correction | None:
    """Harper's first suggestion; words that are to go take the next one with them, which is what to write."""
    text = whole.text
    by_chance = rule == "RegularIrregulars"  # the order of its suggestions: "drove", "driven"
    suggested = sorted(lint.suggestions, key=lambda one: by_chance and not is_past(one.replacement_text))
    first, (start, stop) = next(iter(suggested), None), (lint.span.start, lint.span.end)
    if first is None:
        return None
    instead = f"{lint.problem_text}{first.replacement_text}" if first.kind == INSERT_AFTER else first.replacement_text
    if not instead:
        after = re.match(r"\s*\w+", text[stop:])
        stop, instead = (stop + after.end(), after[0].strip()) if after else (stop, "")
    found = whole.corrected(WHY[rule], start, stop, instead, KINDS.get(WHY[rule], "grammar"))
    return found if _holds(rule, (start, stop), instead, whole) else None


def _holds(rule: str, span: tuple[int, int], instead: str, whole: Words) -> bool:
    """Whether a rule is to be believed here: abbreviations are not asked for, nor words to be joined that may be apart."""
    text, (start, stop) = whole.text, span
    words = text[start:stop]
    believed = {
        "PronounVerbAgreement": text[max(start - 4, 0) : start].lower() != "you "  # "you friends" lacks a letter
        and not (rule == "PronounVerbAgreement" and whole.is_past),  # "he build": or "he built"
        "RegularIrregulars": not words.endswith("ys"),  # "familys" may be "families" or "family's"
        "Everyday": " " in instead and text[stop : stop + 1] != " ",  # before a noun it is one word
        "NounVerbConfusion": words.lower().startswith(("affect", "effect", "breath")),
        "OrthographicConsistency": len(words) >= MIN_NAME and words.isalpha() and f"{words}{instead[1:]}".islower(),
        "QuantifierNeedsOf": words.lower() == "lot",
        "OpenCompounds": " " in instead,
        "APart": words.endswith("of"),
        "Spaces": re.match(r"[.;!?](?:\s|$)", text[stop:]) is not None,
        "SimplePastToPastParticiple": words.lower() != "broke",
    }
    return believed.get(rule, True) and (words.strip() != "" or WHY[rule] == _BLANKS) and words != instead


def _left(until: float) -> float:
    """Seconds until then, as many as a lock can wait for: a batch has no limit."""
    return min(max(until - at_work(), 0), TIMEOUT_MAX)
