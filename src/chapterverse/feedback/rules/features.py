"""Features by rules: the form of an essay that argues, and its tone."""

import re
from collections.abc import Iterator

from chapterverse.feedback.comments import Comment, Tone
from chapterverse.feedback.rules.rule import Looking, Rules

FEWEST_PARAGRAPHS = 3  # an opening, a middle and an ending
UNBALANCED = 3.0  # times as long as the others are on average
FEWEST_WORDS = 60  # of a paragraph that is said to be too long
MANY_WORDS = 150  # of an essay: a shorter one has little to link

_OPINION = re.compile(
    r"\b(i (think|believe|beleive|agree|disagree|argue|feel|am convinced)|in my (opinion|view)|should|shouldn'?t|must"
    r"|ought to)\b",
    re.IGNORECASE,
)
_ENDING = re.compile(
    r"\b(in conclusion|to conclude|to sum up|in summary|in short|all in all|overall|finally|in the end|therefore|that is why"
    r"|this shows|so everybody|so we|for these reasons)\b",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"\b(first(ly)?|second(ly)?|third(ly)?|next|then|also|besides|moreover|furthermore|however|but|although|on the other hand|"
    r"because|therefore|so|for example|for instance|finally|in addition|similarly|with \w+ it is the same)\b",
    re.IGNORECASE,
)
_CHATTY = re.compile(
    r"\b(gonna|wanna|gotta|kinda|sorta|lol|omg|btw|cuz|coz|stuff|guys|yeah|ok|okay|u|ur|pls|thx|you know)\b"
    r"|(?<!\w)[:;]-?[)(DP](?!\w)",
    re.IGNORECASE,
)
_SHOUTED = re.compile(r"\b[A-Z]{2,}(?:\s+[A-Z]{2,})+\b|!{2,}")

NO_TITLE = "Your essay has no title. A good one says what it is about, in a few words."
FEW_PARAGRAPHS = (
    "An essay usually has an opening, a middle and an ending, each a paragraph of its own. Part yours where a new idea begins."
)
NO_OPINION = "The first paragraph does not seem to say what you think (no “I think”, no “should”). Tell the reader early."
NO_ENDING = (
    "The last paragraph does not sound like an ending (no “so”, “in conclusion” or the like). "
    "End with what you have shown, in a sentence or two."
)
NO_LINK = (
    "This paragraph begins without a link to the one before. "
    "A word like “also”, “but” or “however” shows how they belong together."
)
TOO_LONG = "This paragraph is much longer than the others. Perhaps there are two ideas in it."
CHATTY = "This sounds like talking to a friend. In an essay use a plainer word."
SHOUTED = "Words say it better than capitals or many exclamation marks."
GOOD_FORM = "Your essay has a title, an opening that says what you think, and an ending."


def on_paragraph(look: Looking, paragraph: int) -> Iterator[Comment]:
    """Tone, and how it stands beside the others."""
    text = look.text(paragraph)
    for pattern, said in ((_CHATTY, CHATTY), (_SHOUTED, SHOUTED)):
        if found := pattern.search(text):
            yield Comment(paragraph, said, found.span())
    if _is_too_long(look, paragraph):
        yield Comment(paragraph, TOO_LONG)


def on_essay(look: Looking) -> Iterator[Comment]:
    """Title, opening, ending, links."""
    missing = list(_missing(look))
    if not missing and look.style.tone is Tone.KIND:
        yield Comment(None, GOOD_FORM)
    yield from missing


def _missing(look: Looking) -> Iterator[Comment]:
    essay = look.subject.essay
    last = len(essay.paragraphs) - 1
    if not essay.title:
        yield Comment(None, NO_TITLE)
    if len(essay.paragraphs) < FEWEST_PARAGRAPHS:
        yield Comment(None, FEW_PARAGRAPHS)
    if not _OPINION.search(f"{essay.title or ''} {essay.paragraphs[0].text}"):
        yield Comment(0, NO_OPINION)
    if last >= FEWEST_PARAGRAPHS - 1 and not _ENDING.search(essay.paragraphs[last].text):
        yield Comment(last, NO_ENDING)
    unlinked = [n for n in range(1, last) if not _LINK.search(essay.paragraphs[n].sentences[0])]
    if unlinked and sum(look.lengths) > MANY_WORDS:
        yield Comment(unlinked[0], NO_LINK)


def _is_too_long(look: Looking, paragraph: int) -> bool:
    own, others = look.lengths[paragraph], len(look.lengths) - 1
    return others > 1 and own >= FEWEST_WORDS and own > UNBALANCED * (sum(look.lengths) - own) / others


FEATURES = Rules(
    on_paragraph,
    on_essay,
    checked=(
        "whether there are a title, an opening with your opinion, and an ending, by the words that usually show them",
        "links between paragraphs, and their length",
        "words and marks that do not suit an essay",
    ),
    not_checked=("whether this is the kind of text you were asked for", "whether style, tense and person stay the same"),
)
