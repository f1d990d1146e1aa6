"""Slips: mistakes that a pattern finds and that are wrong in any context, with what to write instead."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import takewhile

from chapterverse.citations.quotations import overlap
from chapterverse.essays.writing.grammar import IsLate, SlipFound, grammar_in, never
from chapterverse.essays.writing.writing import quoted_in


@dataclass(frozen=True, slots=True)
class Slip:
    """A pattern of a mistake. instead: the correction as a template of re.sub, None if the writer has to decide. forms: in
    place of it, what the second group becomes after the first one."""

    pattern: re.Pattern[str]
    text: str
    instead: str | None = None
    forms: Mapping[str, str] = field(default_factory=dict)


def _slip(pattern: str, text: str, instead: str | None = None, flags: re.RegexFlag = re.IGNORECASE) -> Slip:
    return Slip(re.compile(pattern, flags), text, instead)


APOSTROPHE = "An apostrophe is missing: it stands for the letters left out."
OWNER = "An apostrophe is missing: it tells whose something is."
THAN = "In a comparison it is “than”; “then” is about time."
AGREEMENT = "The verb has to fit its subject: I go, he goes, they go."
PLURAL = "Look at the number: one thing, or more than one?"
BASE_FORM = "After this word the verb has no ending and no “to”: can go, did go, to go."
THIRD_FORM = "Here the verb needs its third form: I saw it, I have seen it."
HAVE = "Here it is “have”: “of” only sounds like it."
PREPOSITION = "This word goes with another small word, or with none."
CONFUSED = "Two words that sound or look alike are mixed up here."
WOULD = "After “if” there is no “would”: if I had more time, I would come."
WILL = "After “if” and “when” there is no “will”: when I am older."
COUNTED = "“Many” and “fewer” go with things that you can count, “much” and “less” with all others."

_THINGS = (
    "things|reasons|problems|cars|kids|students|ideas|books|ways|examples|people|teachers|friends|phones|games|countries|children"
    "|accidents|drivers|trees|animals"
)
_ENDED = r"(?=\s*(?:[.,;:!?]|$)|\s(?:is|are|was|were|in|on|at|of|to|that|who|which|and|or|but|because|for|have|has|can|will)\b)"
_OWN = "own|cars?|life|lives|phones?|house|home|friends?|family|parents|mother|father|kids|mind|head|money|eyes|job|opinion"
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


def _each(pattern: str, text: str, forms: Mapping[str, str]) -> Slip:
    """A slip for any of the forms, which stand for FORM in the pattern, after its first group."""
    return Slip(re.compile(pattern.replace("FORM", f"({'|'.join(forms)})"), re.IGNORECASE), text, None, forms)


def _not_after(words: str) -> str:
    """A pattern that holds where none of the words, with or without "the", stands before."""
    return "".join(rf"(?<!\b{word} )(?<!\b{word} the )" for word in words.split())


SLIPS = (
    _slip(r"\b(could|should|would|might|must) of\b(?! course)", HAVE, r"\1 have"),
    _slip(r"\b(could|should|would|must|might) had\b", "After this word it is “have”.", r"\1 have"),
    _slip(r"\balot\b", "These are two words.", "a lot"),
    _slip(
        r"\b(be|been|is|are|was|were|not) aloud(?= to\b|[.!?]|$)",
        "Aloud means with a voice. Permitted is spelt differently.",
        r"\1 allowed",
    ),
    _slip(
        r"\b(more|less|better|worse|other|rather|bigger|smaller|older|younger|different|diffrent) then\b(?! (?:why"
        r"|how|what)\b)",
        THAN,
        r"\1 than",
    ),
    _slip(r"\b((?:more|less) [a-z]+) then(?= (?:that|this|ever|usual|before|expected)\b)", THAN, r"\1 than"),
    _slip(r"\b(do|does|did|is|are|was|were|has|have|had|would|could|should)nt\b", APOSTROPHE, r"\1n't"),
    _slip(r"\b(can)t\b", APOSTROPHE, r"\1't"),
    _slip(r"\b(I)(m|ve)\b", APOSTROPHE, r"I'\2"),
    _slip(r"\b(they|you)(re|ve)\b", APOSTROPHE, r"\1'\2"),
    _slip(
        r"\b(that|what|there|he|she)s (?=(?:why|how|because|just|not|a|the|no|an|it|what|where|when)\b)", APOSTROPHE, r"\1's "
    ),
    _slip(r"\b(that)s\b", APOSTROPHE, r"\1's"),
    _slip(r"\b(today|everyone|everybody|someone|somebody|anyone|nobody|yesterday)s (?=[a-z])", OWNER, r"\1's "),
    _slip(
        r"\bpeoples (?=lives|life|minds?|homes?|health|feelings?|opinions?|rights|time|money|phones?|cars?|safety)",
        OWNER,
        "people's ",
    ),
    _slip(r"\bpeoples (?=(?:are|were|have|who|do|can|will|think|say|like|want|need)\b)", PLURAL, "people "),
    _slip(
        r"\bits (?=(?:just|not|a|an|the|like|because|really|very|so|too|been|going|more|better|easy|hard|bad|good"
        r"|important)\b)(?! own)",
        "Short for “it is”, this word has an apostrophe.",
        "it's ",
    ),
    _slip(rf"\b(you)'re (?=(?:{_OWN})\b)", "“Your” tells whose something is. “You’re” is short for “you are”.", r"\1r "),
    _slip(
        r"\b(you)r (?=(?:not|a|an|going to|gonna|probably|also|still|never|always)\b)(?! (?:present|so))",
        "“You’re” is short for “you are”.",
        r"\1're ",
    ),
    _slip(rf"\bwho's (?=(?:{_OWN})\b)", "“Whose” asks or tells who something belongs to.", "whose "),
    _slip(rf"\bthere (?=(?:{_OWN})\b)(?! is| are)", "“Their” tells whose something is; “there” is a place.", "their "),
    _slip(r"\bi(?='m|’m|'ve|’ve|'ll|’ll|'d|’d| )(?!\.)\b", "“I” is always a capital.", "I", re.NOFLAG),
    _slip(r"\b(?!(?:had|that|can|is|do|her|you|who) )([a-z]{2,}) \1\b", "The same word stands here twice.", r"\1"),
    _slip(r"\ba (?=[aei][a-z])(?!eu|ew|one)", "Before a vowel it is “an”.", "an ", re.NOFLAG),
    _slip(
        r"\ban (?=(?:dont|don't|the|it|they|you|we|he|she|is|are|not|then|also|your|my|their|if|when)\b)",
        "This is short of its last letter.",
        "and ",
    ),
    _slip(
        r"\b(there)(?:'s| is| was|’s) (?=(?:many|several|so many|lots of|a lot of people|some people|two|three|four"
        r"|five)\b)(?! (?:more|people's))",
        AGREEMENT,
        r"\1 are ",
    ),
    _each(
        _not_after("of in by to for with about between and from on") + r"\b((?:people|children) )FORM\b",
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
    _each(
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
    _each(
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
    _each(r"(?<!\bdo )(?<!\bdid )(?<!\bdoes )\b((?:he|she|it) )FORM\b", AGREEMENT, {"don't": "doesn't", "don’t": "doesn’t"}),
    _each(r"\b((?:we|they|you) )FORM\b", AGREEMENT, {"was": "were", "doesn't": "don't"}),
    _each(
        r"\b((?:he|she|it|who) can )FORM\b",
        BASE_FORM,
        {"sings": "sing", "goes": "go", "does": "do", "has": "have", "makes": "make", "takes": "take", "gets": "get"},
    ),
    _slip(r"\b(must|should|could) to (?=[a-z]+\b)(?!the\b)", BASE_FORM, r"\1 "),
    _each(
        r"(?<!used )(?<!similar )(?<!due )\b(to )FORM\b",
        BASE_FORM,
        {past: base for past, base in _BASES.items() if past not in ("was", "were", "thought")},
    ),
    _each(
        r"\b((?:can|could|will|would|should|must|may|might|can't|couldn't|won't|wouldn't|shouldn't|didn't|don't"
        r"|doesn't) )FORM\b",
        BASE_FORM,
        {past: base for past, base in _BASES.items() if past not in ("had",)},
    ),
    _each(
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
    _each(r"\b((?:have|has|had|having) )FORM\b(?! (?:to|that)\b)", THIRD_FORM, _SIMPLE),
    _each(
        r"(?<!\bhave )(?<!\bhas )(?<!\bhad )\b((?:i|he|she|we|they) )FORM\b",
        THIRD_FORM,
        {"seen": "have seen", "done": "have done"},
    ),
    _slip(rf"\b(?:this)(?= (?:{_THINGS.replace('people|', '')}){_ENDED})", PLURAL, "these"),
    _slip(
        rf"\b(these|those|many|several|two|three|four|five) (thing|reason|problem|car|kid|student|idea|book|example"
        rf"|teacher|friend|phone|game){_ENDED}",
        PLURAL,
        r"\1 \2s",
    ),
    _slip(
        rf"\b(one of the) (thing|reason|problem|car|kid|student|idea|book|way|example|teacher|friend|advantage"
        rf"|cause)\b{_ENDED}",
        PLURAL,
        r"\1 \2s",
    ),
    _slip(
        r"\b(every) (thing|reason|problem|car|kid|student|idea|book|way|teacher|friend|day|year)s\b(?!['’])", PLURAL, r"\1 \2"
    ),
    _slip(rf"(?<!how )\bmuch(?= (?:{_THINGS})\b)", COUNTED, "many"),
    _slip(rf"\bless(?= (?:{_THINGS})\b)", COUNTED, "fewer"),
    _slip(rf"\bamount of(?= (?:{_THINGS})\b)", COUNTED, "number of"),
    _slip(r"\b(information|advice|homework|furniture|equipment|knowledge)s\b", "This word has no plural.", r"\1"),
    _slip(r"\b(i) am agree\b", "“Agree” is a verb of its own.", r"\1 agree"),
    _slip(r"\b(suppose)(?= to be\b)(?<=(?:is|as|re|be|'s|’s) suppose)", THIRD_FORM, "supposed"),
    _slip(r"\b(let|lets|make|makes|made) (me|you|him|her|us|them|people) to (?=[a-z]+\b)", BASE_FORM, r"\1 \2 "),
    _slip(r"\b(depend|depends) (?:of|from)\b", PREPOSITION, r"\1 on"),
    _slip(r"\b(interested) (?:on|about|for)\b", PREPOSITION, r"\1 in"),
    _slip(r"\b(discuss|discussed|discusses) about\b", PREPOSITION, r"\1"),
    _slip(r"\b(explain|explains|explained) (me|him|us|them)\b", PREPOSITION, r"\1 to \2"),
    _slip(r"\b(listen|listens|listening) (?=(?:music|the|him|them|me|us|your|my)\b)", PREPOSITION, r"\1 to "),
    _slip(r"\bin the other hand\b", PREPOSITION, "on the other hand"),
    _slip(r"\bin my point of view\b", PREPOSITION, "from my point of view"),
    _slip(r"\bin (the )?internet\b", PREPOSITION, "on the internet"),
    _slip(r"\b(?:in|at) (monday|tuesday|wednesday|thursday|friday|saturday|sunday)(s?)\b(?!['’])", PREPOSITION, r"on \1\2"),
    _slip(r"\b(?:in|on) (\w+ o'clock)\b", PREPOSITION, r"at \1"),
    _slip(r"\b(?:in|on) night\b(?! time)", PREPOSITION, "at night"),
    _slip(r"\bin the same day\b", PREPOSITION, "on the same day"),
    _slip(r"\btheirsel(?:f|ves)\b", CONFUSED, "themselves"),
    _slip(r"\bsimilar with\b", PREPOSITION, "similar to"),
    _slip(r"\bmarried with\b(?! (?:two|three|kids|children))", PREPOSITION, "married to"),
    _slip(r"(?:\A|(?<=[.!?] ))(If (?:I|you|he|she|we|they|it)) would(?! (?:like|rather|please)\b)", WOULD, None, re.NOFLAG),
    _slip(r"\b(when|if) (i|he|she|we|they|it) will (?=(?:be|go|get|have|come|grow|finish|become|join|make|do)\b)", WILL, None),
    _slip(r"\bthere isn['’]t many\b", AGREEMENT, "there aren't many"),
    _slip(r"\b(go|goes|went|going) to home\b", PREPOSITION, r"\1 home"),
    _slip(
        r"\bsince (?=(?:two|three|four|five|six|seven|eight|nine|ten|many|several) (?:days|weeks|months"
        r"|years)\b)(?!\w+ \w+ ago)",
        "“Since” needs a starting point; for how long something lasts it is “for”.",
        "for ",
    ),
    _slip(r"\bthe most of (?=(?:people|the|us|them|students)\b)", "“Most of” needs no “the” before it.", "most of "),
    _slip(
        r"\b(is|are|was|were|be|far|way|just|spend) to (?=(?:much|many|late|dangerous|expensive|slow|young)\b)",
        "“Too” means more than is good.",
        r"\1 too ",
    ),
    _slip(
        r"\b(to|will|would|could|can|might|may|don't|shouldn't|never) loose (?=their|your|his|her|my|our|the|a|it"
        r"|them|control|lives|money|weight|focus|time|hope|friends)",
        CONFUSED,
        r"\1 lose ",
    ),
    _slip(r"\bweather (?=(?:or not|it|you|they|we|he|she)\b)", CONFUSED, "whether "),
    _slip(r"\b(don't|didn't|doesn't|dont) no\b(?! (?:one|body|more))", CONFUSED, r"\1 know"),
    _slip(r"\bto by (?=(?:a|an|new|food|gas|it|them|more)\b)", CONFUSED, "to buy "),
    _slip(r"\bquiet (?=(?:often|easy|hard|difficult|expensive|dangerous|a few|a lot|a bit)\b)", CONFUSED, "quite "),
    _slip(
        r"\b(a|an|the|bad|negative|positive|good|huge|big|major|side) affect(s?)\b(?! (?:on|in)? ?(?:people|us"
        r"|the environment)\b(?<!on the environment))",
        CONFUSED,
        r"\1 effect\2",
    ),
    _slip(
        r"\b(can|could|will|would|may|might|to|not) effect (?=(?:the|your|you|people|us|our|their|them|how|my|me|him"
        r"|her|everyone)\b)(?! change)",
        CONFUSED,
        r"\1 affect ",
    ),
    _slip(r"\b(we|they) where (?=(?:not|going|very|so|too|all|happy|able|in|on|at)\b)", CONFUSED, r"\1 were "),
    _slip(r"\b(can|could|to|will) here (?=(?:the|you|it|them|that|him|her)\b)", CONFUSED, r"\1 hear "),
    _slip(r"\bpeople which\b", "For people it is “who”; “which” is for things.", "people who"),
    _slip(r"(?<=\w) +(?=[,;.!?](\s|$))", "No blank goes before this mark.", ""),
    _slip(r"(?<=[a-z]),(?=[a-z])", "A blank goes after a comma.", ", "),
    _slip(r"[!?]{2,}", "One mark is enough.", None),
    _slip(r"\A[a-z]{2,}(?= [a-z])", "A sentence begins with a capital letter.", None, re.NOFLAG),
    _slip(r"(?<= )[a-z]+ [a-z]+ [a-z]+ [a-z]+\Z", "A sentence ends with a full stop.", None, re.NOFLAG),
)


def slips_in(text: str, is_late: IsLate = never) -> Iterator[SlipFound]:
    """The slips in the text outside its quotations, kind by kind, then other mistakes of grammar, as far as there is time; one
    of those that overlap."""
    taken = quoted_in(text)
    for slip in takewhile(lambda _: not is_late(), SLIPS):
        for found in takewhile(lambda _: not is_late(), slip.pattern.finditer(text)):
            if not overlap(found.span(), taken):
                taken.append(found.span())
                yield SlipFound(slip.text, _around(found, text), _instead(slip, found, text))
    for one in grammar_in(text, is_late):
        if not overlap(one.place, taken):
            taken.append(one.place)
            yield one


def _instead(slip: Slip, found: re.Match[str], text: str) -> str | None:
    """The correction, with a capital where the words had one; None if unknown."""
    if slip.instead is None and not slip.forms:
        return None
    right = (f"{found[1]}{slip.forms[found[2].lower()]}" if slip.forms else found.expand(slip.instead or "")).strip()
    return (f"{right[0].upper()}{right[1:]}" if right and text[found.start()].isupper() else right) or None


def _around(found: re.Match[str], text: str) -> tuple[int, int]:
    """The match without blanks at its ends; a match of blanks alone stays as it is."""
    start, end = found.span()
    words = text[start:end].strip()
    return (start, end) if not words else (text.index(words, start), text.index(words, start) + len(words))
