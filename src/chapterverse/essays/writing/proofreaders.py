"""Grammar checkers: Harper in this process, or the school's own LanguageTool server (its HTTP API, POST /v2/check).

Essays go to no other address than the configured one of LanguageTool: redirects are not followed, and proxies of the
environment are ignored. Of Harper's 900 rules some 140 are asked, each with a text for pupils: together they were right in
.945 of the places read in real essays (data/grammar_judged.json of scripts/eval); single rules are too rare to tell."""

import logging
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from threading import Event, Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING

import httpx
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from chapterverse.citations.quotations import overlap
from chapterverse.core.errors import ProofreaderUnavailable
from chapterverse.core.words import word_set
from chapterverse.essays.model import Dimension
from chapterverse.essays.writing.confusions import AGREEMENT, APOSTROPHE, CONFUSED, PLURAL, PREPOSITION, THAN, THIRD_FORM
from chapterverse.essays.writing.grammar import A_OR_AN, LETTERED
from chapterverse.essays.writing.lexicon import BASE_OF_THIRD_PERSON, BASES, COUNTED, MASS, PLURAL_NOUNS
from chapterverse.essays.writing.writing import Mistake, not_corrected

if TYPE_CHECKING:
    from harper import Lint as HarperLint
    from harper import Linter

BETWEEN = "\n\n"  # paragraphs, for LanguageTool
OF_STYLE = {"style", "register", "locale-violation"}  # its issue types (ITS 2.0, 8.10) that are about tone
MAX_ANSWER_BYTES = 4 * 2**20  # of an answer
MAX_MESSAGE_LENGTH = 300  # characters of a message
SPELLING = "SpellCheck"  # Harper's rule
INSERT_AFTER = 2  # the kind of Harper's suggestions that add words
log = logging.getLogger(__name__)


class _Replacement(BaseModel):
    value: str


class _Rule(BaseModel):
    issue_type: str = Field("", alias="issueType")


class _Match(BaseModel):
    """A match in LanguageTool's response. offset and length count UTF-16 units, as Java does."""

    message: str
    offset: int = Field(ge=0)
    length: int = Field(ge=1)
    replacements: list[_Replacement] = []
    rule: _Rule = _Rule()


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore")

    matches: list[_Match]


@dataclass(frozen=True, slots=True)
class LanguageTool:
    """A Proofreader by LanguageTool. url: what precedes /v2/check. language: "en" checks no spelling, "en-GB" does."""

    url: str
    language: str = "en"

    def __call__(self, paragraphs: Sequence[str], seconds: float) -> list[Mistake]:
        text = BETWEEN.join(paragraphs).encode("utf-16-le", "replace")
        form = {"text": text.decode("utf-16-le"), "language": self.language}
        try:
            answer = _Answer.model_validate_json(self._post(form, seconds))
        except ValidationError:
            raise ProofreaderUnavailable("languagetool_not_at_url") from None  # pydantic's own error quotes what was answered
        return list(_mistakes(answer, text, paragraphs))

    def _post(self, form: dict[str, str], seconds: float) -> bytes:
        """The response's bytes. Raises ProofreaderUnavailable after `seconds`, for an error, and beyond MAX_ANSWER_BYTES."""
        until, data = monotonic() + seconds, b""
        try:
            with (
                httpx.Client(timeout=max(seconds, 0.001) / 2, trust_env=False) as http,
                http.stream("POST", f"{self.url.rstrip('/')}/v2/check", data=form) as response,
            ):
                if response.status_code != httpx.codes.OK:
                    raise ProofreaderUnavailable("languagetool_away" if response.is_server_error else "languagetool_not_at_url")
                for part in response.iter_bytes():
                    data += part
                    if monotonic() > until or len(data) > MAX_ANSWER_BYTES:
                        raise ProofreaderUnavailable("languagetool_away")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ProofreaderUnavailable("languagetool_away") from error
        return data


def _mistakes(answer: _Answer, text: bytes, paragraphs: Sequence[str]) -> Iterator[Mistake]:
    """The mistakes that lie within one paragraph."""
    starts = list(accumulate((len(each) + len(BETWEEN) for each in paragraphs[:-1]), initial=0))
    for match in answer.matches:
        start, end = (_characters(text, units) for units in (match.offset, match.offset + match.length))
        paragraph = bisect_right(starts, start) - 1
        if start < end <= starts[paragraph] + len(paragraphs[paragraph]):
            style = match.rule.issue_type in OF_STYLE
            yield Mistake(
                paragraph,
                start - starts[paragraph],
                end - starts[paragraph],
                " ".join(match.message.split())[:MAX_MESSAGE_LENGTH],
                match.replacements[0].value[:MAX_MESSAGE_LENGTH] if match.replacements else None,
                Dimension.FEATURES if style else Dimension.EXPRESSIONS,
            )


def _characters(text: bytes, units: int) -> int:
    """The number of characters in the first `units` units of UTF-16."""
    return len(text[: 2 * units].decode("utf-16-le", "ignore"))


THEIR = "“Their” means that it belongs to them. “There” is a place, “they’re” is short for “they are”."
THERE = "It is “there” here: “there is”, “there are”. “Their” means that it belongs to them."
ITS = "“Its” tells whose something is. “It’s” is short for “it is”."
IT_IS = "“It’s” is short for “it is” or “it has”, and needs its apostrophe."
YOU_ARE = "“You’re” is short for “you are”. “Your” tells whose something is."
BASE_FORM = "After this word the verb has no ending: did go, will go, let her go."
PERSONAL_I = "“I” is always a capital."
SENTENCE = "A sentence begins with a capital letter."
NAME = "Names of places, peoples, languages, days and months begin with a capital letter."
COMPARISON = "Show the comparison once: “happier” alone says “more happy”."
ONE_WORD = "Here this is one word."
TWO_WORDS = "Here these are separate words."
EXPRESSION = "The usual expression is a little different."
OWN_FORM = "This word has a form of its own: one city, two cities; I sing, I sang, I have sung."
UNCOUNTED = "This word has no plural: there is only “much” of it."
ONE_IS_ENOUGH = "One of these words is enough."
AFFECT = "To “affect” is what something does; the “effect” is what comes of it."
MISSING_BE = "A “be” is missing here: it can be seen."
PRONOUN = "Use “I”, “he”, “they” for who does it, and “me”, “him”, “them” for the others."

ADVICE: dict[str, tuple[str, ...]] = {  # to Harper's rules
    A_OR_AN: ("AnA",),
    THEIR: ("ThereToTheir", "ThereOwn", "TheyreToTheir", "TheirToTheyre"),
    THERE: ("TheirToThere", "Theres"),
    ITS: ("ItsPossessive",),
    IT_IS: ("ItsContraction",),
    YOU_ARE: ("YourPredicateAdjective",),
    THAN: ("ThenThan",),
    AGREEMENT: ("PronounVerbAgreement", "IAmAgreement", "IDo", "HeDos", "ThereIsAgreement", "HavePronoun"),
    BASE_FORM: ("DidPast", "HelpedPast", "WillNonLemma", "LetToDo"),
    THIRD_FORM: ("SimplePastToPastParticiple", "IsBeenAuxSequence", "Payed", "CanBeSeen", "SupposedTo", "UseToUsedTo",
        "IsKnownFor"),
    PERSONAL_I: ("CapitalizePersonalPronouns",),
    SENTENCE: ("SentenceCapitalization",),
    NAME: ("OrthographicConsistency", "UnitedOrganizations", "Months", "Countries", "NationalCapitals", "NotablePlaces"),
    COMPARISON: ("MoreBetter", "AdjectiveDoubleDegree", "RedundantSuperlatives"),
    ONE_WORD: (
        "Anybody", "Anyhow", "Anywhere", "Everybody", "Everyone", "Everywhere", "Furthermore", "Itself", "Lifetime",
        "Meanwhile", "Myself", "Nobody", "Nothing",
        "Nowadays", "Nowhere", "Overall", "Overnight", "Somebody", "Somehow", "Someone",
        "Somewhere", "Therefore", "Whereas", "Without", "Worldwide", "Yourself", "OnesSelf", "AllThough",
    ),
    TWO_WORDS: ("OpenCompounds", "Everyday", "EveryTime", "OfCourse", "AWhile", "AfterAll", "APart", "AheadAnd"),
    PREPOSITION: (
        "ArriveTo", "Discuss", "DespiteOf", "InterestedIn", "AwareOf", "AccuseOf", "ComfortableWith", "CraveFor", "ExceptOf",
        "JealousOf", "LookForwardTo", "ResponsibleFor", "TakeCareOf", "FondOn", "ByAccident", "OnTheOtherHand",
        "QuantifierNeedsOf", "ThinkKnowOff", "InOnTheCards", "AskNoPreposition",
        "LaughOfAt", "AwaitFor", "ArriveOnWeekday",
    ),
    EXPRESSION: (
        "DayAndAge", "AllIntentsAndPurposes", "AllOfASudden", "CaseInPoint", "DoMistake", "MostOfTheTimes", "NerveRacking",
        "BackInTheDay", "AsFollows", "MakeSense", "WorthToDo", "AtTheEndOfTheDay", "ByOnesOwn", "GetRidOf", "Themself",
        "InTheFirstPlace", "TheEntiretyOf", "AsOpposedTo", "AtAllCosts", "HaveTakeALook", "HumanBeings",
    ),
    APOSTROPHE: ("Cant", "Didnt", "LetsConfusion", "ElsePossessive"),
    MISSING_BE: ("ModalBeAdjective",),
    PLURAL: ("OneOfTheSingular", "ThisTypeOfThing", "AnotherThings", "CriteriaPhenomena"),
    OWN_FORM: ("RegularIrregulars",),
    UNCOUNTED: ("MassNouns",),
    CONFUSED: (
        "DoesOrDose", "ToLoseTooLoose", "TheWhetherWeather", "WayTooAdjective", "ToTwoToo", "ToTooIdioms", "TooTo",
        "WorseOrWorst", "ThingThink", "ThoughThought", "ModalOf", "PeaceOfMind", "WinPrize", "SafeToSave", "WaistWaste",
        "CeaseTo", "BoarderBorder", "Confident", "ThrowAway", "FeelFell", "BellowBelow", "Bought", "PronounKnew", "WasAloud",
        "ColdModalTypo", "SeamToSeem", "HopHope", "AllReady", "Whereas", "ApartFrom", "BetterOffPhrase", "ForNoun",
    ),
    ONE_IS_ENOUGH: ("AnAnother", "TheAnother", "TheMy", "DoubleModal", "AnotherAn", "WillGonna", "AsIfThough", "LikeAsIf"),
    AFFECT: ("NounVerbConfusion",),
    PRONOUN: ("SubjectPronoun", "TheyToThem", "CompoundSubjectI"),
}  # fmt: skip
TEXTS = {rule: text for text, rules in ADVICE.items() for rule in rules}

_OF_NAMES = re.compile(
    r"(?:Africa|America|Asia|Austria|Canada|Colombia|Cuba|Egypt|England|Europe|Florida|France|Germany|Greece|India|Ireland|Israel"
    r"|Italy|Japan|London|Mexico|Paris|Russia|Scotland|Spain|Texas|Africans?|Americans?|Asians?|Britain|British|Canadians?"
    r"|Chinese|Christians?|Christianity|English|Europeans?|French|Germans?|Indians?|Irish|Italians?|Japanese|Jewish|Mexicans?"
    r"|Muslims?|Russians?|Spanish|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Christmas)s?"
)
_ENDS = re.compile(r"[^\W\d_]{3,}[.!?][\"”’)]* $")
_OPENERS = re.compile(
    r"\b(?:is|was|be|been|as|of|in|for|to|with|at|have|has|had|by|such|not|on|make|makes|creating|get|become|into|need|like|this)\s$"
)
_NO_OBJECT = re.compile(
    r"\W*(?:on|of|that|to|from|in|are|is|was|were|have|has|which|when|for|can|will)\b|\s*[.,;:!?]|\s*$", re.IGNORECASE
)
_ASKS = re.compile(r"\s(?:why|how|what|who|when)\b", re.IGNORECASE)
_WHEN = re.compile(
    r"\s*(?:[.,;:!?)]|$)|\s(?:to|for|and|the|in|on|at|because|we|i|you|they|he|she|people|by|but|so|from|with|when)\b",
    re.IGNORECASE,
)
_BELONGS = re.compile(r"\b(?:the|our|an|my|their|your|his|her|its|these|those|of|some|most)\s$", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"\b(?:in|on|of|to|with|for|at|by|from|into|about|and|has|have|had|found|made|lost|changed|improved)\s$", re.IGNORECASE
)
_OF_THEM = re.compile(
    r"\b(?:of|and|or|nor|than|like|for|let|make|see|with|help) (?:us|them|you|me|it|he|she|they|we|i)\s$", re.IGNORECASE
)
_NO_ARTICLE = re.compile(r"\S|\s+AA")  # "A&M" and "A+" are names and marks, and "AAA" is spoken as "triple A"
_STANDS_THERE = re.compile(
    r"\s+(?:(?:needs?|used|ha[sd]|have) to|seems?|remains?|exists?|appears?|comes|stands)\s", re.IGNORECASE
)
_SELF = re.compile(r"\s+sel[fv]", re.IGNORECASE)
_SUPPOSED = re.compile(r"\b(?:if|though|wish|wishes|wished) there \Z", re.IGNORECASE)
_ADDS_ARTICLE = re.compile(r"(?:is|was) an? ")
_IF = re.compile(r"\b(?:if|when|once|after|because)\b[^.!?]*\Z", re.IGNORECASE)  # "if it is longer, then"
_OF_A_PERSON = re.compile(
    r"\s+(?:else|should|would|could|can|will|must|knows?|thinks?|wants?|needs?|likes?|loves?|says?|feels?|agrees?|believes?)\b",
    re.IGNORECASE,
)
_WORD_AFTER = re.compile(r"\s*(\w+)")
_SPEAKS = re.compile(r"asked|said|says|cried|shouted|thought|wrote|i")
_VERB_OR_NOUN = {"effect", "effects", "affect", "affects", "breath", "breathe", "advice", "advise"}


_IS_THING = re.compile(r"\b(?:an?|the|this|that|these|one|no|any|such|its|their|our|of)\s(?:\w+\s)?$", re.IGNORECASE)
_OF_PASSIVE = re.compile(r"\s\w+ed (?:to|that|by)\b")  # "could be a expected to": the article is one too many
_CITED = re.compile(r"\s+\d")  # "source 1: Miller"
_THEY_ARE = re.compile(
    r"\s(?:not|going|gonna|all|just|very|so|too|always|never|still|a|an|the|in|on|at|trying|doing|being|also)\b", re.IGNORECASE
)
_TIME = re.compile(r"\s(?:today|now|tomorrow|yesterday|tonight|then|again|every|all|each|this|that|last|next)\b", re.IGNORECASE)
SUBJECTS = word_set("i you he she it we they there this")
_OF_BE = word_set("am is are was were has have does do doesn't don't hasn't haven't wasn't weren't isn't aren't")


def _may_be_verb(word: str) -> bool:
    return word in BASES or word in BASE_OF_THIRD_PERSON or word.replace("’", "'") in _OF_BE


def _word_after(one: "Lint") -> str:
    found = _WORD_AFTER.match(one.after)
    return found[1].lower() if found else ""


def _word_after_of(one: "Lint") -> str:
    found = re.match(r"\s*of (\w+)", one.after)
    return found[1].lower() if found else ""


@dataclass(frozen=True, slots=True)
class Lint:
    """What a rule of Harper found. before, after: the text around it; instead: the first correction of the words."""

    words: str
    instead: str
    before: str
    after: str


GUARDS: dict[str, Callable[[Lint], object]] = {  # of a rule that is right only where these hold
    "AnA": lambda one: (
        (
            (one.words == "a" or (one.words == "A" and (not one.before.strip() or _ENDS.search(one.before))))
            and not _OF_PASSIVE.match(one.after)
            and not _NO_ARTICLE.match(one.after)
            and not LETTERED.search(f"{one.before}{one.words}")
        )
        or (
            one.words.lower() == "an"
            and _OPENERS.search(one.before)
            and not _WHEN.match(one.after)
            and not re.match(r" (?:that|it|is|are|your|my|their|this)\b", one.after)
        )
    ),
    "APart": lambda one: one.after.startswith(" of") or one.words.endswith("of"),
    "AWhile": lambda one: one.words.lower() == "awhile",
    "DoubleModal": lambda one: len(set(one.words.lower().split())) > 1,
    "Everyday": lambda one: one.instead.lower() == "every day" and not _BELONGS.search(one.before) and _WHEN.match(one.after),
    "Everyone": lambda one: _OF_A_PERSON.match(one.after),
    "ItsPossessive": lambda one: _PREPOSITION.search(one.before),
    "LetsConfusion": lambda one: one.words.lower() == "lets" and one.instead.lower().replace("’", "'") == "let's",
    "MassNouns": lambda one: one.instead.lower().rpartition(" ")[2] in MASS,
    "ModalBeAdjective": lambda one: re.match(r"\s\w+(?:ed|en)\b", one.after),
    "NounVerbConfusion": lambda one: (
        one.words.lower() in _VERB_OR_NOUN
        and not (one.words.lower().startswith("effect") and (_NO_OBJECT.match(one.after) or _IS_THING.search(one.before)))
    ),
    "OneOfTheSingular": lambda one: one.words.lower() not in {"million", "hundred", "thousand", "billion"},
    "OpenCompounds": lambda one: " " in one.instead,
    "OrthographicConsistency": lambda one: _OF_NAMES.fullmatch(one.instead),
    "Overall": lambda one: not re.match(r"\s(?:the|of|these|those|our)\b", one.after),
    "PronounVerbAgreement": lambda one: (
        one.words.lower() not in {"dose", "places"} and not _OF_THEM.search(one.before) and _may_be_verb(one.words.lower())
    ),
    "QuantifierNeedsOf": lambda one: one.words.lower() == "lot",
    "SentenceCapitalization": lambda one: (
        not _SPEAKS.fullmatch(one.words)
        and not _CITED.match(one.after)
        and (not one.before.strip() or _ENDS.search(one.before))
    ),
    "ThereIsAgreement": lambda one: (
        not _SUPPOSED.search(one.before)
        and (not _ADDS_ARTICLE.match(one.instead) or one.instead.rpartition(" ")[2] in COUNTED.keys() | {"lot"})
        and (not re.search(r"lots\b", one.words, re.IGNORECASE) or _word_after_of(one) in PLURAL_NOUNS)
    ),
    "TheirToTheyre": lambda one: _THEY_ARE.match(one.after),
    "ThereToTheir": lambda one: not any(each.match(one.after) for each in (_STANDS_THERE, _TIME, _SELF)),
    "TheyToThem": lambda one: not _word_after(one),  # "for they future"
    "SimplePastToPastParticiple": lambda one: one.words.lower() != "broke",  # also "without money"
    "ThenThan": lambda one: not (_ASKS.match(one.after) or _IF.search(one.before)),
    "TooTo": lambda one: _word_after(one) in BASES,
    "ToTwoToo": lambda one: one.words.lower() == "too" and _word_after(one) not in SUBJECTS,
}


class Engine:
    """Harper with the rules of ADVICE, loaded on a thread of its own, which takes a second; one text is checked at a time."""

    def __init__(self) -> None:
        self._linter: Linter | None = None
        self._loaded, self._busy = Event(), Lock()
        Thread(target=self._load, name="load-harper", daemon=True).start()

    def organized(self, text: str, until: float) -> "dict[str, list[HarperLint]]":
        """What each rule found, by its name. Raises ProofreaderUnavailable if Harper cannot be loaded, fails, or is busy until
        then, a time of monotonic()."""
        with self._linting(until) as linter:
            return linter.organized_lints(text, language="plaintext")

    def misspelt(self, words: Sequence[str], until: float) -> "list[HarperLint]":
        """The words, with a blank between them, that its dictionary does not have. Raises as organized does."""
        with self._linting(until) as linter:
            try:
                linter.set_lint_config({rule: rule == SPELLING for rule in linter.get_lint_config()})
                return linter.organized_lints(" ".join(words), language="plaintext").get(SPELLING, [])
            finally:
                linter.set_lint_config({rule: rule in TEXTS for rule in linter.get_lint_config()})

    @contextmanager
    def _linting(self, until: float) -> "Iterator[Linter]":
        """The linter, for one thread at a time."""
        if not self._loaded.wait(max(until - monotonic(), 0)) or not self._linter:
            raise ProofreaderUnavailable("harper_away")
        if not self._busy.acquire(timeout=max(until - monotonic(), 0)):
            raise ProofreaderUnavailable("harper_away")
        try:
            yield self._linter
        except (KeyboardInterrupt, SystemExit):
            raise
        except BaseException as error:  # a panic of its own is no Exception
            raise ProofreaderUnavailable("harper_away") from error
        finally:
            self._busy.release()

    def _load(self) -> None:
        try:
            from harper import Linter

            linter = Linter()
            linter.set_lint_config({rule: rule in TEXTS for rule in linter.get_lint_config()})
            self._linter = linter
        except Exception:  # reported by organized, because this thread has no caller
            log.warning("harper could not be loaded", exc_info=True)
        finally:
            self._loaded.set()


@cache
def engine() -> Engine:
    """The engine of this process; the first call begins to load it."""
    return Engine()


@dataclass(frozen=True, slots=True)
class Harper:
    """A Proofreader of English by Harper. An essay that comes before it is loaded waits for it no longer than its time."""

    engine: Callable[[], Engine] = engine

    def __call__(self, paragraphs: Sequence[str], seconds: float) -> list[Mistake]:
        until = monotonic() + seconds
        found: list[Mistake] = []
        for at, text in enumerate(paragraphs):
            found += _in_paragraph(at, text, self.engine().organized(text, until))
            if monotonic() > until:
                raise ProofreaderUnavailable("harper_away")
        return found


@dataclass(frozen=True, slots=True)
class HarperWords:
    """Harper's dictionary."""

    engine: Callable[[], Engine] = engine

    def __call__(self, words: Sequence[str], seconds: float) -> dict[str, tuple[str, ...]]:
        """The words that it does not have, each with what it offers instead. Raises ProofreaderUnavailable."""
        ends = list(accumulate((len(word) + 1 for word in words), initial=0))
        found = self.engine().misspelt(words, monotonic() + seconds)
        return {
            words[bisect_right(ends, one.span.start) - 1]: tuple(each.replacement_text for each in one.suggestions)
            for one in found
        }


def _in_paragraph(at: int, text: str, organized: "dict[str, list[HarperLint]]") -> Iterator[Mistake]:
    """The mistakes outside quotations, in reading order, one of those that overlap."""
    quoted, end = not_corrected(text), 0
    spans = [(lint.span.start, lint.span.end, rule, lint) for rule, lints in organized.items() for lint in lints]
    for start, stop, rule, lint in sorted(spans, key=lambda one: one[:3]):
        seen = _seen(lint, text, start, stop)
        if start >= end and not overlap((start, stop), quoted) and _holds(rule, seen):
            end = start + len(seen.words)
            text_of_rule = CONFUSED if rule == "NounVerbConfusion" and "ffect" not in seen.words else TEXTS[rule]
            yield Mistake(at, start, end, text_of_rule, seen.instead or None, Dimension.EXPRESSIONS)


def _holds(rule: str, seen: Lint) -> bool:
    return seen.words.strip() != "" and (rule not in GUARDS or bool(GUARDS[rule](seen)))


def _seen(lint: "HarperLint", text: str, start: int, stop: int) -> Lint:
    """The lint with Harper's first suggestion; words that are to go take the next one with them, which is what to write."""
    first, instead = next(iter(lint.suggestions), None), ""
    after = _WORD_AFTER.match(text, stop)
    if first and not first.replacement_text and after:
        stop, instead = after.end(), after[1]
    elif first:
        instead = f"{lint.problem_text}{first.replacement_text}" if first.kind == INSERT_AFTER else first.replacement_text
    if instead == "AN" and text[start:stop] == "A":  # it takes the capital for one of a word in capitals
        instead = "An"
    return Lint(text[start:stop], instead, text[:start], text[stop:])
