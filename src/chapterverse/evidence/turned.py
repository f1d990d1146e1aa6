"""A sentence said the other way round, so that vectors can tell which of the two a book is nearer to."""

import re

NOT_TRUE = "It is not true that "

_AFFIRMED = {
    "not": "", "never": "always", "no": "", "nobody": "everybody", "nothing": "something", "without": "with", "none": "all",
    "cannot": "can", "hardly": "", "neither": "both", "nor": "and",
}  # fmt: skip
_NEGATION = re.compile(rf"\b({'|'.join(_AFFIRMED)})\b", re.IGNORECASE)
_SHORTENED = re.compile(r"n['’]t\b")
_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|be|can|could|may|might|must|shall|should|will|would|has|have|had|does|do|did)\b", re.IGNORECASE
)


def turn(text: str) -> str:
    """Without its negations, if it has any; else with a "not" after the first auxiliary verb; else denied as a whole."""
    affirmed = _NEGATION.sub(lambda found: _AFFIRMED[found[0].lower()], _SHORTENED.sub("", text))
    if affirmed != text:
        return " ".join(affirmed.split())
    if verb := _AUXILIARY.search(text):
        return f"{text[: verb.end()]} not{text[verb.end() :]}"
    return NOT_TRUE + _lower(text)


def deny(text: str) -> str:
    """As a contradiction would begin."""
    return f"No, {_lower(text)}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]
