"""Content by rules: what the books say on each paragraph, and whether it gives reasons."""

import re
from collections.abc import Iterator

from chapterverse.evidence.numbering import Evidence
from chapterverse.evidence.verdict import VerdictKind
from chapterverse.feedback.comments import NOTHING_FOUND, Citation, Comment
from chapterverse.feedback.rules.rule import Looking, Rules

SHORT = 25  # words; a shorter paragraph may open or close an essay, and needs no reason of its own

OWN_EXPERIENCE = "That is fine for something you have seen yourself; if you have read it, say where."
OWN_FIGURES = "You give figures here: say where they come from."
NO_REASON = (
    "You say what you think here, but no reason or example stands out: there is no word like “because” or “for example”. "
    "Add one reason, or one thing that happened."
)
SAID = {
    VerdictKind.CONTRADICTS: "Look at this again. {reason}",
    VerdictKind.SUPPORTS: "{reason}",
    VerdictKind.PARTLY: "{reason}",
    VerdictKind.NOT_FOUND: "The book may be about the same thing, but whether you are right it does not say.",
}
WHAT_TO_DO = {
    VerdictKind.CONTRADICTS: "Read its sentence, then change yours, or say why you see it differently.",
    VerdictKind.SUPPORTS: "Read its sentence: if it fits, name book and page in your essay, and say in a sentence how.",
    VerdictKind.PARTLY: "Say only as much as the book does, or find support for the rest.",
    VerdictKind.NOT_FOUND: "Read its sentence, and use it: agree with it, or argue against it.",
}

_REASON = re.compile(
    r"\b(because|since|so that|therefore|thus|for example|for instance|e\.g|such as|when|if|one time|once|in my|proves?|shows?"
    r"|reason|example|due to|that is why|thats why)\b",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")


def on_paragraph(look: Looking, paragraph: int) -> Iterator[Comment]:
    """First the books, then reasons."""
    yield from from_books(look, paragraph)
    text = look.text(paragraph)
    if len(text.split()) > SHORT and not _REASON.search(text) and not _FIGURE.search(text):
        yield Comment(paragraph, NO_REASON)


def from_books(look: Looking, paragraph: int) -> Iterator[Comment]:
    """A comment for each piece of evidence, or one that there is none."""
    found = look.subject.on(paragraph)
    if not found and paragraph not in look.subject.left_out:
        yield Comment(paragraph, f"{NOTHING_FOUND} {OWN_FIGURES if _FIGURE.search(look.text(paragraph)) else OWN_EXPERIENCE}")
    for one in found:
        yield on_claim(look, paragraph, one)


def on_claim(look: Looking, paragraph: int, evidence: Evidence) -> Comment:
    """What the book does for the sentence that it answers to; what to do with that, the first time."""
    claim = look.subject.claim(paragraph, evidence)
    verdict = look.judge(claim, evidence)
    said = SAID[verdict.kind].format(reason=verdict.reason)
    if verdict.kind not in look.told:
        look.told.add(verdict.kind)
        said = f"{said} {WHAT_TO_DO[verdict.kind]}"
    start = look.text(paragraph).find(claim)
    about = (start, start + len(claim)) if start >= 0 else None
    return Comment(paragraph, said, about, (Citation(evidence, verdict),))


def nothing_more(_: Looking) -> Iterator[Comment]:
    """Of the whole, rules see nothing in its content."""
    yield from ()


CONTENT = Rules(
    on_paragraph,
    nothing_more,
    checked=(
        "each paragraph against the sentences found in your books: numbers, names, and words such as “not”",
        "whether a longer paragraph gives a reason or an example",
    ),
    not_checked=("whether the essay answers the question you were set", "whether your reasons are good ones"),
)
