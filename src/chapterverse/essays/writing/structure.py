"""The rules on features: form and tone of an essay."""

import re
from collections.abc import Iterator

from chapterverse.citations.quotations import quotations
from chapterverse.core.words import dictionary
from chapterverse.essays.model import Comment
from chapterverse.essays.task import Genre, content_stems
from chapterverse.essays.writing.genre import Role
from chapterverse.essays.writing.rules import RuleContext, Rules, words_of

MIN_PARAGRAPHS = 3  # an opening, a middle and an ending
MIN_PARTED_WORDS = 150  # of an essay that should have them
MIN_BLOCK_WORDS, MIN_BLOCK = 95, 7  # words and sentences of a single paragraph that should be parted
REPEATED = 0.8  # of the words of content of an ending that only says again what was said
MIN_REPEATED, MAX_REPEATED = 3, 35  # words of content, and all words, of such an ending
SHORT_ENDING = 20  # words of a sentence that only concludes
UNBALANCED = 3.0  # times as long as the others are on average
MIN_WORDS = 120  # of a paragraph that can be too long
SHOUTED_LETTERS = 4  # letters of a word that is no abbreviation

_ENDING = re.compile(
    r"\b(in conclusion|to conclude|conclusion|concluding|to sum|in summary|summary|in short|all in all|overall|finally"
    r"|lastly|in the end|therefore"
    r"|thus|that is why|this shows|so|for these reasons|as you can see|should|must|need|hope|everyone|we)\b",
    re.IGNORECASE,
)
_CONCLUDES = re.compile(
    r"\A\W*(?:so,? )?(?:in conclusion|to conclude|in summary|to sum up|to summari[sz]e|all in all|overall|in the end|therefore"
    r"|for (?:all )?these reasons|that['’]?s why|that is why)\b,?",
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
REPEATS = "Your ending says again what you have said. What should your reader think or do now? You could add that here."
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
    first = look.subject.essay.paragraphs[0]
    is_block = len(look.lengths) == 1 and look.lengths[0] >= MIN_BLOCK_WORDS and len(first.sentences) >= MIN_BLOCK
    if is_block or (len(look.lengths) < MIN_PARAGRAPHS and sum(look.lengths) >= MIN_PARTED_WORDS):
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
    elif look.genre is not Genre.NARRATIVE and _repeats(look, ending):
        yield Comment(ending, REPEATS, look.sentence(ending, sentences[-1]), rule="structure.repeats")


def _repeats(look: RuleContext, ending: int) -> bool:
    """Whether the ending has hardly a word of content that the essay did not have before, or is only one short sentence that
    says that it concludes."""
    earlier = content_stems(" ".join(look.text(at) for at in range(ending)))
    text, words = look.text(ending), look.lengths[ending]
    own = content_stems(_CONCLUDES.sub("", text))
    if _CONCLUDES.match(text) and words <= SHORT_ENDING and len(look.own(ending)) == 1:
        return len(own - earlier) <= 1
    return len(own) >= MIN_REPEATED and words <= MAX_REPEATED and len(own & earlier) >= REPEATED * len(own)


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
