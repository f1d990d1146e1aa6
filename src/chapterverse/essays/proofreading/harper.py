"""Harper in this process: its grammar checker and its dictionary.

Of its 900 rules those are asked that need no more than their own judgement: together with others that are no longer asked they
were right in .945 of the places read in real essays (data/grammar_judged.json of scripts/eval); single rules are too rare to
tell. What pupils often confuse is found by the pairs of words and the tables in rules.py."""

import logging
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from threading import TIMEOUT_MAX, Lock
from typing import TYPE_CHECKING

from chapterverse.core.turns import at_work, pausing
from chapterverse.essays.model import Correction
from chapterverse.essays.proofreading.rules import Words
from chapterverse.essays.proofreading.words import is_form, past

if TYPE_CHECKING:
    from harper import Lint, Linter

SPELLING = "SpellCheck"  # its rule
INSERT_AFTER = 2  # the kind of its suggestions that add words
MIN_NAME = 4  # letters
log = logging.getLogger(__name__)

_BLANKS = "A blank goes after a comma, and none before a mark."
_RULES: dict[str, str] = {
    "A name begins with a capital letter.": "OrthographicConsistency UnitedOrganizations Months Countries NationalCapitals"
    " NotablePlaces",
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
    "Here these are separate words.": "Everyday OpenCompounds EveryTime OfCourse AfterAll",
    "This word goes with another small word, or with none.": "ArriveTo Discuss DespiteOf InterestedIn AwareOf ExceptOf"
    " LookForwardTo ResponsibleFor TakeCareOf FondOn ByAccident OnTheOtherHand QuantifierNeedsOf AskNoPreposition LaughOfAt",
    "The usual expression is a little different.": "DayAndAge AllOfASudden DoMistake MostOfTheTimes BackInTheDay MakeSense"
    " WorthToDo AtTheEndOfTheDay ByOnesOwn GetRidOf Themself InTheFirstPlace HumanBeings",
    "Here it is “have”: “of” only sounds like it.": "ModalOf",
    "Two words that sound or look alike are mixed up here.": "NounVerbConfusion ThereToTheir DoesOrDose ToLoseTooLoose"
    " TheWhetherWeather ToTooIdioms WorseOrWorst ThoughThought PeaceOfMind Confident Bought PronounKnew WasAloud AllReady",
    "One of these words is enough.": "AnAnother TheAnother TheMy AnotherAn WillGonna AsIfThough LikeAsIf",
    "Use “I”, “he”, “they” for who does it, and “me”, “him”, “them” for the others.": "SubjectPronoun CompoundSubjectI",
}
WHY: Mapping[str, str] = {rule: why for why, rules in _RULES.items() for rule in rules.split()}
AT_ONCE = 16  # each takes five milliseconds of the processor


class CheckerUnavailable(Exception):
    """A grammar checker or a dictionary did not answer as it should, or not in time."""


class Engine:
    """Harper, which is loaded at first use; one text is checked at a time. up: a time of at_work()."""

    def __init__(self) -> None:
        self._busy = Lock()

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
        if not self._busy.acquire(timeout=min(max(up - at_work(), 0), TIMEOUT_MAX)):  # a batch has no limit
            raise CheckerUnavailable
        try:
            return self._linters[spelling].organized_lints(text, language="plaintext")
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of its own is no Exception; its words may be the essay's
            log.warning("harper failed", extra={"error": type(error).__name__})
            raise CheckerUnavailable from error
        finally:
            self._busy.release()


HARPER = Engine()


def _correction(whole: Words, rule: str, lint: "Lint") -> Correction | None:
    """Harper's first suggestion; words that are to go take the next one with them, which is what to write."""
    text = whole.text
    by_chance = rule == "RegularIrregulars"  # the order of its suggestions: "drove", "driven"
    suggested = sorted(lint.suggestions, key=lambda one: by_chance and not is_form(one.replacement_text, past))
    first, (start, stop) = next(iter(suggested), None), (lint.span.start, lint.span.end)
    if first is None:
        return None
    instead = f"{lint.problem_text}{first.replacement_text}" if first.kind == INSERT_AFTER else first.replacement_text
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
        and not (rule == "PronounVerbAgreement" and whole.is_past),  # "he build": or "he built"
        "RegularIrregulars": not words.endswith("ys"),  # "familys" may be "families" or "family's"
        "Everyday": " " in instead and text[stop : stop + 1] != " ",  # before a noun it is one word
        "NounVerbConfusion": words.lower().startswith(("affect", "effect", "breath")),
        "OrthographicConsistency": len(words) >= MIN_NAME and words.isalpha() and f"{words}{instead[1:]}".islower(),
        "QuantifierNeedsOf": words.lower() == "lot",
        "OpenCompounds": " " in instead,
        "Spaces": re.match(r"[.;!?](?:\s|$)", text[stop:]) is not None,
        "SimplePastToPastParticiple": words.lower() != "broke",
    }
    return believed.get(rule, True) and (words.strip() != "" or WHY[rule] == _BLANKS) and words != instead
