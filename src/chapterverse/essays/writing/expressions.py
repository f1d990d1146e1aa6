"""Rules on expressions: spelling, slips that are wrong in any context, and measures of sentences."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, islice
from statistics import pstdev
from typing import TYPE_CHECKING

from chapterverse.essays.model import Comment, Essay, Tone
from chapterverse.essays.writing.rules import RuleContext, Rules, words_of
from chapterverse.essays.writing.writing import counted

if TYPE_CHECKING:
    from spellchecker import SpellChecker


def slips(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """One comment for each kind of slip that was not mentioned before; it says how many there are in the essay."""
    for one in look.slips[paragraph]:
        if one.slip.text not in look.mentioned:
            look.mentioned.add(one.slip.text)
            times = sum(each.slip.text == one.slip.text for others in look.slips for each in others)
            yield Comment(paragraph, counted(one.slip.text, times), one.place, instead=one.instead)


MAX_MISSPELT = 4  # comments on spelling in a paragraph
MIN_LETTERS = 4  # letters; shorter words are too similar to correct
COMMON = 2e-4  # of the words that people write; "think", "school" and "money" are about as common

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

ENGLISH = 0.7  # of its words in the dictionary: students' essays have 0.94 and more, those in other languages 0.55 and less
MIN_WORDS = 4  # fewer words tell nothing
UNKNOWN = "My dictionary does not have this word."
_CANDIDATE = re.compile(r"(?<![\w@./’'-])[^\W\d_]+(?:['’][^\W\d_]+)?(?![\w@/-])")


def misspelt(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """Comments on misspelt words, at most MAX_MISSPELT, each word once in an essay.

    Names and words of the evidence count as correct."""
    for at, word in islice(_unknown(look, look.text(paragraph)), MAX_MISSPELT):
        meant = _correction(word)
        advice = UNKNOWN if meant else f"{UNKNOWN} Look it up; if it is a name, it is fine."
        yield Comment(paragraph, advice, (at, at + len(word)), instead=meant)


def is_english(essay: Essay) -> bool:
    """Whether most of the essay's words are in the English dictionary; True for very short essays."""
    words = [word.lower().replace("’", "'") for each in essay.paragraphs for word in words_of(each.text)]
    known = read_dictionary().known(set(words))
    return len(words) < MIN_WORDS or sum(word in known for word in words) >= ENGLISH * len(words)


def is_common(word: str) -> bool:
    """Whether the word is so frequent in English that its repetition does not stand out."""
    return bool(read_dictionary().word_usage_frequency(word) > COMMON)


def _unknown(look: RuleContext, text: str) -> Iterator[tuple[int, str]]:
    """Position and spelling of each unknown word, each word once. Capitalised words inside a sentence count as names."""
    for found in _CANDIDATE.finditer(text):
        word = found[0].replace("’", "'").removesuffix("'s")
        if len(word) >= MIN_LETTERS and word.islower() and word not in look.mentioned and word not in look.words_of_books:
            look.mentioned.add(word)
            if read_dictionary().unknown([word]) and not any(
                map(read_dictionary().known, ([each] for each in _american(word)))
            ):
                yield found.start(), found[0]


def _american(word: str) -> Iterator[str]:
    """Possible American spellings of a British word: "neighbours", "realise", "travelled", "maths"."""
    return (american for pattern, change in BRITISH if (american := re.sub(pattern, change, word)) != word)


@cache
def read_dictionary() -> "SpellChecker":
    """The dictionary of American spellings, read once per process. Its distance is 1: with 2, one long word takes 0.1 s to
    correct."""
    from spellchecker import SpellChecker

    return SpellChecker(language="en", distance=1)


@cache
def _correction(word: str) -> str | None:
    meant = read_dictionary().correction(word.replace("’", "'"))
    return meant if meant and meant != word.lower() else None


BASE_LENGTH = 18  # words, and one more for each grade: a longer sentence is hard to follow (grade 7: 25)
ALIKE = 3  # sentences in a row that begin with the same word
VARIED = 5.0  # words of standard deviation; below half of it sentences are too uniform
MIN_SENTENCES = 4  # sentences; fewer tell nothing
GRADES_ABOVE = 4  # of readability, beyond those of the reader
FREQUENT = 0.03  # of all words, at least REPEATED times
REPEATED = 6
GRAMMAR = "grammar beyond those slips"


def on_paragraph(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """Comments on slips and spelling, then on sentences."""
    slips_found = list(slips(look, paragraph))
    yield from slips_found
    yield from (each for each in misspelt(look, paragraph) if not _overlaps(each, slips_found))
    yield from _sentences(look, paragraph)


def on_essay(look: RuleContext) -> Iterator[Comment]:
    """Comments on the whole essay: variety of sentences, readability, repetitions."""
    essay = look.subject.essay
    lengths = [len(words_of(sentence)) for sentence in _all_sentences(essay)]
    if len(lengths) >= MIN_SENTENCES:
        yield from _variety(lengths, look)
        yield from _readability(essay, look)
    yield from _repetition(essay)


def readability(essay: Essay) -> float:
    """The school grade that the text reads like: the Automated Readability Index (Smith and Senter 1967, AMRL-TR-66-220)."""
    sentences = list(_all_sentences(essay))
    words = list(chain.from_iterable(map(words_of, sentences)))
    return 4.71 * sum(map(len, words)) / max(len(words), 1) + 0.5 * len(words) / len(sentences) - 21.43


def _sentences(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    sentences, text = look.subject.essay.paragraphs[paragraph].sentences, look.text(paragraph)
    longest = max(sentences, key=lambda each: len(words_of(each)))
    count = len(words_of(longest))
    if count > BASE_LENGTH + look.style.grade:
        advice = (
            f"This sentence has {count} words. Try to make two of it: look for “and”, “but” or “so”, and set a full stop there."
        )
        yield Comment(paragraph, advice, _place(longest, text))
    if first := _beginning_alike(sentences):
        advice = f"{ALIKE} sentences in a row begin with “{words_of(first)[0]}”. Begin one of them with another word."
        yield Comment(paragraph, advice, _place(first, text))


def _beginning_alike(sentences: Sequence[str]) -> str | None:
    """The first of ALIKE consecutive sentences that begin with the same word, None if there are none."""
    firsts = [words[0].lower() if (words := words_of(sentence)) else "" for sentence in sentences]
    for at in range(len(firsts) - ALIKE + 1):
        if firsts[at] and len(set(firsts[at : at + ALIKE])) == 1:
            return sentences[at]
    return None


def _variety(lengths: Sequence[int], look: RuleContext) -> Iterator[Comment]:
    spread = pstdev(lengths)
    if spread < VARIED / 2:
        yield Comment(None, "Nearly all your sentences are as long as one another. Mix short ones with longer ones.")
    elif spread >= VARIED and look.style.tone is Tone.KIND:
        yield Comment(None, f"Your sentences have between {min(lengths)} and {max(lengths)} words: that mix reads well.")


def _readability(essay: Essay, look: RuleContext) -> Iterator[Comment]:
    grade = round(readability(essay))
    if grade > look.style.grade + GRADES_ABOVE:
        yield Comment(
            None, f"By the length of words and sentences this reads like grade {grade}. Shorter sentences would help."
        )


def _repetition(essay: Essay) -> Iterator[Comment]:
    words = Counter(word.lower() for paragraph in essay.paragraphs for word in words_of(paragraph.text))
    telling = Counter({word: count for word, count in words.items() if not is_common(word)})
    for word, count in telling.most_common(1):
        if count >= max(REPEATED, FREQUENT * words.total()):
            yield Comment(None, f"You use “{word}” {count} times. Where another word says the same, use it.")


def _all_sentences(essay: Essay) -> Iterator[str]:
    return (sentence for paragraph in essay.paragraphs for sentence in paragraph.sentences)


def _place(sentence: str, text: str) -> tuple[int, int] | None:
    start = text.find(sentence)
    return (start, start + len(sentence)) if start >= 0 else None


def _overlaps(comment: Comment, others: Sequence[Comment]) -> bool:
    spans = [other.about for other in others if other.about]
    return any(comment.about and comment.about[0] < end and start < comment.about[1] for start, end in spans)


EXPRESSIONS = Rules(
    on_paragraph,
    on_essay,
    checked=(
        "spelling, with a dictionary that has no names",
        "some slips that are always wrong, such as “could of”",
        "the length of sentences, how they begin, and words used again and again",
    ),
    not_checked=(GRAMMAR, "whether each word is the right one for what you mean"),
)
