"""Slips: mistakes that a pattern finds and that are wrong in any context, with what to write instead."""

import re
from collections.abc import Iterator
from itertools import takewhile

from chapterverse.citations.quotations import overlap
from chapterverse.essays.writing.confusions import (
    AGREEMENT,
    BASE_FORM,
    CONFUSED,
    CONFUSIONS,
    COUNTED_BY,
    HAVE,
    PLURAL,
    PREPOSITION,
    THAN,
    THIRD_FORM,
    WILL,
    WOULD,
    Slip,
    each_form,
    slip,
)
from chapterverse.essays.writing.grammar import A_OR_AN, IsLate, SlipFound, grammar_in, never
from chapterverse.essays.writing.verbs import SINCE
from chapterverse.essays.writing.writing import not_corrected

_THINGS = (
    "things|reasons|problems|cars|kids|students|ideas|books|ways|examples|people|teachers|friends|phones|games|countries|children"
    "|accidents|drivers|trees|animals"
)
_ENDED = r"(?=\s*(?:[.,;:!?]|$)|\s(?:is|are|was|were|in|on|at|of|to|that|who|which|and|or|but|because|for|have|has|can|will)\b)"
_SIMPLE = {  # past forms, and the form after "have"
    "went": "gone", "came": "come", "saw": "seen", "ate": "eaten", "took": "taken", "wrote": "written", "gave": "given",
    "became": "become", "began": "begun", "drove": "driven", "chose": "chosen", "broke": "broken", "spoke": "spoken",
    "did": "done", "ran": "run", "knew": "known", "grew": "grown", "flew": "flown", "fell": "fallen", "stole": "stolen",
}  # fmt: skip
_BASES = {
    "went": "go", "was": "be", "were": "be", "had": "have", "did": "do", "made": "make", "took": "take", "came": "come",
    "gave": "give",
    "knew": "know", "thought": "think", "became": "become", "began": "begin", "wrote": "write", "spoke": "speak",
    "ate": "eat", "drove": "drive", "told": "tell", "said": "say", "bought": "buy", "brought": "bring", "taught": "teach",
}  # fmt: skip

BEGINS = "A sentence begins with a capital letter."
STOPS = "A sentence ends with a full stop."
INSIDE = "Within a sentence the verb comes after its subject: I know how we can help."
NO_BE = "“Agree” is a verb of its own: I do not agree."
AGE = "Somebody is so many years old: she is twelve years old."
_NUMBERS = (
    "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy"
)
_PERSON = "brother|sister|mother|father|grandmother|grandfather|friend|cousin|uncle|aunt|grandma|grandpa|mom|dad"
OF_SENTENCES = frozenset({BEGINS, STOPS})
"""What is said of whole sentences alone, not of the items of a list."""


def _not_after(words: str) -> str:
    """A pattern that holds where none of the words, with or without "the", stands before."""
    return "".join(rf"(?<!\b{word} )(?<!\b{word} the )" for word in words.split())


SLIPS = (
    *CONFUSIONS,
    slip(r"\b(could|should|would|might|must) of\b(?! course)", HAVE, r"\1 have"),
    slip(r"\b(could|should|would|must|might) had\b", "After this word it is “have”.", r"\1 have"),
    slip(r"\balot\b", "These are two words.", "a lot"),
    slip(
        r"\b(be|been|is|are|was|were|not) aloud(?= to\b|[.!?]|$)",
        "“Aloud” means out loud; you mean “allowed”.",
        r"\1 allowed",
    ),
    slip(
        r"\b(more|less|better|worse|other|rather|bigger|smaller|older|younger|different|diffrent) then\b(?! (?:why"
        r"|how|what)\b)",
        THAN,
        r"\1 than",
    ),
    slip(r"\b((?:more|less) [a-z]+) then(?= (?:that|this|ever|usual|before|expected)\b)", THAN, r"\1 than"),
    slip(r"\bi(?='m|’m|'ve|’ve|'ll|’ll|'d|’d| )(?!\.)\b", "“I” is always a capital.", "I", re.NOFLAG),
    slip(r"\b(?!(?:had|that|can|is|do|her|you|who|for|in|on|win) )([a-z]{2,}) \1\b", "The same word stands here twice.", r"\1"),
    slip(r"\ba a\b", "The same word stands here twice.", "a", re.NOFLAG),  # but "get a A"
    slip(r"\ba (?=[aei][a-z])(?!eu|ew|one)(?!\w+ed (?:to|that|by)\b)", A_OR_AN, "an ", re.NOFLAG),
    slip(
        r"\ban (?=(?:dont|don't|the|it|they|you|we|he|she|is|are|not|then|also|your|my|their|if|when)\b)",
        "This is short of its last letter.",
        "and ",
    ),
    slip(
        r"\b(there)(?:'s| is|’s) (?=(?:many|several|so many|a lot of people|lots of people|some people"
        r"|(?:about |only |over |at least |almost |nearly )?(?:two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty"
        r"|fifty|hundreds|thousands))\b)(?! (?:more|people's|per ?cent))",
        AGREEMENT,
        r"\1 are ",
    ),
    each_form(
        _not_after(
            "of in by to for with about between and from on affect affects help helps hurt kill kills tell give teach keep"
        )
        + r"\b((?:people|children) )FORM\b",
        AGREEMENT,
        {
            "is": "are",
            "was": "were",
            "has": "have",
            "does": "do",
            "doesn't": "don't",
            "thinks": "think",
            "wants": "want",
            "needs": "need",
            "says": "say",
        },
    ),
    each_form(
        r"(?<!of the )(?<!of those )(?<!few )\b(people who )FORM\b",
        AGREEMENT,
        {
            "is": "are",
            "was": "were",
            "has": "have",
            "does": "do",
            "drives": "drive",
            "thinks": "think",
            "lives": "live",
            "wants": "want",
            "needs": "need",
        },
    ),
    each_form(
        _not_after("do did does let lets make makes made help helps have see want wants than and that what for to of")
        + r"\b((?:everyone|everybody|someone|somebody|nobody|anyone) )FORM\b",
        AGREEMENT,
        {
            "are": "is",
            "were": "was",
            "have": "has",
            "don't": "doesn't",
            "need": "needs",
            "want": "wants",
            "know": "knows",
            "think": "thinks",
        },
    ),
    each_form(
        r"(?<!\bdo )(?<!\bdid )(?<!\bdoes )\b((?:he|she|it) )FORM\b", AGREEMENT, {"don't": "doesn't", "don’t": "doesn’t"}
    ),
    each_form(r"\b((?:we|they|you) )FORM\b", AGREEMENT, {"was": "were", "doesn't": "don't"}),
    each_form(
        r"\b((?:he|she|it|who) can )FORM\b",
        BASE_FORM,
        {"sings": "sing", "goes": "go", "does": "do", "has": "have", "makes": "make", "takes": "take", "gets": "get"},
    ),
    slip(r"(?<!\ba )\b(must|should|could) to (?=[a-z]+\b)(?!the\b)", BASE_FORM, r"\1 "),
    each_form(
        r"(?<!used )(?<!similar )(?<!due )\b(to )FORM\b",
        BASE_FORM,
        {past: base for past, base in _BASES.items() if past not in ("was", "were", "thought")},
    ),
    each_form(
        r"\b((?:can|could|will|would|should|must|may|might|can't|couldn't|won't|wouldn't|shouldn't|didn't|don't"
        r"|doesn't) )FORM\b",
        BASE_FORM,
        {past: base for past, base in _BASES.items() if past not in ("had",)},
    ),
    each_form(
        r"\b((?:don't|didn't|doesn't) )FORM\b",
        BASE_FORM,
        {
            "had": "have",
            "goes": "go",
            "likes": "like",
            "wants": "want",
            "needs": "need",
            "makes": "make",
            "has": "have",
            "liked": "like",
            "wanted": "want",
            "knows": "know",
            "needed": "need",
        },
    ),
    each_form(r"\b((?:have|has|had|having) )FORM\b(?! (?:to|that)\b)", THIRD_FORM, _SIMPLE),
    each_form(
        r"(?<!\bhave )(?<!\bhas )(?<!\bhad )\b((?:i|he|she|we|they) )FORM\b",
        THIRD_FORM,
        {"seen": "have seen", "done": "have done"},
    ),
    slip(rf"\b(?:this)(?= (?:{_THINGS.replace('people|', '')}){_ENDED})", PLURAL, "these"),
    slip(
        rf"\b(these|those|many|several|two|three|four|five) (thing|reason|problem|car|kid|student|idea|book|example"
        rf"|teacher|friend|phone|game){_ENDED}",
        PLURAL,
        r"\1 \2s",
    ),
    slip(
        rf"\b(one of the) (thing|reason|problem|car|kid|student|idea|book|way|example|teacher|friend|advantage"
        rf"|cause)\b{_ENDED}",
        PLURAL,
        r"\1 \2s",
    ),
    slip(
        r"\b(every) (thing|reason|problem|car|kid|student|idea|book|way|teacher|friend|day|year)s\b(?!['’])", PLURAL, r"\1 \2"
    ),
    slip(rf"(?<!how )\bmuch(?= (?:{_THINGS})\b)", COUNTED_BY, "many"),
    slip(rf"(?<!less and )\bless(?= (?:{_THINGS})\b)", COUNTED_BY, "fewer"),
    slip(rf"\bamount of(?= (?:{_THINGS})\b)", COUNTED_BY, "number of"),
    slip(r"\b(information|advice|homework|furniture|equipment|knowledge)s\b", "This word has no plural.", r"\1"),
    slip(r"\b(i) am agree\b", "“Agree” is a verb of its own.", r"\1 agree"),
    slip(r"\b(i|we|they|you) (?:am|are) not agree\b", NO_BE, r"\1 do not agree"),
    slip(r"\b(he|she) is not agree\b", NO_BE, r"\1 does not agree"),
    slip(
        rf"\b(he|she|who|{_PERSON}) has (\d\d?|{_NUMBERS}) years(?: old)?(?=[.,;]| and | but |$)",
        AGE,
        r"\1 is \2 years old",
    ),
    slip(rf"\b(i) have (\d\d?|{_NUMBERS}) years(?: old)?(?=[.,;]| and | but |$)", AGE, r"\1 am \2 years old"),
    slip(
        r"(?:\A|(?<=[.!?] ))(In (?:the )?(?:summer|winter|spring|autumn|morning|evening|night|city|country)) (is|was)"
        r"(?= (?:very |too |so )?(?:hot|cold|warm|nice|important|difficult|easy|possible|dark|quiet)\b)",
        "The sentence needs its “it”: it is important.",
        r"\1 it \2",
        re.NOFLAG,
    ),
    slip(r"\bhow (it|he|she|this|that) looks like\b", "It is “what it looks like”, or “how it looks”.", r"what \1 looks like"),
    slip(r"\bhow (they) look like\b", "It is “what they look like”, or “how they look”.", r"what \1 look like"),
    slip(
        r"\b(know|knows|knew|show|shows|explain|explains|understand|remember|wonder|see|tell you) (how|why|when|where|what)"
        r" (can|could|should|are|is|was|were) (i|we|they|it|he|she)\b",
        INSIDE,
        r"\1 \2 \4 \3",
    ),
    slip(
        r"\b(know|knows|knew|show|shows|explain|explains|understand|remember|wonder|see|tell you) (how|why|when|where|what)"
        r" do (i|we|you|they|people)\b",
        INSIDE,
        r"\1 \2 \3",
    ),
    slip(
        rf"\b((?:a|one|two|three) (?:glass|cup|bottle|slice|bowl|litre|kilo)(?:es|s)?)"
        rf" (water|milk|tea|coffee|juice|bread|cake|soup|rice|lemonade|cheese){_ENDED}",
        "Between a measure and its stuff stands “of”: a glass of water.",
        r"\1 of \2",
    ),
    slip(
        r"\b(wake|wakes|woke|waking|pick|picks|picked|picking) up (me|us|him|them|it)\b",
        "The small word comes last here: she woke us up.",
        r"\1 \2 up",
    ),
    slip(
        r"\b(falls|fell|fallen|falling) of (?=(?:the|a|his|her|my|our|their|its) (?:chair|bike|bicycle|horse|bed|table"
        r"|roof|ladder|tree|wall|cliff|boat|stairs|bench|sofa|shelf|stage)\b)",
        "“Off” means away from; “of” tells whose or what something is.",
        r"\1 off ",
    ),
    slip(r"\b(i am|i['’]m|we are|they are|you are) (?=[a-z]+ing (?:[a-z]+ ){0,3}since (?:i was|(?:19|20)\d\d)\b)", SINCE, None),
    slip(r"\bin the nature\b(?! of)(?= *(?:[.,!?]|$| and | because ))", "“Nature” needs no “the” here.", "in nature"),
    slip(r"\ban? other\b(?!-| (?:people|things|countries)\b)", "These are one word: another day.", "another"),
    slip(r"\beach others\b(?!['’])", "It is “each other”, without “-s”.", "each other"),
    slip(r"\b(suppose)(?= to be\b)(?<=(?:is|as|re|be|'s|’s) suppose)", THIRD_FORM, "supposed"),
    slip(r"\b(let|lets|make|makes|made) (me|you|him|her|us|them|people) to (?=[a-z]+\b)", BASE_FORM, r"\1 \2 "),
    slip(r"\b(depend|depends) (?:of|from)\b", PREPOSITION, r"\1 on"),
    slip(r"\b(interested) (?:on|about|for)\b", PREPOSITION, r"\1 in"),
    slip(r"\b(discuss|discussed|discusses) about\b", PREPOSITION, r"\1"),
    slip(
        r"\b(explain|explains|explained) (me|him|us|them)(?= (?:the|that|how|why|what|everything|a|my|our|his|her|their)\b)",
        PREPOSITION,
        r"\1 to \2",
    ),
    slip(r"\b(listen|listens|listening) (?=(?:music|the|him|them|me|us|your|my)\b)", PREPOSITION, r"\1 to "),
    slip(r"\bin the other hand\b", PREPOSITION, "on the other hand"),
    slip(r"\bin my point of view\b", PREPOSITION, "from my point of view"),
    slip(r"\bin (the )?internet\b", PREPOSITION, "on the internet"),
    slip(r"\b(?:in|at) (monday|tuesday|wednesday|thursday|friday|saturday|sunday)(s?)\b(?!['’])", PREPOSITION, r"on \1\2"),
    slip(r"\b(?:in|on) (\w+ o'clock)\b", PREPOSITION, r"at \1"),
    slip(r"\b(?:in|on) night\b(?! time)", PREPOSITION, "at night"),
    slip(r"\bin the same day\b", PREPOSITION, "on the same day"),
    slip(r"\btheirsel(?:f|ves)\b", CONFUSED, "themselves"),
    slip(r"(?<!thing )\bsimilar with\b", PREPOSITION, "similar to"),
    slip(r"\bmarried with\b(?! (?:two|three|kids|children))", PREPOSITION, "married to"),
    slip(r"(?:\A|(?<=[.!?] ))(If (?:I|you|he|she|we|they|it)) would(?! (?:like|rather|please)\b)", WOULD, None, re.NOFLAG),
    slip(r"\b(when|if) (i|he|she|we|they|it) will (?=(?:be|go|get|have|come|grow|finish|become|join|make|do)\b)", WILL, None),
    slip(r"\bthere isn['’]t many\b", AGREEMENT, "there aren't many"),
    slip(r"\b(go|goes|went|going) to home\b", PREPOSITION, r"\1 home"),
    slip(
        r"\bsince (?=(?:two|three|four|five|six|seven|eight|nine|ten|many|several) (?:days|weeks|months"
        r"|years)\b)(?!\w+ \w+ ago)",
        "“Since” needs a starting point; for how long something lasts it is “for”.",
        "for ",
    ),
    slip(
        r"\bthe most of (?=(?:people|the|us|them|students|my|our|your|their|these|those)\b)",
        "“Most of” needs no “the” before it.",
        "most of ",
    ),
    slip(r"\bpeople which\b", "For people it is “who”; “which” is for things.", "people who"),
    slip(r"(?<=\w) +(?=[,;.!?](\s|$))", "No blank goes before this mark.", ""),
    slip(r"\b([a-z]+),([a-z]+)", "A blank goes after a comma.", r"\1, \2", re.NOFLAG),
    slip(r"(?=!*\?)[!?]{2,}", "One mark is enough.", None),
    slip(r"\A[a-z]{2,}(?= [a-z])", BEGINS, None, re.NOFLAG),
    slip(r"(?<= )[a-z]+ [a-z]+ [a-z]+ [a-z]+\Z", STOPS, None, re.NOFLAG),
)


def slips_in(text: str, is_late: IsLate = never) -> Iterator[SlipFound]:
    """The slips in the text outside its quotations, kind by kind, then other mistakes of grammar, as far as there is time; one
    of those that overlap."""
    taken = not_corrected(text)
    for one in takewhile(lambda _: not is_late(), SLIPS):
        for found in takewhile(lambda _: not is_late(), one.pattern.finditer(text)):
            if not overlap(found.span(), taken):
                taken.append(found.span())
                yield SlipFound(one.text, _around(found, text), _instead(one, found, text))
    for other in grammar_in(text, is_late):
        if not overlap(other.place, taken):
            taken.append(other.place)
            yield other


def _instead(of: Slip, found: re.Match[str], text: str) -> str | None:
    """The correction, with a capital where the words had one; None if unknown."""
    if of.instead is None and not of.forms:
        return None
    right = (f"{found[1]}{of.forms[found[2].lower()]}" if of.forms else found.expand(of.instead or "")).strip()
    return (f"{right[0].upper()}{right[1:]}" if right and text[found.start()].isupper() else right) or None


def _around(found: re.Match[str], text: str) -> tuple[int, int]:
    """The match without blanks at its ends; a match of blanks alone stays as it is."""
    start, end = found.span()
    words = text[start:end].strip()
    return (start, end) if not words else (text.index(words, start), text.index(words, start) + len(words))
