"""English words: those that symspellpy has, how often it counts pairs of them (Google Books), and their kinds and forms. What
may be a verb or a noun that is counted is seen from the words that stand before it; forms that rules of spelling leave open are
those that the dictionary has."""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files

from bookreader.text.language import dictionary
from chapterverse.core.words import EMPTY, word_set


def has(word: str) -> bool:
    """Whether it is a word, though perhaps a British or a rare one."""
    return word in _written()


def pair(first: str, second: str) -> float:
    """How often the second word follows the first one; 0 if the table does not have them."""
    wanted = f"{first} {second} ".encode()
    at = bisect_left(_pairs(), wanted)
    found = at < len(_pairs()) and _pairs()[at].startswith(wanted)
    return float(_pairs()[at].rsplit(b" ", 1)[1]) if found else 0.0


@cache
def _written() -> frozenset[str]:
    return frozenset(line.split()[0] for line in _lines("frequency_dictionary_en_82_765.txt"))


@cache
def _pairs() -> list[bytes]:
    return sorted(line.encode() for line in _lines("frequency_bigramdictionary_en_243_342.txt"))


def _lines(name: str) -> list[str]:
    import symspellpy

    return files(symspellpy).joinpath(name).read_text("utf-8-sig").splitlines()


_IRREGULAR = """
be was been|bear bore borne|beat beat beaten|become became become|begin began begun|bend bent bent|bet bet bet|bind bound bound
bite bit bitten|blow blew blown|break broke broken|bring brought brought|build built built|burst burst burst
buy bought bought|catch caught caught|choose chose chosen|come came come|cost cost cost|creep crept crept|cut cut cut
deal dealt dealt|dig dug dug|do did done|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen
feed fed fed|feel felt felt|fight fought fought|find found found|fly flew flown|forget forgot forgotten
forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone|grow grew grown|hang hung hung
have had had|hear heard heard|hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|keep kept kept|know knew known
lay laid laid|lead led led|leave left left|lend lent lent|let let let|lose lost lost|make made made|mean meant meant
meet met met|overcome overcame overcome|pay paid paid|put put put|quit quit quit|read read read|ride rode ridden|rid rid rid
ring rang rung|rise rose risen|run ran run|say said said|see saw seen|seek sought sought|sell sold sold|send sent sent
set set set|shake shook shaken|shine shone shone|shoot shot shot|show showed shown|shut shut shut|sing sang sung
sink sank sunk|sit sat sat|sleep slept slept|speak spoke spoken|spend spent spent|split split split|spread spread spread
stand stood stood|steal stole stolen|stick stuck stuck|swear swore sworn|swim swam swum|take took taken
teach taught taught|tear tore torn|tell told told|think thought thought|throw threw thrown
understand understood understood|wake woke woken|wear wore worn|win won won|write wrote written
"""
PAST_AND_THIRD: Mapping[str, tuple[str, str]] = {
    base: (past, third) for base, past, third in (one.split() for one in _IRREGULAR.replace("\n", "|").split("|") if one)
}
"""The past and the third form of verbs that have their own."""
_PLURALS = """
child children|foot feet|half halves|knife knives|leaf leaves|life lives|man men|mouse mice|person people|shelf shelves
thief thieves|tooth teeth|wife wives|wolf wolves|woman women
"""
PLURALS: Mapping[str, str] = {pair.split()[0]: pair.split()[1] for pair in _PLURALS.replace("\n", "|").split("|") if pair}
"""The plurals of nouns that have their own."""
MASS = word_set("""
    advice baggage electricity equipment evidence furniture garbage homework housework information knowledge luggage music
    pollution traffic trash vocabulary weather
""")
"""Nouns that are not counted."""
PERSONS = word_set("""
    brother sister mother father friend cousin uncle aunt grandmother grandfather mom dad teacher neighbor neighbour boy girl
    man woman classmate son daughter student doctor kid child boss coach person president mayor principal husband wife
""")
_THIRD: Mapping[str, str] = {"be": "is", "have": "has", "do": "does", "don't": "doesn't", "are": "is"}
_THEIR = {"is": "are", "was": "were", "isn't": "aren't", "wasn't": "weren't", "doesn't": "don't", "hasn't": "haven't"}
_NUMBERS = word_set("hundred thousand million billion dozen")
_ONE_FORM = word_set("fish sheep deer fruit")  # one or many
_NO_VERBS = word_set("her his me us them it but in still here there not also")
_NO_ADJECTIVES = EMPTY | word_set("per an my your our its his her their same little last first only right better best like")
SHARE = 0.05  # of what stands before a noun: before its plural, "very"
CLEARLY = 4.0  # times more often one kind of word than another
COMMON = 1e7  # of the counts of pairs; the rarest pair of the table has 6.4e6


@cache
def _before(word: str, kind: str) -> float:
    """How often words of that kind stand before it."""
    return sum(pair(each, word) for each in _KINDS[kind].split())


_KINDS = {
    "verb": "to will can would could should must may",
    "noun": "the a an this his their my your its our no every each",
    "one": "a an one every each another",
    "many": "the of these many other our their two three all and",
    "adjective": "very so more too",
}


def _forms(word: str, ending: str) -> Iterator[str]:
    """What the word with "s", "ed", "ing" or "er" may be."""
    if word[-1] == "y" and word[-2:-1] not in tuple("aeiou") and ending != "ing":
        yield f"{word[:-1]}i{'es' if ending == 's' else ending}"
    elif word.endswith("ie") and ending == "ing":
        yield f"{word[:-2]}ying"
    elif ending == "s":
        yield f"{word}es" if word.endswith(("s", "x", "z", "ch", "sh", "o")) else f"{word}s"
        yield f"{word}s"
    elif word.endswith("e"):
        yield f"{word[:-1]}{ending}"
        yield f"{word}{ending}"
    else:
        yield f"{word}{ending}"
        yield f"{word}{word[-1]}{ending}"


@cache
def _form(word: str, ending: str) -> str:
    return max(_forms(word, ending), key=lambda one: dictionary().get(one, 0))


def third(base: str) -> str:
    """What he, she or it does: "goes"; also of "don't", "are"."""
    return _THIRD.get(base) or _form(base, "s")


def past(base: str) -> str:
    """What somebody did: "went", "tried", "stopped"."""
    return PAST_AND_THIRD[base][0] if base in PAST_AND_THIRD else _form(base, "ed")


def done(base: str) -> str:
    """The form after "have"."""
    return PAST_AND_THIRD[base][1] if base in PAST_AND_THIRD else _form(base, "ed")


def ing(base: str) -> str:
    """The form in "-ing"."""
    return _form(base, "ing")


def plural(noun: str) -> str:
    """More than one of it."""
    return PLURALS.get(noun) or _form(noun, "s")


def plural_verb(verb: str) -> str:
    """What they do, for a form that goes with one: "go" for "goes"."""
    return _THEIR.get(verb) or base_of(verb) or verb


@cache
def is_base(word: str) -> bool:
    """Whether it may be the base form of a verb."""
    if word in PAST_AND_THIRD:
        return True
    known = len(word) > 1 and word.isalpha() and word not in _NO_VERBS and _form(word, "ing") in dictionary()
    return known and _form(word, "s") in dictionary() and _before(word, "verb") >= COMMON and base_of(word) is None


@cache
def is_verb(word: str) -> bool:
    """Whether it is the base form of a verb and hardly anything else."""
    return (
        is_base(word)
        and word not in {"be", "like"}
        and past(word) != word
        and _before(word, "verb") >= CLEARLY * _before(word, "noun")
    )


_BASES_OF_FORMS = {form: base for base, (_, form) in PAST_AND_THIRD.items() if form != base} | {
    form: base for base, (form, _) in PAST_AND_THIRD.items() if form != base
}


def _base(word: str, ending: str, form: Callable[[str], str]) -> str | None:
    """The base that has this form."""
    if not word.endswith(ending):
        return None
    stem = word.removesuffix(ending)
    tried = (stem, f"{stem}e", stem[:-1], f"{stem[:-1]}y", f"{stem.removesuffix('e')}", f"{stem[:-1]}ie", f"{stem[:-2]}y")
    return next((one for one in tried if len(one) > 1 and one != word and is_base(one) and form(one) == word), None)


@cache
def base_of(word: str) -> str | None:
    """The base of a form of a verb; None if it is no form, or may be a base itself."""
    if word in {"is", "am", "are", "was", "were"}:
        return "be"
    if word in PAST_AND_THIRD:
        return None
    return _BASES_OF_FORMS.get(word) or _base(word, "s", third) or _base(word, "ed", past) or _base(word, "ing", ing)


@cache
def is_form(word: str, form: Callable[[str], str]) -> bool:
    """Whether it is this form of a verb, as `past`, and no base."""
    base = base_of(word)
    return base is not None and form(base) == word


def is_third(word: str) -> bool:
    """Whether it is a form of a verb for he, she and it, and hardly a noun."""
    base = base_of(word) or ""
    return is_form(word, third) and (is_verb(base) or base in {"be", "have", "do"})


@cache
def is_done(word: str) -> bool:
    """Whether it can follow "have"."""
    base = base_of(word) or word
    return is_base(base) and done(base) == word


@cache
def is_counted(word: str) -> bool:
    """Whether it is a noun for one thing that is counted, and hardly anything else."""
    if word in PLURALS:
        return word != "half"
    if word in _NUMBERS | _ONE_FORM:
        return False
    more = _form(word, "s") if word.isalpha() and len(word) > 2 else ""
    noun, many = _before(word, "noun"), _before(more, "many")
    seen = _before(word, "one") >= COMMON and more in dictionary() and many >= max(COMMON, SHARE * noun)
    nothing_else = noun > CLEARLY * max(_before(word, "verb"), _before(word, "adjective"))
    return seen and nothing_else and word not in MASS and not is_plural(word)


_SINGULARS = {more: one for one, more in PLURALS.items()}


@cache
def singular(word: str) -> str | None:
    """The singular of a plural; None if it is none."""
    if word in _SINGULARS or word in {"news", "series", "species", "means"} or word.endswith("ics"):
        return _SINGULARS.get(word)
    stems = (word.removesuffix("s"), word.removesuffix("es"), f"{word.removesuffix('ies')}y")
    tried = (one for one in stems if word.endswith("s") and one[-1:] != "s" and one != word and len(one) > 2)
    return next((one for one in tried if _form(one, "s") == word and is_counted(one)), None)


def is_plural(word: str) -> bool:
    """Whether it is the plural of a noun."""
    return singular(word) is not None


@cache
def is_adjective(word: str) -> bool:
    """Whether it is an adjective."""
    often = _before(word, "adjective") >= max(COMMON, SHARE * _before(word, "noun"))
    known = pair("the", word) >= COMMON and not word.endswith("ly") and not is_plural(word)
    return often and known and word not in _NO_ADJECTIVES
