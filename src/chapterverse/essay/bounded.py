"""As much of an essay as is looked up: what a student gets in time, whatever was sent."""

from collections.abc import Iterator
from dataclasses import replace

from chapterverse.essay.essay import Essay, Paragraph
from chapterverse.messages import Message, message

LONGEST = 30_000  # characters of a paragraph, about 5,000 words: a model reads one text without a pause


def looked_up(essay: Essay, most_sentences: int) -> tuple[Essay, tuple[str, ...]]:
    """The same paragraphs, none longer than LONGEST, with at most so many sentences in all (one a paragraph remains); and
    what was left out, in sentences for a reader. Nothing is left out of an essay of ordinary length."""
    shorter = Essay(essay.title, tuple(map(_shortened, essay.paragraphs)))
    fewer = _with_fewer(shorter, most_sentences)
    return fewer, tuple(_notes(essay, fewer))


def _shortened(paragraph: Paragraph) -> Paragraph:
    if len(paragraph.text) <= LONGEST:
        return paragraph
    return Paragraph(paragraph.text[:LONGEST], tuple(sentence[:LONGEST] for sentence in paragraph.sentences))


def _with_fewer(essay: Essay, most: int) -> Essay:
    """Of each paragraph the longest, in as many rounds as there is room for: a long paragraph takes nothing from others."""
    if sum(len(paragraph.sentences) for paragraph in essay.paragraphs) <= most:
        return essay
    rounds = sorted(
        (turn, number, place) for number, each in enumerate(essay.paragraphs) for turn, place in _longest_first(each)
    )
    kept = {(number, place) for turn, number, place in rounds[:most]}
    kept |= {(number, place) for turn, number, place in rounds if turn == 0}
    return replace(essay, paragraphs=tuple(_only(each, number, kept) for number, each in enumerate(essay.paragraphs)))


def _longest_first(paragraph: Paragraph) -> Iterator[tuple[int, int]]:
    """Turn and place of each sentence."""
    places = sorted(range(len(paragraph.sentences)), key=lambda place: -len(paragraph.sentences[place]))
    yield from enumerate(places)


def _only(paragraph: Paragraph, number: int, kept: set[tuple[int, int]]) -> Paragraph:
    sentences = (each for place, each in enumerate(paragraph.sentences) if (number, place) in kept)
    return replace(paragraph, sentences=tuple(sentences))


def _notes(essay: Essay, kept: Essay) -> Iterator[Message]:
    there, left = (sum(len(paragraph.sentences) for paragraph in each.paragraphs) for each in (essay, kept))
    if left < there:
        yield message("note_fewer_sentences", sentences=there, looked_up=left)
    for number, paragraph in enumerate(essay.paragraphs, start=1):
        if len(paragraph.text) > LONGEST:
            yield message("note_paragraph_cut", paragraph=number, characters=LONGEST)
