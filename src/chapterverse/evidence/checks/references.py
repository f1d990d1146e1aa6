"""Where the student says that it stands: "(Mill, p. 5)", "in Chapter 2". Nothing of it is claimed of the world."""

import re

from chapterverse.evidence.checks.vocabulary import UNITS

_NUMBER = rf"(?:\d+(?:\s?[-–]\s?\d+)?|[ivxlc]+|{'|'.join(UNITS.split())})\b"
_PLACE = re.compile(rf"\b(?:pp?|pages?|ch|chap|chapters?|vol|volumes?)(?:\.\s?|\s){_NUMBER}", re.IGNORECASE)
_IN_BRACKETS = re.compile(rf"\(\s*[A-Z](?:[^()]{{0,100}}[\s,.]){_NUMBER}\s*\)")


def without_references(claim: str) -> str:
    """What is left: brackets that begin with a name and end with a number go, and numbers of pages, chapters and volumes."""
    return _PLACE.sub(" ", _IN_BRACKETS.sub(" ", claim))
