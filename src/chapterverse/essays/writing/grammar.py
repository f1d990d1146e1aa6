"""Rules of grammar where the words near leave no doubt: those on verbs, and here number, articles, comparison and pronouns.

Each rule looks at one word and those around it, and tells what is wrong, or nothing. What patterns find is in slips.py."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import takewhile

from chapterverse.core.words import word_set
from chapterverse.essays.writing.clauses import JOINS, Clauses, GrammarMistake
from chapterverse.essays.writing.confusions import AGREEMENT, BASE_FORM, COUNTED_BY, PLURAL, PREPOSITION, THAN
from chapterverse.essays.writing.lexicon import (
    ADJECTIVES,
    BASE_OF_PAST,
    BASE_OF_THIRD_PERSON,
    BASES,
    COMPARATIVES,
    COUNTED,
    MASS,
    PERSONS,
    PLURAL_NOUNS,
    VERBS,
)
from chapterverse.essays.writing.verbs import VERB_RULES

UNCOUNTED = "This word has no plural and no “a”: some homework, much information."
ONE_OR_MORE = (
    "One thing that you can count needs “a” or “the”, and of several the word ends in “-s”: in a big city, in big cities."
)
ARTICLE = "A thing that you can count needs “a”, “an” or “the”: it is a good idea."
A_OR_AN = "“A” goes before a consonant sound, “an” before a vowel sound: a dog, an apple, an hour."
THE = "“The” is missing: the same day, the first time."
COMPARISON = "Short words take “-er”: easier, not “more easy”."
TWICE_NO = "One “no” is enough: I don’t have any, or I have none."
SUBJECT_TWICE = "The subject stands here twice: my mother works, not “my mother she works”."
SUBJECT_MISSING = "The sentence needs its “it”: it is important."
FEELS = "A film is boring, and so I am bored."
OWNER = "Tell whose it is by ’s: my friend’s house."
TELL = "You say something, but you tell somebody: he told me."
OBJECT = "After a small word such as “with” it is “me”, “him”, “her”, “us”, “them”."
WHO = "For people it is “who”; “which” is for things."

MANY = word_set("these those many several few two three four five six seven eight nine ten both various")
OF_MANY = word_set("main major biggest best worst most important largest greatest common dangerous famous popular easiest only")
VERBS_TOO = word_set("""
    plants heads hands stores types crashes eyes farms tools screens people results states questions marks objects parties
    tests pages limits plans shows places times
""")
NO_ARTICLE = word_set(
    "future past time school class college university law culture sport homework television fight dream home exercise"
)
NO_ARTICLE_AFTER = NO_ARTICLE | word_set("part reason result season example")  # after "in", "with" and "as"
LINES = word_set("bus tram train line room")  # which have numbers
OWNED = word_set("car dog bike job house brother sister computer phone idea problem")
OF_PERSONS = word_set("house phone car room job life name birthday family computer")
TAKES_ARTICLE = word_set("is was it's that's be become became becomes has had have need needs needed want wants bought found")
NEEDS_IT = word_set("important necessary difficult impossible possible easy hard true")
FEELING = {"boring": "bored", "exciting": "excited", "tiring": "tired", "surprising": "surprised", "interesting": "interested"}
OBJECTS = {"she": "her", "he": "him", "they": "them", "we": "us"}
ANY = {"no": "any", "nothing": "anything", "nobody": "anybody"}
VOWEL_SOUNDS = word_set("old open opinion opportunity object uncle ugly unfair hour")
CONSONANT_SOUNDS = word_set("useful uniform university united")
SINGULARS = {more: one for one, more in COUNTED.items()}


def many_problem(t: Clauses, at: int) -> GrammarMistake | None:
    """Many problem; two year; many homework."""
    noun = at + 2 if t.after(at) in ADJECTIVES else at + 1
    thing, following = t.after(at, noun - at), t.after(noun)
    verb = t[at] in {"many", "several", "few"} and (
        following in VERBS or following in BASE_OF_THIRD_PERSON.keys() - PLURAL_NOUNS
    )
    if not _is_many(t, at) or not (t.ends(noun) or verb):
        return None
    if thing in MASS and t[at] in {"many", "these", "few"}:
        return GrammarMistake(COUNTED_BY, (at, at + 1), {"many": "much", "these": "this", "few": "little"}[t[at]])
    one = t.before(at) in word_set("a one this that source paragraph chapter grade") | COUNTED.keys()
    unclear = thing in {"time", "future", "past"} or (t[at] == "those" and t.before(at))
    return GrammarMistake(PLURAL, (noun, noun + 1), COUNTED[thing]) if thing in COUNTED and not one and not unclear else None


def _is_many(t: Clauses, at: int) -> bool:
    money = t.text[max(t.words[at].start - 1, 0)] in "$€£.,/:"
    number = t[at].isdigit() and t[at] not in {"0", "1"} and len(t[at]) < len("1000") and not money and t.after(at) not in LINES
    return t[at] in MANY or number or (t[at] == "of" and t.before(at) in {"lots", "hundreds", "thousands"})


def one_of_my_friend(t: Clauses, at: int) -> GrammarMistake | None:
    """One of my friend; one of the main problem; most of the student."""
    group, noun = t.before(at, 2), at + 1
    if t.before(at) != "of" or t[at] not in word_set("my the our his her their these"):
        return None
    while noun < at + 3 and t[noun] in ADJECTIVES | OF_MANY:
        noun += 1
    thing = t.after(at, noun - at)
    if not t.ends(noun) or thing not in COUNTED:
        return None
    some = group in {"most", "some", "many", "all"} and thing in PERSONS | {"teenager", "tourist"}
    one = group == "one" and thing not in {"family", "team", "class", "group"}
    return GrammarMistake(PLURAL, (noun, noun + 1), COUNTED[thing]) if one or some else None


def a_cars(t: Clauses, at: int) -> GrammarMistake | None:
    """A cars; each students; this problems; much cars."""
    thing = t.after(at)
    if not t.ends(at + 1) or thing not in PLURAL_NOUNS:
        return None
    if t[at] in word_set("each every another a one") and t.before(at) != "now" and not t.before(at).endswith("ty"):
        return GrammarMistake(PLURAL, (at + 1, at + 2), SINGULARS[thing]) if thing in SINGULARS.keys() - VERBS_TOO else None
    if t[at] == "this" and thing not in VERBS_TOO:
        return GrammarMistake(PLURAL, (at, at + 1), "these")
    if t[at] == "less" and t.before(at) not in {"or", "and", "than"}:
        return GrammarMistake(COUNTED_BY, (at, at + 1), "fewer")
    return GrammarMistake(COUNTED_BY, (at, at + 1), "many") if t[at] == "much" and t.before(at) != "how" else None


def a_homework(t: Clauses, at: int) -> GrammarMistake | None:
    """A homework; an information."""
    thing = t.after(at)
    whole = t.ends(at + 1) and t.after(at + 1) not in {"of", "to"}
    return (
        GrammarMistake(UNCOUNTED, (at, at + 2), thing)
        if t[at] in {"a", "an"} and thing in MASS - {"water", "music"} and whole
        else None
    )


def childrens(t: Clauses, at: int) -> GrammarMistake | None:
    """The childrens; womans; this are."""
    word = t.after(at)
    if t[at] == "this" and word in {"are", "were"} and t.opens(at) and t.before(at) != "if":
        return GrammarMistake(PLURAL, (at, at + 1), "these")
    if t[at] not in {"childrens", "womans", "mans", "mens"} or t.text[t.words[at].end : t.words[at].end + 1] in {"'", "’"}:
        return None
    right = {"womans": "women", "childrens": "children"}.get(t[at], "men")
    alone = t.ends(at) or word in BASES or word in BASE_OF_THIRD_PERSON or word in BASE_OF_PAST
    return GrammarMistake(PLURAL, (at, at + 1), right if alone else f"{right}'s")


def is_good_idea(t: Clauses, at: int) -> GrammarMistake | None:
    """Is good idea; is very good idea; in big city."""
    first = at + 2 if t.after(at) in {"very", "really"} else at + 1
    adjective, noun = t[first], t.after(first)
    if not t.has(at, first) or adjective not in ADJECTIVES - {"little", "better"} | {"right", "wrong"} or not t.ends(first + 1):
        return None
    verb = t[at] in TAKES_ARTICLE and noun in COUNTED.keys() - NO_ARTICLE and t.before(at) not in {"what", "which", "how"}
    small = (
        t[at] in {"in", "with", "as"} and adjective not in {"real", "different"} and noun in COUNTED.keys() - NO_ARTICLE_AFTER
    )
    if not (verb and not t.asks(first)) and not (small and t.after(first + 1) != "or"):
        return None
    if t[at] == "in":
        return GrammarMistake(ONE_OR_MORE, (at + 1, first + 2), None)
    return GrammarMistake(ARTICLE, (at + 1, at + 2), f"{_a(t[at + 1])} {t[at + 1]}")


def am_student(t: Clauses, at: int) -> GrammarMistake | None:
    """I am student; have dog."""
    thing = t.after(at)
    person = t[at] in word_set("am i'm is was become be became") and thing in word_set(
        "doctor teacher engineer student lawyer nurse"
    )
    owned = t[at] in word_set("have has had buy bought") and thing in OWNED and t.after(at + 1) not in {"and", "or", "to"}
    clear = t.ends(at + 1) and not t.asks(at)
    return GrammarMistake(ARTICLE, (at + 1, at + 2), f"{_a(thing)} {thing}") if (person or owned) and clear else None


def same_time(t: Clauses, at: int) -> GrammarMistake | None:
    """Have same problem; was first time; in morning."""
    thing = t.after(at)
    if t[at] == "same" and t.before(at) in word_set("have has had at in do wear is of with to for go"):
        return (
            GrammarMistake(THE, (at, at + 1), "the same") if thing in COUNTED or thing in {"time", "clothes", "way"} else None
        )
    if t[at] == "in" and thing in {"morning", "evening", "afternoon"} and t.ends(at + 1):
        return GrammarMistake(THE, (at, at + 2), f"{t[at]} the {thing}")
    ordinal = t[at] in {"first", "second", "last"} and t.before(at) in {"was", "is", "for"} and thing in {"time", "day", "step"}
    return GrammarMistake(THE, (at, at + 1), f"the {t[at]}") if ordinal else None


def a_old(t: Clauses, at: int) -> GrammarMistake | None:
    """A old car; an good idea."""
    thing = t.after(at)
    if t[at] == "a" and thing in VOWEL_SOUNDS:
        return GrammarMistake(A_OR_AN, (at, at + 1), "an")
    consonant = thing in CONSONANT_SOUNDS or (thing in ADJECTIVES and not t.ends(at + 1) and _a(thing) == "a")
    return GrammarMistake(A_OR_AN, (at, at + 1), "a") if t[at] == "an" and consonant else None


def _a(word: str) -> str:
    return "an" if word[0] in "aeio" or word in VOWEL_SOUNDS else "a"


def more_easy(t: Clauses, at: int) -> GrammarMistake | None:
    """More easy; more easier; easier then."""
    word = t.after(at)
    unclear = word in word_set("good bad great high low short near healthy safe") or t.before(at) == "the"
    if t[at] == "more" and word in COMPARATIVES and (t.ends(at + 1) or t.after(at + 1) == "than") and not unclear:
        return GrammarMistake(COMPARISON, (at, at + 2), COMPARATIVES[word])
    if t[at] == "more" and word in COMPARATIVES.values() and (t.ends(at + 1) or t.after(at + 1) == "than"):
        return GrammarMistake(COMPARISON, (at, at + 2), word)
    compared = t.before(at) in set(COMPARATIVES.values()) - {"nearer", "older", "longer"}
    return GrammarMistake(THAN, (at, at + 1), "than") if t[at] == "then" and compared and word and word not in JOINS else None


def my_mother_she(t: Clauses, at: int) -> GrammarMistake | None:
    """My mother she works; my brother phone; a boy which."""
    word, mine = t.after(at), t.before(at) in {"my", "his", "her", "our"}
    if t[at] not in PERSONS:
        return None
    if word == "which" and t.before(at) in {"a", "the", "every"} and t.after(at, 2) != "in":
        return GrammarMistake(WHO, (at + 1, at + 2), "who")
    acts = (
        t.after(at, 2) in word_set("is was has had doesn't don't didn't can said told")
        or t.after(at, 2) in BASE_OF_THIRD_PERSON
    )
    if mine and word in {"he", "she"} and acts and t.opens(at - 1):
        return GrammarMistake(SUBJECT_TWICE, (at, at + 2), t[at])
    return GrammarMistake(OWNER, (at, at + 1), f"{t[at]}'s") if mine and word in OF_PERSONS and t.ends(at + 1) else None


def dont_have_no(t: Clauses, at: int) -> GrammarMistake | None:
    """Don't have no; never say nothing."""
    never = t.before(at, 2) in word_set("don't doesn't didn't can't couldn't won't never dont doesnt didnt cant couldnt")
    done = t.before(at) in word_set("have has know want need see say get like do")
    twice = t[at] in ANY and never and done and t.after(at) not in {"one", "matter"}
    return GrammarMistake(TWICE_NO, (at, at + 1), ANY[t[at]]) if twice else None


def is_important(t: Clauses, at: int) -> GrammarMistake | None:
    """Is very important; because is hard."""
    is_it = t.after(at) in NEEDS_IT or (t.after(at) in {"very", "not", "so"} and t.after(at, 2) in NEEDS_IT)
    bare = (t.begins_sentence(at) and not t.asks(at)) or t.before(at) in {"because", "if"}
    return GrammarMistake(SUBJECT_MISSING, (at, at + 1), f"it {t[at]}") if t[at] in {"is", "was"} and is_it and bare else None


def i_am_boring(t: Clauses, at: int) -> GrammarMistake | None:
    """I was so boring; with she."""
    be = at - 2 if t.before(at) in {"very", "so", "really", "not"} else at - 1
    mine = t[be] in {"am", "was", "are", "were", "i'm", "we're"} and (t.before(be) in {"i", "we"} or "'" in t[be])
    if t[at] in FEELING and mine and t.has(be, at) and t.ends(at):
        return GrammarMistake(FEELS, (at, at + 1), FEELING[t[at]])
    inner = t.before(at) in word_set("with for to from about at by") and not t.after(at)
    return GrammarMistake(OBJECT, (at, at + 1), OBJECTS[t[at]]) if t[at] in OBJECTS and inner else None


def tell_me(t: Clauses, at: int) -> GrammarMistake | None:
    """Said me; told to him."""
    word = t.after(at)
    if t[at] in {"said", "says", "say"} and word in {"me", "him", "us"} and t.after(at, 2) != "to":
        return GrammarMistake(TELL, (at, at + 1), {"said": "told", "says": "tells"}.get(t[at], "tell"))
    answers = t[at] == "to" and t.before(at) in {"told", "asked", "tell"} and word in word_set("me him us my them")
    return GrammarMistake(PREPOSITION, (at, at + 2), word) if answers else None


def there_is_cars(t: Clauses, at: int) -> GrammarMistake | None:
    """There is cars; there is lots of cars."""
    noun = at + 2 if t.after(at) in ADJECTIVES | {"some", "no", "more"} else at + 1
    noun += 2 if t[noun] == "lots" and t.after(noun) == "of" else 0
    if t[at] not in {"is", "was"} or t.before(at) != "there" or t[noun] not in PLURAL_NOUNS or not t.has(at, noun):
        return None
    return GrammarMistake(AGREEMENT, (at, at + 1), "are" if t[at] == "is" else "were") if t.ends(noun) else None


RULES: tuple[Callable[[Clauses, int], GrammarMistake | None], ...] = (
    *VERB_RULES, many_problem, one_of_my_friend, a_cars, a_homework, childrens, is_good_idea, am_student, same_time, a_old,
    there_is_cars, more_easy, my_mother_she, dont_have_no, is_important, i_am_boring, tell_me,
)  # fmt: skip


IsLate = Callable[[], bool]
"""Whether the time of a stage is up: what is left of it is left out."""


def never() -> bool:
    """There is time."""
    return False


@dataclass(frozen=True, slots=True)
class SlipFound:
    """A mistake in a text. place: [start, end), without blanks at its ends; instead: the correction, None if unknown."""

    text: str
    place: tuple[int, int]
    instead: str | None


IN_MAY = re.compile(r"(?<=\w )May \w+ \Z")  # a month, after which a verb may be past: "last year in May we had"
LETTERED = re.compile(r"\b[A-Z]\w+ A\Z")  # no article: "Text A is"


def grammar_in(text: str, is_late: IsLate = never) -> Iterator[SlipFound]:
    """The mistakes in a paragraph, in reading order, until it is late; one at a word."""
    clauses = Clauses(text)
    for at in takewhile(lambda _: not is_late(), range(len(clauses.words))):
        if found := next(filter(None, (rule(clauses, at) for rule in RULES)), None):
            first, last = (clauses.words[each] for each in (found.words[0], found.words[1] - 1))
            if found.text == A_OR_AN and LETTERED.search(text[: first.end]):
                continue
            if found.text == BASE_FORM and IN_MAY.search(text[: first.start]):
                continue
            yield SlipFound(found.text, (first.start, last.end), _as_written(found.instead, text[first.start : last.end]))


def _as_written(instead: str | None, words: str) -> str | None:
    """The correction with a capital where the words have one."""
    return f"{instead[0].upper()}{instead[1:]}" if instead and words[0].isupper() else instead
