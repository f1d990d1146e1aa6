"""Expressions by rules: spelling, sure slips, and what can be counted in sentences."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from statistics import pstdev

from chapterverse.essay import Essay
from chapterverse.feedback.comments import Comment, Tone
from chapterverse.feedback.rules.rule import Looking, Rules, words_of
from chapterverse.feedback.rules.slips import slips
from chapterverse.feedback.rules.spelling import is_common, misspelt

BASE_LENGTH = 18  # words, and one more for each grade: a longer sentence is hard to follow (grade 7: 25)
ALIKE = 3  # sentences in a row that begin with the same word
VARIED = 5.0  # words of standard deviation; below half of it all sentences are as long
FEWEST = 4  # sentences; of fewer nothing can be said
GRADES_ABOVE = 4  # of readability, beyond those of the reader
FREQUENT = 0.03  # of all words, at least REPEATED times
REPEATED = 6

GRAMMAR = "grammar beyond those slips"


def on_paragraph(look: Looking, paragraph: int) -> Iterator[Comment]:
    """Slips and spelling first, then sentences."""
    sure = list(slips(look, paragraph))
    yield from sure
    yield from (each for each in misspelt(look, paragraph) if not _overlaps(each, sure))
    yield from _sentences(look, paragraph)


def on_essay(look: Looking) -> Iterator[Comment]:
    """What shows only in the whole."""
    essay = look.subject.essay
    lengths = [len(words_of(sentence)) for sentence in _all_sentences(essay)]
    if len(lengths) >= FEWEST:
        yield from _variety(lengths, look)
        yield from _readability(essay, look)
    yield from _repetition(essay)


def readability(essay: Essay) -> float:
    """School grade that the text reads like: the Automated Readability Index (Smith and Senter 1967, AMRL-TR-66-220)."""
    sentences = list(_all_sentences(essay))
    words = list(chain.from_iterable(map(words_of, sentences)))
    return 4.71 * sum(map(len, words)) / max(len(words), 1) + 0.5 * len(words) / len(sentences) - 21.43


def _sentences(look: Looking, paragraph: int) -> Iterator[Comment]:
    sentences, text = look.subject.essay.paragraphs[paragraph].sentences, look.text(paragraph)
    longest = max(sentences, key=lambda each: len(words_of(each)))
    count = len(words_of(longest))
    if count > BASE_LENGTH + look.style.grade:
        said = (
            f"This sentence has {count} words. Try to make two of it: look for “and”, “but” or “so”, and set a full stop there."
        )
        yield Comment(paragraph, said, _place(longest, text))
    if first := _beginning_alike(sentences):
        said = f"{ALIKE} sentences in a row begin with “{words_of(first)[0]}”. Begin one of them with another word."
        yield Comment(paragraph, said, _place(first, text))


def _beginning_alike(sentences: Sequence[str]) -> str | None:
    """The first of ALIKE in a row."""
    firsts = [words[0].lower() if (words := words_of(sentence)) else "" for sentence in sentences]
    for at in range(len(firsts) - ALIKE + 1):
        if firsts[at] and len(set(firsts[at : at + ALIKE])) == 1:
            return sentences[at]
    return None


def _variety(lengths: Sequence[int], look: Looking) -> Iterator[Comment]:
    spread = pstdev(lengths)
    if spread < VARIED / 2:
        yield Comment(None, "Nearly all your sentences are as long as one another. Mix short ones with longer ones.")
    elif spread >= VARIED and look.style.tone is Tone.KIND:
        yield Comment(None, f"Your sentences have between {min(lengths)} and {max(lengths)} words: that mix reads well.")


def _readability(essay: Essay, look: Looking) -> Iterator[Comment]:
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
