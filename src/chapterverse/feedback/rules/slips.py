"""Slips that a pattern can tell for sure: no grammar, only what is wrong wherever it stands."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from chapterverse.feedback.comments import Comment
from chapterverse.feedback.rules.rule import Looking


@dataclass(frozen=True, slots=True)
class Slip:
    """instead: what the match becomes (re.sub's template), None where the writer must decide."""

    pattern: re.Pattern[str]
    text: str
    instead: str | None


def _slip(pattern: str, text: str, instead: str | None = None, flags: re.RegexFlag = re.IGNORECASE) -> Slip:
    return Slip(re.compile(pattern, flags), text, instead)


APOSTROPHE = "An apostrophe is missing: it stands for the letters left out."
THAN = "In a comparison it is “than”; “then” is about time."
SLIPS = (
    _slip(r"\b(could|should|would|might|must) of\b", "Here it is “have”: “of” only sounds like it.", r"\1 have"),
    _slip(r"\balot\b", "These are two words.", "a lot"),
    _slip(
        r"\b(be|been|is|are|was|were) aloud\b",
        "Aloud means with a voice. Permitted is spelt differently.",
        r"\1 allowed",
    ),
    _slip(
        r"\b(more|less|better|worse|other|rather|bigger|smaller|older|younger|different|diffrent) then\b",
        THAN,
        r"\1 than",
    ),
    _slip(r"\b((?:more|less) [a-z]+) then(?= (?:that|this|ever|usual|before|expected)\b)", THAN, r"\1 than"),
    _slip(r"\b(do|does|did|is|are|was|were|has|have|had|would|could|should)nt\b", APOSTROPHE, r"\1n't"),
    _slip(r"\b(can)t\b", APOSTROPHE, r"\1't"),
    _slip(r"\b(that|what|there|he|she)s (?=why|how|because|just|not|a|the|no)\b", APOSTROPHE, r"\1's "),
    _slip(
        r"\bits (?=just|not|a|an|the|like|because|really|very)\b", "Short for “it is”, this word has an apostrophe.", "it's "
    ),
    _slip(r"\bi(?='m|’m|'ve|’ve|'ll|’ll| )(?!\.)\b", "“I” is always a capital.", "I", re.NOFLAG),
    _slip(r"\b([a-z]{2,}) \1\b(?<!had had)(?<!that that)", "The same word stands here twice.", r"\1"),
    _slip(r"\ba (?=[aei][a-z])(?!eu|ew|one)", "Before a vowel it is “an”.", "an ", re.NOFLAG),
    _slip(r"(?<=\w) +(?=[,;.!?](\s|$))", "No blank goes before this mark.", ""),
    _slip(r"(?<=[a-z]),(?=[a-z])", "A blank goes after a comma.", ", "),
    _slip(r"[!?]{2,}", "One mark is enough.", None),
    _slip(r"\A[a-z]{2,}(?= [a-z])", "A sentence begins with a capital letter.", None, re.NOFLAG),
    _slip(r"(?<= )[a-z]+ [a-z]+ [a-z]+ [a-z]+\Z", "A sentence ends with a full stop.", None, re.NOFLAG),
)


def slips(look: Looking, paragraph: int) -> Iterator[Comment]:
    """One comment for each kind of slip not told yet."""
    text = look.text(paragraph)
    for slip in SLIPS:
        if slip.text not in look.told and (found := slip.pattern.search(text)):
            look.told.add(slip.text)
            instead = found.expand(slip.instead).strip() if slip.instead is not None else None
            yield Comment(paragraph, slip.text, _around(found, text), instead=instead or None)


def _around(found: re.Match[str], text: str) -> tuple[int, int]:
    """Without the blanks at its ends; a match that is all blanks as it is."""
    start, end = found.span()
    words = text[start:end].strip()
    return (start, end) if not words else (text.index(words, start), text.index(words, start) + len(words))
