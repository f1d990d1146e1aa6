"""Rules on expressions: spelling, slips that are wrong in any context, and measures of sentences."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice

from bookreader.text.language import dictionary
from chapterverse.citations.quotations import overlap
from chapterverse.core.turns import pausing
from chapterverse.core.words import are_english, word_set
from chapterverse.essays.model import Comment, Essay
from chapterverse.essays.writing.lexicon import GERMAN, PLURALS
from chapterverse.essays.writing.rules import RuleContext, Rules, words_of
from chapterverse.essays.writing.spelling import HARDLY_MEANT, WordPlace, english_speller, is_by_rule
from chapterverse.essays.writing.structure import on_sentences
from chapterverse.essays.writing.writing import counted, not_corrected


def slips(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """One comment for each kind of slip that was not mentioned before; it says how many there are in the essay."""
    for one in look.slips[paragraph]:
        if one.text not in look.mentioned:
            look.mentioned.add(one.text)
            times = sum(each.text == one.text for others in look.slips for each in others)
            yield Comment(paragraph, counted(one.text, times), one.place, instead=one.instead)


MAX_MISSPELT = 4  # comments on spelling in a paragraph
MAX_TRIED = 200  # unknown words of an essay: looking for what one was meant to be takes milliseconds of the processor
ALWAYS_TRIED = 25  # of these, even if time is up
MIN_LETTERS = 4  # letters; shorter words are too similar to correct

BRITISH = (
    (r"our(?=s|ed|ing|ite|ful|able|$)", "or"),
    (r"is(?=e|ed|es|ing|ation|ations$)", "iz"),
    (r"ys(?=e|ed|es|ing$)", "yz"),
    (r"ll(?=ed|ing|er|ers$)", "l"),
    (r"re(?=s?$)", "er"),
    (r"ogue", "og"),
    (r"ence(?=s?$)", "ense"),
    (r"maths$", "math"),
)

SMALL_WORDS = 0.15  # of the words of a German text are these, and more
MISSPELT = "This word is spelt differently."
UNKNOWN = "Check this word: my dictionary does not have it. A name, or a word of another language, is fine."
MAX_CHECKED = 60  # words of an essay that the other dictionary is asked about
NEAR, NEAR_OF_SHORT, SHORT = 2, 1, 6  # letters that differ from a word that may be meant; the same of a word of fewer letters
AGAIN = 3  # times that an unknown word stands in the essay: it is meant so
_CANDIDATE = re.compile(r"(?<![\w@./’'-])[^\W\d_]+(?:['’][^\W\d_]+)?(?![\w@/-]|[.:=?&][\w/])")


def misspelt(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """Comments on misspelt words, at most MAX_MISSPELT, each word once in an essay; a correction only where it is sure.
    Of an essay at most MAX_TRIED words are looked into.

    Names and words of the evidence count as correct, and so does what the essay has AGAIN and again."""
    return islice(_misspelt(look, paragraph), MAX_MISSPELT)


def is_german(essay: Essay) -> bool:
    """Whether the essay has as many of the small words of German as German texts have."""
    used = [word.lower() for each in essay.paragraphs for word in words_of(each.text)]
    return sum(word in GERMAN for word in used) >= SMALL_WORDS * len(used)


def _misspelt(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    for at, word in _unknown(look, look.text(paragraph)):
        if len(look.misspelt) >= MAX_TRIED or (len(look.misspelt) >= ALWAYS_TRIED and look.time_is_up()):
            look.untried.append(word)
            return
        look.misspelt.append(word)
        if meant := _correction(look, look.text(paragraph), at, word):
            yield Comment(paragraph, MISSPELT, (at, at + len(word)), instead=meant)
        elif word.islower() and look.words_of_essay[word] < AGAIN:
            yield Comment(paragraph, UNKNOWN, (at, at + len(word)))


def with_other_dictionary(
    comments: Sequence[Comment], look: RuleContext, ask: Callable[[Sequence[str]], Mapping[str, Sequence[str]]]
) -> Iterator[Comment]:
    """The comments, those on spelling only where the other dictionary does not have the word either: with a correction if it
    offers the same, else to be checked if it knows one that is near. What is near none may be a name or a foreign word."""
    of_spelling = [one for one in comments if one.text in {MISSPELT, UNKNOWN} and one.about and one.paragraph is not None]
    places = {one: look.text(one.paragraph or 0)[slice(*one.about or (0, 0))] for one in of_spelling[:MAX_CHECKED]}
    offered = ask(list(dict.fromkeys(places.values()))) if places else {}
    for comment in comments:
        word = places.get(comment)
        if word is None:
            yield comment
        elif word in offered and (checked := _checked(comment, word.lower(), [one.lower() for one in offered[word]])):
            yield checked


def _checked(comment: Comment, word: str, offered: Sequence[str]) -> Comment | None:
    """The comment on a word with what both dictionaries offer; else the advice to check it; None if nothing is near."""
    meant, word = ((one or "").lower().replace("’", "'") for one in (comment.instead, word))
    if meant and (meant in offered or is_by_rule(word, meant) or _OF_TWO.match(meant) or "-" in meant):
        return comment
    speller = english_speller()
    rare = offered and offered[0] in HARDLY_MEANT
    ranked = speller.ranked(word, WordPlace(written=())) if offered and word.islower() and not meant and not rare else []
    sure = ranked and ranked[0][1] == offered[0] and speller.is_sure(word, offered[0])
    if sure and not speller.is_two_words(word):
        return replace(comment, text=MISSPELT, instead=offered[0])
    enough = NEAR if len(word) >= SHORT else NEAR_OF_SHORT
    common = [one for one in offered if one in speller.counts.words]
    if word.islower() and any(_differ(word, one) <= enough for one in common):
        return replace(comment, text=UNKNOWN, instead=None)
    return None


def _differ(one: str, other: str) -> int:
    """How many letters differ at least, counted from both ends."""
    start = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    one, other = one[start:], other[start:]
    end = next((at for at, (a, b) in enumerate(zip(one[::-1], other[::-1], strict=False)) if a != b), min(len(one), len(other)))
    return max(len(one), len(other)) - end


def is_english(essay: Essay) -> bool:
    """Whether most of the essay's words are in the English dictionary; True for very short essays."""
    return are_english([word for each in pausing(essay.paragraphs) for word in words_of(each.text)])


def _unknown(look: RuleContext, text: str) -> Iterator[tuple[int, str]]:
    """Position and spelling of each unknown word, each word once. Capitalised words inside a sentence count as names."""
    left_alone = [*not_corrected(text), *(each.span() for each in _OF_NUMBER.finditer(text))]
    for found in _CANDIDATE.finditer(text):
        if overlap(found.span(), left_alone):
            continue
        word = _SHORTENED.sub("", found[0].lower().replace("’", "'"))
        begins = found[0].istitle() and not _INSIDE.search(text, max(found.start() - BACK, 0), found.start())
        is_new = word not in look.mentioned and word not in look.words_of_books
        if len(word) >= MIN_LETTERS and (found[0].islower() or begins) and is_new:
            look.mentioned.add(word)
            if not is_word(word) and not _NAMED.search(text, max(found.start() - BACK, 0), found.start()):
                yield found.start(), found[0]


def is_word(word: str) -> bool:
    """Whether it is a word of American or British English. word: in lower case."""
    spellings = [word, *_american(word)]
    if MORE_THAN_ONE.search(word) and word.removesuffix("s") not in PLURALS:
        spellings.append(word.removesuffix("s"))
    return any(each in RECENT or each in dictionary() for each in spellings) or any(
        map(english_speller().counts.has, spellings)
    )


def _american(word: str) -> Iterator[str]:
    """Possible American spellings of a British word: "neighbours", "realise", "travelled", "maths"."""
    return (american for pattern, change in BRITISH if (american := re.sub(pattern, change, word)) != word)


RECENT = word_set(
    "schooler olds selfie emoji podcast hashtag telework vlog vape cyberbullying livestream crowdfunding screenshot iphone ipad"
    " smartphone"
)
MORE_THAN_ONE = re.compile(r"\w{4,}(?<!one)(?<!body)(?<!f|s|x|z|h)(?<![^aeiou]y)(?<!fe)s\Z")  # a plural by rule
_OF_TWO = re.compile(r"(?:an?|in|at|of|on|to|no|all|any|some|every|each|even) ")  # how two words begin that are written as one
_NAMED = re.compile(  # before a word that is told to be one of somebody's own, or a sound
    r"\b(?:call(?:s|ed)?|nam(?:e|es|ed)|known as|the words?|spelt|(?:goes|went|go)) (?:it |them |him |her |this )?"
    r"(?:a |an |the )?\Z",
    re.IGNORECASE,
)
_OF_NUMBER = re.compile(r"\b(?:two|three|four|five|six|seven|eight|nine|ten|\d+) \w+ers?\b", re.IGNORECASE)  # "a two seater"
_SHORTENED = re.compile(r"'(?:s|ll|d|ve|re)\Z")
BACK = 100  # characters before a word that are looked at
_INSIDE = re.compile(r"[^.!?\s][”\"’)\]]*\s+[“\"(]*\Z")  # a sentence has begun
CAPITALS = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|april|june|july|august|(?:sept|nov|dec)ember|october|english"
)
_BEFORE = re.compile(r"([^\W\d_]+(?:['’][^\W\d_]+)?) \Z")
_AFTER = re.compile(r" ([^\W\d_]+(?:['’][^\W\d_]+)?)")


def _correction(look: RuleContext, text: str, at: int, word: str) -> str | None:
    """What the word was meant to be, as it would stand there; None if that is not sure."""
    neighbours = (_BEFORE.search(text, max(at - BACK, 0), at), _AFTER.match(text, at + len(word)))
    before, after = (found[1].lower().replace("’", "'") if found else "" for found in neighbours)
    place = WordPlace(before, after, look.written, is_name=word[0].isupper())
    meant = english_speller().correction(word.lower().replace("’", "'"), place)
    if meant and "’" in text:
        meant = meant.replace("'", "’")
    return meant and (f"{meant[0].upper()}{meant[1:]}" if word[0].isupper() or CAPITALS.fullmatch(meant) else meant)


GRAMMAR = "grammar beyond those slips"
FILLERS = frozenset({"really", "very", "actually", "basically", "literally", "just", "totally", "truly"})
FILLED = 5  # fillers in an essay, at least
FREQUENT = 0.01  # of all words
A_SLIP = 40  # words of an essay for each slip: with more slips, there is more to mend than fillers


def on_paragraph(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """Comments on slips and spelling, then on sentences."""
    yield from slips(look, paragraph)
    places = [one.place for one in look.slips[paragraph]]
    yield from (each for each in misspelt(look, paragraph) if not (each.about and overlap(each.about, places)))
    yield from on_sentences(look, paragraph)


def on_essay(look: RuleContext) -> Iterator[Comment]:
    """Comments on the whole essay: a word that says little, again and again; none on one with many mistakes."""
    paragraphs = look.subject.essay.paragraphs
    if sum(map(len, look.slips)) * A_SLIP > sum(look.lengths):
        return
    words = Counter(word.lower() for paragraph in paragraphs for word in words_of(paragraph.text))
    for word, count in Counter({word: words[word] for word in FILLERS}).most_common(1):
        if count >= max(FILLED, FREQUENT * words.total()):
            found = ((at, re.search(rf"\b{word}\b", each.text, re.IGNORECASE)) for at, each in enumerate(paragraphs))
            paragraph, place = next((at, match.span()) for at, match in found if match)
            advice = f"You use “{word}” {count} times. Is the sentence stronger without it? Try it here."
            yield Comment(paragraph, advice, place, rule="wording.filler")


EXPRESSIONS = Rules(
    on_paragraph,
    on_essay,
    checked=(
        "spelling, with a dictionary that has no names; corrections only where they are sure",
        "some slips that are always wrong, such as “could of”",
        "the length of sentences, how they begin, and words that say little",
    ),
    not_checked=(GRAMMAR, "whether each word is the right one for what you mean"),
)
