"""What a slip is: a pattern of a mistake, what is said of it, and what to write instead."""

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
COUNTED = "“Many” and “fewer” go with things that you can count, “much” and “less” with all others."
