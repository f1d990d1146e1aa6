"""How far a claim goes: "always" where the book says "sometimes"."""

from chapterverse.evidence.checks.finding import Finding, Weight
from chapterverse.evidence.checks.vocabulary import PART, WHOLE
from chapterverse.evidence.checks.words import read_words
from chapterverse.messages import message


def check_extent(claim: str, sentence: str) -> Finding | None:
    """A DOUBT where the claim is on the whole of something, and the sentence, which is not, on a part of it."""
    ours, theirs = ({word.text for word in read_words(text.replace("at all", ""))} for text in (claim, sentence))
    whole, part = sorted(ours & WHOLE), sorted(theirs & PART)
    if not whole or not part or ours & PART or theirs & WHOLE:
        return None
    return Finding(Weight.DOUBT, message("book_more_careful", ours=whole[0], theirs=part[0]))
