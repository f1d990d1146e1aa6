"""The rules on features (form and tone of an essay), and on what works in it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from chapterverse.citations.quotations import quotations
from chapterverse.core.words import dictionary
from chapterverse.essays.model import Comment, Review, Tone, in_order
from chapterverse.essays.task import Genre
from chapterverse.essays.writing.rules import Role, RuleContext, Rules, words_of

MIN_PARAGRAPHS = 3  # an opening, a middle and an ending
MIN_PARTED_WORDS = 150  # of an essay that should have them
UNBALANCED = 3.0  # times as long as the others are on average
MIN_WORDS = 120  # of a paragraph that can be too long
SHOUTED_LETTERS = 4  # letters of a word that is no abbreviation

_ENDING = re.compile(
    r"\b(in conclusion|to conclude|conclusion|concluding|to sum|in summary|summary|in short|all in all|overall|finally"
    r"|lastly|in the end|therefore"
    r"|thus|that is why|this shows|so|for these reasons|as you can see|should|must|need|hope|everyone|we)\b",
    re.IGNORECASE,
)
_ONE_MORE = re.compile(
    r"(?:another|also|in addition|additionally|furthermore|moreover|besides|next|second(?:ly)?|third(?:ly)?"
    r"|for (?:example|instance))\b",
    re.IGNORECASE,
)
_CHATTY = re.compile(
    r"\b(gonna|wanna|gotta|kinda|sorta|lol|omg|btw|cuz|coz|yeah|(?-i:ur?)(?!\.)|pls|thx|ain['’]t)\b|(?<!\w)[:;]-?[)(DP](?!\w)",
    re.IGNORECASE,
)
_SHOUTED = re.compile(r"\b[A-Z]{2,}(?:\s+[A-Z]{2,})+\b|!{2,}")

FEW_PARAGRAPHS = "Where does a new idea begin? Start a new paragraph there, so that your reader sees your steps."
NO_ENDING = "Your essay stops with one more point. What have you shown? You could end with that, in a sentence or two."
TOO_LONG = "This paragraph is much longer than the others. Are there two ideas in it? Then begin the second one on a new line."
CHATTY = "This sounds like talking to a friend. In an essay use a plainer word."
SHOUTED = "Words say it better than capitals or many exclamation marks."


def features_on_paragraph(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """Comments on the paragraph's tone and length."""
    text = look.text(paragraph)
    if look.genre is not Genre.NARRATIVE and (found := next(_unquoted(_CHATTY, text), None)):
        yield Comment(paragraph, CHATTY, found.span(), rule="wording.chatty")
    if found := next((each for each in _unquoted(_SHOUTED, text) if _is_shouted(each[0])), None):
        yield Comment(paragraph, SHOUTED, found.span(), rule="wording.capitals")
    if _is_too_long(look, paragraph):
        first = look.subject.essay.paragraphs[paragraph].sentences[0]
        yield Comment(paragraph, TOO_LONG, look.sentence(paragraph, first), rule="structure.long")


def _unquoted(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches that stand in no quotation."""
    quoted = list(quotations(text))
    return (found for found in pattern.finditer(text) if not any(found[0] in each for each in quoted))


def _is_shouted(text: str) -> bool:
    """Whether it is more than abbreviations."""
    words = [word.lower() for word in words_of(text) if len(word) >= SHOUTED_LETTERS]
    return "!" in text or any(word in dictionary() for word in words)


def on_essay(look: RuleContext) -> Iterator[Comment]:
    """Comments on paragraphs and ending."""
    yield from _on_paragraphs(look)
    yield from _on_ending(look)


def _on_paragraphs(look: RuleContext) -> Iterator[Comment]:
    if len(look.lengths) < MIN_PARAGRAPHS and sum(look.lengths) >= MIN_PARTED_WORDS:
        longest = look.lengths.index(max(look.lengths))
        sentences = look.subject.essay.paragraphs[longest].sentences
        middle = sentences[len(sentences) // 2]
        yield Comment(longest, FEW_PARAGRAPHS, look.sentence(longest, middle), rule="structure.paragraphs")


def _on_ending(look: RuleContext) -> Iterator[Comment]:
    """A question where the last paragraph begins with one more point, and nothing in it sounds like an end."""
    if Role.ENDING not in look.roles or len(look.roles) < MIN_PARAGRAPHS:
        return
    ending = look.roles.index(Role.ENDING)
    sentences = look.subject.essay.paragraphs[ending].sentences
    if _ONE_MORE.match(sentences[0]) and not any(_ENDING.search(each) for each in sentences[-2:]):
        yield Comment(ending, NO_ENDING, look.sentence(ending, sentences[-1]), rule="structure.ending")


def _is_too_long(look: RuleContext, paragraph: int) -> bool:
    own, others = look.lengths[paragraph], len(look.lengths) - 1
    return others > 1 and own >= MIN_WORDS and own > UNBALANCED * (sum(look.lengths) - own) / others


FEATURES = Rules(
    features_on_paragraph,
    on_essay,
    checked=(
        "whether a longer text has paragraphs, how long they are, and whether it stops without an ending",
        "words and marks that do not suit an essay",
    ),
    not_checked=("whether this is the kind of text you were asked for", "whether style, tense and person stay the same"),
)

MAX_WORKS = 2  # comments on what works
MIN_WORKING = 8  # words of a sentence that is praised

OTHER_SIDE_NAMED = "You name what others think, too. That makes your own point stronger."
EXAMPLE_GIVEN = "You give an example here. It helps your reader to see what you mean."
REASON_GIVEN = "You give a reason here. That is what can win a reader over."
SOURCE_NAMED = "You say where this comes from. So your reader can look it up."
OPINION_GIVEN = "Here your reader learns what you think. That gives your text a direction."
BEGINS = "You get to your subject at once. So your reader knows what the text is about."

_WORKING = (
    (
        "works.other_side",
        re.compile(
            r"\b(?:some|many|other) (?:people|persons|drivers|students|parents|teachers|citizens|others) (?:may |might "
            r"|could |will |would )?"
            r"(?:say|think|argue|believe|claim|object)\b|\A(?:granted|admittedly|opponents|critics)\b",
            re.IGNORECASE,
        ),
        OTHER_SIDE_NAMED,
    ),
    (
        "works.source",
        re.compile(
            r"(?:\A|, )[Aa]ccording to (?:the |an |a )?[\w“]+|\b(?:article|author|book|text"
            r"|passage)[^.]{0,80} (?:states|writes|says) that\b"
        ),
        SOURCE_NAMED,
    ),
    (
        "works.example",
        re.compile(
            r"\b(?:for example|for instance|one time|last (?:year|summer|week) (?:i|we|my)|when i was)\b", re.IGNORECASE
        ),
        EXAMPLE_GIVEN,
    ),
    ("works.reason", re.compile(r"(?<!not )(?<!just )(?<!only )\bbecause (?!of\b)", re.IGNORECASE), REASON_GIVEN),
    (
        "works.opinion",
        re.compile(
            r"\b(?:i (?:(?:strongly|firmly|do) )?(?:think|believe|agree|disagree)|in my (?:opinion|view)|should)\b",
            re.IGNORECASE,
        ),
        OPINION_GIVEN,
    ),
)
_DOUBTFUL = re.compile(r"[“”\"?]|\b(?:whether|should or)\b")


def with_works(review: Review, look: RuleContext) -> Review:
    """The review with what works in the essay, if the tone is KIND; anywhere else it is nobody's dimension."""
    if look.style.tone is not Tone.KIND:
        return review
    return replace(review, comments=in_order((*review.comments, *islice(_works(look), MAX_WORKS))))


def _works(look: RuleContext) -> Iterator[Comment]:
    """Comments on what works, each about another sentence; one at least."""
    praised: set[tuple[int, str]] = set()
    for rule, pattern, text in _WORKING:
        for paragraph, sentence in _sentences(look):
            if (
                (paragraph, sentence) not in praised
                and len(sentence.split()) >= MIN_WORKING
                and pattern.search(sentence)
                and not (_DOUBTFUL.search(sentence) and rule != "works.source")
            ):
                praised.add((paragraph, sentence))
                yield Comment(paragraph, text, look.sentence(paragraph, sentence), rule=rule)
                break
    if not praised and (first := next(_sentences(look), None)):
        paragraph, sentence = first
        yield Comment(paragraph, BEGINS, look.sentence(paragraph, sentence), rule="works.begins")


def _sentences(look: RuleContext) -> Iterator[tuple[int, str]]:
    """The student's sentences of all paragraphs but salutation and closing."""
    for at, paragraph in enumerate(look.subject.essay.paragraphs):
        if look.roles[at] not in {Role.SALUTATION, Role.CLOSING}:
            yield from ((at, sentence) for sentence in paragraph.own)
