"""Rules of grammar on verbs: agreement with the subject, and the form after a modal, "to", "be" and "have".

Each rule looks at one word and those around it, and tells what is wrong, or nothing. Its docstring
has what learners write."""

from chapterverse.core.words import word_set
from chapterverse.essays.writing.clauses import ADVERBS, DETERMINERS, JOINS, Clauses, GrammarMistake, base_of
from chapterverse.essays.writing.confusions import AGREEMENT, BASE_FORM, CONFUSED, ING, THIRD_FORM
from chapterverse.essays.writing.lexicon import (
    ADJECTIVES,
    BASE_OF_ING,
    BASE_OF_PAST,
    BASE_OF_THIRD_PERSON,
    BASES,
    BY_RULE,
    COUNTED,
    IRREGULAR,
    MASS,
    PERSONS,
    PLURAL_NOUNS,
    UNCHANGED,
    VERBS,
    ing,
    past,
    third_person,
)

NEEDS_TO = "A “to” is missing before the verb: I want to go."
NO_BE = "The verb stands alone here: I agree, not “I am agree”."
PAST = "You tell of something past: yesterday I went."
PURPOSE = "What something is done for is told with “to”: I went there to see it."
SINCE = "What began in the past and still goes on needs “have”: I have lived here for two years."
OWN_PAST = "This verb has a past form of its own: I went, I ran, I wrote."
BE_MISSING = "A small verb is missing: they are losing, I do not agree."

HEADS = word_set("of between with for in from to by about on at")  # before words that may not be the subject
MODALS = word_set("can could should would will must might may can't cannot couldn't shouldn't wouldn't won't")
DO = word_set("did didn't do don't does doesn't")
BE = word_set("am is are was were")
SAME_PAST = word_set(
    "read put cut hit set let cost hurt shut split spread beat bet become come run overcome"
)  # "they were read"
SINGULAR = word_set("he she it everyone everybody someone somebody nobody anyone anybody everything something nothing")
WHO = word_set("person someone somebody everyone everybody anyone nobody")
PARTS = word_set("most many some all both few several")  # before "of the" and several things
NOUNS_TOO = word_set("lives needs works helps uses plays means cares looks likes loves stops starts")  # forms of verbs
WISHED = word_set("suggest suggested suggests recommend recommended demand demanded insist insisted important necessary")
OFTEN = word_set("look care live need want work use love help")  # verbs that are nouns as well
OF_PURPOSE = word_set("""
    want wants wanted need needs needed decide decides decided hope hopes hoped try tries tried able afraid promise promised
    chance time way order easy hard important necessary like likes start started begin began learn learned forget forgot
    remember refuse helps helped plan allowed nothing something how have has ready
""")  # before a "to" and a verb
WITH_GERUND = word_set("way start like likes started nothing time begin began")  # of these, also before a "to" and a noun
AFTER_WANT = word_set("""
    go be say tell speak become buy know eat see learn teach explain understand have take get keep give find do
""")
THANKED = word_set("thank thanks sorry responsible known used famous reason good bad useful great apologize apologise blame")
LASTING = word_set("live learn work study play know train teach practice practise")
MANY_YEARS = word_set("two three four five six seven eight nine ten many several")
FROM = word_set("last january february april june july september")
TAUGHT = word_set("me us him her them know learn learned learnt")  # before "how" and a verb
TIMES = word_set("week month year summer winter night weekend monday friday saturday sunday spring")
IN_THE_PAST = {
    "am": "was", "is": "was", "are": "were", "can": "could", "can't": "couldn't", "don't": "didn't", "have": "had",
}  # fmt: skip
_BASE_OF_FORM = {**{third: base for base, (_, third) in IRREGULAR.items()}, **BASE_OF_PAST}
_HE = {"don't": "doesn't", "are": "is", "were": "was"}
_THEY = {"doesn't": "don't", "is": "are", "was": "were", "isn't": "aren't", "wasn't": "weren't"}


def _with_he(t: Clauses, verb: int) -> GrammarMistake:
    return GrammarMistake(AGREEMENT, (verb, verb + 1), _HE.get(t[verb]) or third_person(t[verb]))


def _with_they(t: Clauses, verb: int) -> GrammarMistake:
    return GrammarMistake(AGREEMENT, (verb, verb + 1), _THEY.get(t[verb]) or BASE_OF_THIRD_PERSON[t[verb]])


def he_go(t: Clauses, at: int) -> GrammarMistake | None:
    """He go; everyone have; because it make."""
    verb = t.verb_after(at)
    if t[at] not in SINGULAR or not t.has(at, verb) or t[verb] == "were":
        return None
    wished = t.before(at) == "that" and t.before(at, 2) in WISHED
    clear = t.opens(at) or t.before(at) in {"and", "that", "what", "where", "how", "why"}
    loose = t[at].endswith(("one", "body")) and t[verb] in OFTEN
    is_plural = t[verb] in VERBS or t[verb] in {"have", "do", "don't", "are", "need"} or loose
    need_not = t[verb] == "need" and t.after(verb) == "not"
    asks = t.before(at) in MODALS or t.asks(at)
    return _with_he(t, verb) if clear and not (wished or need_not or asks) and is_plural else None


def my_brother_go(t: Clauses, at: int) -> GrammarMistake | None:
    """My brother go; every student have."""
    verb, first = t.verb_after(at), t.before(at)
    one = first in {"every", "each", "another"} and t[at] in COUNTED
    mine = first in {"my", "his", "her", "a", "the", "our"} and t[at] in PERSONS
    alone = t.before(at, 2) == "and" and t.before(at, 3) in ADJECTIVES | {"it", "me", "them", "this", "that", "there", "here"}
    if not (one or mine) or not t.has(at, verb) or not (t.opens(at - 1) or alone) or t.asks(at):
        return None
    wished = t[verb] == "were" and t.before(at, 2) in {"if", "though", "as"}
    is_plural = t[verb] in {"are", "were", "have", "don't"} or t[verb] in VERBS
    return _with_he(t, verb) if is_plural and not wished else None


def homework_are(t: Clauses, at: int) -> GrammarMistake | None:
    """Homework are; this make."""
    verb = t.verb_after(at)
    if not t.has(at, verb) or t.asks(at):
        return None
    thing = t[at] in MASS - {"water"} and (t.opens(at) or (t.opens(at - 1) and t.before(at) in DETERMINERS))
    if thing and t[verb] in {"are", "have", "don't"}:
        return _with_he(t, verb)
    return _with_he(t, verb) if t[at] == "this" and t.opens(at) and t[verb] in VERBS | {"have"} else None


def a_person_who_go(t: Clauses, at: int) -> GrammarMistake | None:
    """A person who live."""
    verb = t.verb_after(at)
    if t[at] != "who" or t.before(at) not in WHO or not t.has(at, verb) or (t[verb], t.after(verb)) == ("need", "not"):
        return None
    return _with_he(t, verb) if t[verb] in VERBS | OFTEN | {"have", "don't", "are", "were"} else None


def _is_third(t: Clauses, at: int, verb: int) -> bool:
    sure = t[at] in {"who", "they", "we", "i"} or t[verb] not in NOUNS_TOO
    return t.has(at, verb) and (t[verb] in _THEY or t[verb] == "has" or (t[verb] in BASE_OF_THIRD_PERSON and sure))


def they_goes(t: Clauses, at: int) -> GrammarMistake | None:
    """They goes; I thinks."""
    verb = t.verb_after(at)
    if not _is_third(t, at, verb) or (t[at] == "i" and t[verb] in {"was", "wasn't", "is"}):
        return None
    you = t[at] == "you" and (t.opens(at) or t.before(at) in {"that", "what", "and"})
    inner = t.before(at) in {"of", "between", "like", "than"}
    return _with_they(t, verb) if t[at] == "i" or ((t[at] in {"they", "we"} or you) and not inner) else None


def students_goes(t: Clauses, at: int) -> GrammarMistake | None:
    """Many students has; most of the students has; people who lives."""
    verb, first = t.verb_after(at), at
    if not _is_third(t, at, verb) or t.asks(at) or t.after(verb) in {"what", "whom", "which"}:  # "show people who knows what"
        return None
    if t[at] == "who" and t.before(at) in PLURAL_NOUNS:
        return _with_they(t, verb) if not HEADS & {t.before(at, back) for back in range(2, 7)} else None
    while first > at - 3 and t.before(first) in ADJECTIVES | DETERMINERS | COUNTED.keys() | {"cell", "mobile"}:
        first -= 1
    if t.before(first) == "of" and t.before(first, 2) in PARTS and t[first] in DETERMINERS:
        first -= 2
    both = t.before(first) == "and" and t[first] in DETERMINERS and not HEADS & {t.before(first, back) for back in range(2, 9)}
    in_list = not t.words[first].joined and t[first - 1] in PLURAL_NOUNS | COUNTED.keys()
    opens = t.opens(first) or t.before(first) == "that" or both
    return _with_they(t, verb) if t[at] in PLURAL_NOUNS and opens and not in_list else None


def can_goes(t: Clauses, at: int) -> GrammarMistake | None:
    """Can goes; should learned; didn't went."""
    verb = at + 1
    while t[verb] in ADVERBS | {"not", "i", "he", "she", "we", "they"} and verb < at + 3:
        verb += 1
    if t[at] not in MODALS | DO or not t.has(at, verb) or _is_noun(t, at) or _stands_alone(t, at, verb):
        return None
    right = base_of(t[verb])
    if t[at] == "may" and t[verb] in BASE_OF_ING and t.after(verb) in PLURAL_NOUNS:
        return GrammarMistake(CONFUSED, (at, at + 1), "many")
    gerund = t[verb] in BASE_OF_ING and (
        not t.after(verb) or t.before(at) in JOINS | {"", "only"} or t[at] in {"do", "does", "did", "would"}
    )
    doubtful = t[verb] in {"found", "left", "felt", "means", "needs", "thought"} and t[at] in {"may", "will", "might"}
    if right is None or gerund or doubtful or t.after(verb) == "by" or (t[at] in DO and right == "be"):
        return None
    parallel = t[verb] in BASE_OF_ING and t.after(verb) in {"and", "or"}
    return GrammarMistake(BASE_FORM, (verb, verb + 1), None if parallel else right)


def _is_noun(t: Clauses, at: int) -> bool:
    return t[at] in {"can", "will", "might", "must"} and t.before(at) in DETERMINERS | {"a", "an", "this", "that"}


def _stands_alone(t: Clauses, at: int, verb: int) -> bool:
    """Whether a "do" may be a verb of its own."""
    return t[at] in {"did", "do", "does"} and verb == at + 1 and t.before(at) not in {"i", "we", "they", "he", "she", "not"}


def must_to_go(t: Clauses, at: int) -> GrammarMistake | None:
    """Must to go; can able to; should able to."""
    first = at + 2 if t.after(at) == "not" else at + 1
    if t[at] not in MODALS - {"will", "might"} or not t.has(at, first + 1) or _is_noun(t, at):
        return None
    if t[first] == "able" and t[first + 1] == "to":
        can = t[at] in {"can", "could"} and first == at + 1
        return (
            GrammarMistake(BASE_FORM, (at, first + 2), t[at])
            if can
            else GrammarMistake(BE_MISSING, (first, first + 2), "be able to")
        )
    best = word_set("whatever everything anything all best as what hard much") & {t.before(at, back) for back in range(1, 7)}
    return (
        GrammarMistake(BASE_FORM, (first, first + 2), t[first + 1])
        if t[first] == "to" and t[first + 1] in BASES and not best
        else None
    )


def to_went(t: Clauses, at: int) -> GrammarMistake | None:
    """Want to went; to began."""
    word, right = t.after(at), base_of(t.after(at))
    if t[at] != "to" or right is None:
        return None
    gerund = word in BASE_OF_ING and word != "doing" and t.before(at) in WITH_GERUND
    if t.before(at) in OF_PURPOSE and not gerund:
        return GrammarMistake(BASE_FORM, (at + 1, at + 2), right)
    own = right in IRREGULAR and word == IRREGULAR[right][0] and right != "be"
    noun = word in word_set("found left felt thought read cut led said built") or t.before(at) in {"similar", "used", "due"}
    return GrammarMistake(BASE_FORM, (at + 1, at + 2), right) if own and not noun else None


def _two_before(t: Clauses, at: int) -> set[str]:
    return {t.before(at), t.before(at, 2)}


def want_go(t: Clauses, at: int) -> GrammarMistake | None:
    """Want go; would like tell; taught me how make; enjoy to read; of speak."""
    word = t.after(at)
    if t[at] in word_set("enjoy enjoys enjoyed avoid avoids dislike suggest") and word == "to" and t.after(at, 2) in BASES:
        return GrammarMistake(ING, (at + 1, at + 3), ing(t[at + 2]))
    if t[at] in {"want", "wants", "wanted", "decided", "able", "prefer"} and word in AFTER_WANT:
        return GrammarMistake(NEEDS_TO, (at, at + 2), f"{t[at]} to {word}")
    if t[at] == "like" and t.before(at) == "would" and word in AFTER_WANT:
        return GrammarMistake(NEEDS_TO, (at, at + 2), f"{t[at]} to {word}")
    if t[at] == "how" and t.before(at) in TAUGHT and word in VERBS - {"come", "go"}:
        return GrammarMistake(NEEDS_TO, (at, at + 2), f"{t[at]} to {word}")
    if (
        t[at] == "for"
        and word in VERBS - {"make", "go", "get", "complete"}
        and t.after(at, 2)
        and not THANKED & _two_before(t, at)
    ):
        return GrammarMistake(PURPOSE, (at, at + 2), f"to {word}" if t.before(at) not in ADJECTIVES else None)
    small = t[at] in {"of", "without", "by", "for", "about", "from"} and t.before(at) not in {"ask", "look"}
    return (
        GrammarMistake(ING, (at + 1, at + 2), ing(word))
        if small and word in VERBS - {"make", "go", "get", "complete"} and t.after(at, 2)
        else None
    )


def helps_me_went(t: Clauses, at: int) -> GrammarMistake | None:
    """Helps me forgot."""
    word, right = t.after(at, 2), BASE_OF_PAST.get(t.after(at, 2))
    helped = t[at] in word_set("help helps helped make makes let lets") and t.after(at) in word_set("me us them him people")
    feeling = word in word_set("felt left stressed tired interested bored")
    sure = t[at].startswith("help") or right in IRREGULAR
    return (
        GrammarMistake(BASE_FORM, (at + 2, at + 3), right)
        if helped and right and word not in BASES and sure and not feeling
        else None
    )


def am_agree(t: Clauses, at: int) -> GrammarMistake | None:
    """I am agree; they are listen; I am knowing."""
    word, subject = t.after(at), t.before(at)
    if t[at] not in BE or subject not in {"i", "we", "they", "he", "she", "you"}:
        return None
    base = (
        BASE_OF_ING.get(word) if word in word_set("knowing wanting needing believing understanding liking agreeing") else word
    )
    if base in word_set("agree disagree believe think know prefer hate want need understand like") and (
        word != "like" or subject == "i"
    ):
        right = {"is": third_person, "was": past, "were": past}.get(t[at], str)(str(base))
        return GrammarMistake(NO_BE, (at, at + 2), right) if word != "like" or t.after(at, 2) in {"to", "it"} else None
    adjective = word_set("make get go let hurt put come become run set like open clean own live help love use")
    return (
        GrammarMistake(ING, (at + 1, at + 2), ing(word)) if word in BASES - adjective - SAME_PAST and subject != "you" else None
    )


def they_losing(t: Clauses, at: int) -> GrammarMistake | None:
    """They losing; he not agree."""
    verb = t.verb_after(at)
    if t[at] not in {"i", "we", "they", "he", "she"} or t.asks(at) or not t.has(at, verb):
        return None
    if t[verb] in BASE_OF_ING and t[verb] not in {"being", "having", "going"} and t.before(at) not in BE:
        be = {"i": "am", "he": "is", "she": "is"}.get(t[at], "are")
        return GrammarMistake(BE_MISSING, (verb, verb + 1), f"{be} {t[verb]}")
    does = "does" if t[at] in {"he", "she"} else "do"
    alone = t[verb] == "not" and t.after(verb) in VERBS and t.opens(at)
    return GrammarMistake(BE_MISSING, (verb, verb + 1), f"{does} not") if alone else None


def have_went(t: Clauses, at: int) -> GrammarMistake | None:
    """Have went; has learn; we have drove, where a time in the past is named."""
    verb = at + 2 if t.after(at) in ADVERBS | {"not"} else at + 1
    if t[at] not in word_set("have has had i've they've we've haven't hasn't hadn't") or not t.has(at, verb):
        return None
    unclear = UNCHANGED | {"go", "get", "make", "put", "cut", "hurt", "let", "set"}
    base = t[verb] if t[verb] in VERBS - unclear else BASE_OF_PAST.get(t[verb])
    if base is None or t[verb] in {"got", "felt", "left", "was", "were"}:  # "what I had was"
        return None
    third = IRREGULAR[base][1] if base in IRREGULAR else past(base)
    if third == t[verb] or (at and last_year_i_go(t, at - 1)):
        return None
    if t[at] in {"have", "has"} and t[verb] == past(base) and any(_names_past(t, each) for each in range(len(t.words))):
        return GrammarMistake(PAST, (at, verb + 1), t[verb])
    return GrammarMistake(THIRD_FORM, (verb, verb + 1), third)


def _names_past(t: Clauses, at: int) -> bool:
    """Whether a time in the past ends here: two days ago, yesterday, last week."""
    ago = t[at] == "ago" and t[at - 1] != "long"
    return ago or t[at] == "yesterday" or (t[at] in TIMES and t[at - 1] == "last")


def last_year_i_go(t: Clauses, at: int) -> GrammarMistake | None:
    """Last year I go; yesterday we see; last week I have forgot."""
    word = t.after(at)
    is_past = bool(at) and _names_past(t, at - 1)
    if not is_past or t[at] not in {"i", "we", "they", "he", "she"} or word in {"read", "put", "let", "hurt", "cut"}:
        return None
    done = _BASE_OF_FORM.get(t.after(at, 2)) if word in {"have", "has"} else None
    if done:
        return GrammarMistake(PAST, (at + 1, at + 3), past(done))
    base = word if word in BASES else BASE_OF_THIRD_PERSON.get(word)
    right = IN_THE_PAST.get(word) or (past(base) if base else word)
    return GrammarMistake(PAST, (at + 1, at + 2), right) if right != word else None


def since_2010(t: Clauses, at: int) -> GrammarMistake | None:
    """I live here since 2010; since two years I train."""
    word = t.after(at)
    base = word if word in LASTING else BASE_OF_THIRD_PERSON.get(word, "")
    have = "has" if t[at] in {"he", "she"} else "have"
    if (
        t[at] not in {"i", "we", "they", "he", "she"}
        or base not in LASTING
        or not (t.opens(at) or t.before(at) in {"and", "years"})
    ):
        return None
    at_since = next((on for on in range(2, 7) if t.after(at, on) == "since"), 0)
    start = t.after(at, at_since + 1) if at_since else ""
    lasted = start in MANY_YEARS and t.after(at, at_since + 2) in {"years", "months", "weeks", "days"}
    later = start.isdigit() or start in FROM or lasted
    earlier = t.before(at, 3) == "since" and t.before(at) in {"years", "months", "weeks"}
    third = IRREGULAR[base][1] if base in IRREGULAR else past(base)
    return GrammarMistake(SINCE, (at + 1, at + 2), f"{have} {third}") if later or earlier else None


def runned(t: Clauses, at: int) -> GrammarMistake | None:
    """I runned; they have writed."""
    base = BY_RULE.get(t[at])
    if base is None:
        return None
    helper = t.before(at, 2) if t.before(at) in ADVERBS | {"not"} else t.before(at)
    third = helper in BE | {"have", "has", "had", "been", "be", "being", "i've", "they've", "we've"}
    return GrammarMistake(OWN_PAST, (at, at + 1), IRREGULAR[base][third])


VERB_RULES = (
    runned, since_2010, must_to_go, can_goes, to_went, want_go, helps_me_went, am_agree, they_losing, have_went, last_year_i_go,
    he_go, my_brother_go, homework_are, a_person_who_go, they_goes, students_goes,
)  # fmt: skip
