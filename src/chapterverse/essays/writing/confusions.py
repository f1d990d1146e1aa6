"""Slips: what a pattern of a mistake is and what is said of it; and those of words that sound alike or lack an apostrophe or a
capital, as those make who speak English every day."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Slip:
    """A pattern of a mistake. instead: the correction as a template of re.sub, None if the writer has to decide. forms: in
    place of it, what the second group becomes after the first one."""

    pattern: re.Pattern[str]
    text: str
    instead: str | None = None
    forms: Mapping[str, str] = field(default_factory=dict)


def slip(pattern: str, text: str, instead: str | None = None, flags: re.RegexFlag = re.IGNORECASE) -> Slip:
    return Slip(re.compile(pattern, flags), text, instead)


def each_form(pattern: str, text: str, forms: Mapping[str, str]) -> Slip:
    """A slip for any of the forms, which stand for FORM in the pattern, after its first group."""
    return Slip(re.compile(pattern.replace("FORM", f"({'|'.join(forms)})"), re.IGNORECASE), text, None, forms)


APOSTROPHE = "An apostrophe is missing: it stands for the letters left out."
OWNER = "An apostrophe is missing: it tells whose something is."
THAN = "In a comparison it is “than”; “then” is about time."
AGREEMENT = "The verb has to fit its subject: I go, he goes, they go."
PLURAL = "Look at the number: one thing, or more than one?"
BASE_FORM = "After this word the verb has no ending and no “to”: can go, did go, to go."
THIRD_FORM = "Here the verb needs its third form: I saw it, I have seen it."
IT_IS = "Short for “it is”, this word has an apostrophe."
YOURS = "“Your” tells whose something is."
THEIR = "“Their” tells whose something is; “there” is a place."
ING = "Here the verb ends in “-ing”: I enjoy reading, they are reading."
NAME = "A name begins with a capital letter."
HAVE = "Here it is “have”: “of” only sounds like it."
PREPOSITION = "This word goes with another small word, or with none."
CONFUSED = "Two words that sound or look alike are mixed up here."
WOULD = "After “if” there is no “would”: if I had more time, I would come."
WILL = "After “if” and “when” there is no “will”: when I am older."
COUNTED_BY = "“Many” and “fewer” go with things that you can count, “much” and “less” with all others."

_OWN = "own|cars?|life|lives|phones?|house|home|friends?|family|parents|mother|father|kids|mind|head|money|eyes|job|opinion"
_THEIRS = (
    "feet|jobs?|homes|hands|vehicles?|surroundings|destinations?|attention|community|communities|citizens|cities|health"
    "|fault|best|licenses?|seats?|eyes|children|lifes|loved ones|teachers?|grades?|classmates|countries|opinions?|body|bodies"
)
_NUMBER = (
    "(?:about |only |over |at least |almost |nearly )?(?:two|three|four|five|six|seven|eight|nine|ten|twenty|thirty|forty|fifty"
    "|hundreds|thousands|many|several|some people|a lot of people)"
)
_NAMES = """
    paris germany france america american americans europe spain mexico english spanish german bogota colombia texas california
    florida chicago london africa asia india japan canada instagram facebook snapchat christmas monday mondays tuesday wednesday
    thursday friday fridays saturday saturdays sunday sundays january february april june july september october november
    december
"""  # without those that are words as well

_BRANDS = {
    "iphone": "iPhone", "iphones": "iPhones", "ipad": "iPad", "ipads": "iPads", "youtube": "YouTube", "tiktok": "TikTok",
    "whatsapp": "WhatsApp",
}  # fmt: skip

CONFUSIONS = (
    slip(r"\b(do|does|did|is|are|was|were|has|have|had|would|could|should)nt\b", APOSTROPHE, r"\1n't"),
    slip(r"\b(can)t\b", APOSTROPHE, r"\1't"),
    slip(r"\b(I)(m|ve)\b", APOSTROPHE, r"I'\2"),
    slip(rf"\btheyre (?=(?:{_OWN}|{_THEIRS})\b)", THEIR, "their "),
    slip(r"\b(they|you)(re|ve)\b", APOSTROPHE, r"\1'\2"),
    slip(rf"\btheres (?=(?:{_NUMBER})\b)", AGREEMENT, "there are "),
    slip(r"\b(that|what|where|who|there|he|she)s\b", APOSTROPHE, r"\1's"),
    slip(
        r"\b(today|everyone|everybody|someone|somebody|anyone|nobody|yesterday|(?:some|any|every|no)(?:one|body) else)s"
        r" (?=[a-z])",
        OWNER,
        r"\1's ",
    ),
    slip(
        r"\bpeoples (?=lives|life|minds?|homes?|health|feelings?|opinions?|rights|time|money|phones?|cars?|safety)",
        OWNER,
        "people's ",
    ),
    slip(r"\bpeoples (?=(?:are|were|have|who|do|can|will|think|say|like|want|need)\b)", PLURAL, "people "),
    slip(
        r"\bits (?=(?:just|not|a|an|the|like|because|really|very|so|too|been|going|in|on|at|for|from|to|with|by|about|my|your"
        r"|our|their|his|her|also|always|never|still|probably|called|okay|ok|gonna|how|why|when|where|what|if|you)\b)",
        IT_IS,
        "it's ",
    ),
    slip(
        r"\bits (?=(?:easy|easier|hard|harder|difficult|bad|good|better|important|dangerous|safer|cheaper|illegal|unfair|fair"
        r"|wrong|possible|impossible|true|clear|worth|cool|fun|nice|necessary)"
        r"(?: (?:to|for|that|when|if|because|but|and|than)\b|[.,!?;]|$))",
        IT_IS,
        "it's ",
    ),
    slip(
        rf"\b(with|for|to|from|in|on|about|lose|using|check) you (?=(?:{_OWN}|children|brother|sister|teachers?|school|eyes"
        r"|hands|classmates|seat|attention)\b)",
        YOURS,
        r"\1 your ",
    ),
    slip(
        r"\b(and|but|if|when|because|than) you (?=(?:friends?|family|parents|kids|cars?|life|eyes|hands|children)\b)",
        YOURS,
        r"\1 your ",
    ),
    slip(rf"\b(you)'re (?=(?:{_OWN})\b)", "“Your” tells whose something is. “You’re” is short for “you are”.", r"\1r "),
    slip(
        r"\b(you)r (?=(?:not|a|an|going to|gonna|probably|also|still|never|always)\b)(?! (?:present|so))",
        "“You’re” is short for “you are”.",
        r"\1're ",
    ),
    slip(rf"\bwho's (?=(?:{_OWN})\b)", "“Whose” asks or tells who something belongs to.", "whose "),
    slip(rf"\bthere (?=(?:{_OWN}|{_THEIRS})\b)(?! is| are)(?! (?:own|way) (?:too|more))", THEIR, "their "),
    slip(r"\bthey['’]re (?=own\b)(?! own too)", THEIR, "their "),
    slip(r"\btheir (?=(?:is|are|was|were|isn['’]?t|aren['’]?t|wasn['’]?t)\b)", THEIR, "there "),
    slip(r"\bit['’]s own\b", "“Its” tells whose something is; “it’s” is short for “it is”.", "its own"),
    slip(
        r"\b(when|while|if|because|unless|since) your (?=(?:driving|texting|going|doing|walking|trying|talking|looking|using"
        r"|paying|distracted|behind|getting|making|being|at|in|on|so|too|very|tired|late|able|more)\b"
        r"(?! (?:is|was|will|can|should|skills?|records?|ability|habits?|license|test|experience|time|has|gets|improves)\b))",
        "“You’re” is short for “you are”.",
        r"\1 you're ",
    ),
    slip(
        r"\b(have|has|had|gets?|takes?|costs?|uses?|using|causes?|spending|way|are|driving) to (?=(?:much|many)\b)",
        "“Too” means more than is good.",
        r"\1 too ",
    ),
    slip(r"(?<=\w), to(?=[.!?])", "“Too” means also.", ", too"),
    slip(r"\bapart of (?=(?:the|our|my|your|their|his|her|this|it|a|life|society)\b)", "These are two words.", "a part of "),
    slip(
        r"(?<!\ban )(?<!\bthe )(?<!\bour )(?<!\bmy )(?<!\btheir )(?<!\byour )(?<!\bin )\beveryday"
        r"(?=[.,!?]|$| (?:to|because|and|in|at|for|when|i|we|they|people|there|from|on|by)\b)",
        "As two words it tells how often; as one it goes before a thing: everyday life.",
        "every day",
    ),
    slip(
        r"(?:\A|(?<=[.!?] ))Lets (?=(?:face|say|be|go|take|look|start|talk|not|all|just|see|make|put|get|think|stop|keep)\b)",
        APOSTROPHE,
        "Let's ",
    ),
    slip(
        r"\b(wo)nt (?=(?:be|have|do|get|go|stop|let|work|make|take|only|even|happen|want|know|give|help|see|need)\b)",
        APOSTROPHE,
        r"\1n't ",
    ),
    Slip(re.compile(rf"\b()({'|'.join(_NAMES.split())})\b"), NAME, None, {name: name.title() for name in _NAMES.split()}),
    Slip(re.compile(rf"\b()({'|'.join(_BRANDS)})\b"), NAME, None, _BRANDS),
    slip(r"\bwhile (drive|walk|text|talk|eat|play|study|sleep|ride|watch)\b(?! (?:is|was|time))", ING, None),
    slip(
        r"\b(it|this|that|which) effects (?=(?:all|the|us|you|people|our|me|my|your|their|them|how|everyone|many)\b)",
        CONFUSED,
        r"\1 affects ",
    ),
    slip(
        r"(?:\A|(?<=[.!?,;] )|(?<=\bbecause )|(?<=\bwhen )|(?<=\bbut ))(i|we|they|he|she|people) use to "
        r"(?=(?:be|have|go|live|think|do|play|walk|drive|like|love|hate)\b)",
        "It was so in the past: I used to play.",
        r"\1 used to ",
    ),
    slip(
        r"\b(is|are|was|were|be|far|way|just|spend) to (?=(?:much|many|late|dangerous|expensive|slow|young|small"
        r"|big|loud|tired|difficult|heavy)\b)"
        r"(?!\w+ (?:businesses|companies|cities|towns|farms|children|people|cars))",
        "“Too” means more than is good.",
        r"\1 too ",
    ),
    slip(
        r"\b(to|will|would|could|can|might|may|don't|shouldn't|never) loose (?=their|your|his|her|my|our|the|a|it"
        r"|them|control|lives|money|weight|focus|time|hope|friends)",
        CONFUSED,
        r"\1 lose ",
    ),
    slip(r"\bweather (?=(?:or not|it|you|they|we|he|she)\b)", CONFUSED, "whether "),
    slip(r"\b(don't|didn't|doesn't|dont) no\b(?! (?:one|body|more))", CONFUSED, r"\1 know"),
    slip(r"\bto by (?=(?:a|an|new|food|gas|it|them|more)\b)", CONFUSED, "to buy "),
    slip(r"\bquiet (?=(?:often|easy|hard|difficult|expensive|dangerous|a few|a lot|a bit)\b)", CONFUSED, "quite "),
    slip(r"\ban? affect(s?)\b(?! on)", CONFUSED, r"an effect\1"),
    slip(
        r"\b(the|bad|negative|positive|good|huge|big|major|side) affect(s?)\b(?! (?:on|in)? ?(?:people|us"
        r"|the environment)\b(?<!on the environment))",
        CONFUSED,
        r"\1 effect\2",
    ),
    slip(
        r"\b(can|could|will|would|may|might|to|not) effect (?=(?:the|your|you|people|us|our|their|them|how|my|me|him"
        r"|her|everyone)\b)(?! change)",
        CONFUSED,
        r"\1 affect ",
    ),
    slip(r"\b(we|they) where (?=(?:not|going|very|so|too|all|happy|able|in|on|at)\b)", CONFUSED, r"\1 were "),
    slip(r"\b(can|could|to|will) here (?=(?:the|you|it|them|that|him|her)\b)", CONFUSED, r"\1 hear "),
)
