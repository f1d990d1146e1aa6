"""Comments that need no language model: what is sure, and nothing else.

- corrections by the proofreader, and quotations that differ from the book: these stay beside a language model's comments, too;
- a few passages to use, and at most MAX_QUESTIONS questions where the trained reader of essays is sure."""

import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from bookreader.text.language import dictionary
from chapterverse.citations.model import Difference, Evidence
from chapterverse.core.errors import ModelUnavailable
from chapterverse.core.ports import ReadEssay, Signs
from chapterverse.core.turns import at_work, let_pass
from chapterverse.essays.model import Comment, CommentKind, Correction, Dimension, Essay, Place, Style, overlaps
from chapterverse.messages import ENGLISH, Message, in_words, message

MAX_QUESTIONS = 2
SURE = 0.9  # chance from which the reader of essays asks
READ_SECONDS = 2.0  # for it
SIGNS = ("develop", "source", "other_side")  # of the trained reader, at which something is asked
_WORD = re.compile(r"\w+(?:['’]\w+)*")
log = logging.getLogger(__name__)


def on_quotations(evidence: Sequence[Evidence], language: str) -> Iterator[Comment]:
    """A comment on each quotation that is not the book's own words, or not marked as one. Words that no dictionary
    has ("drest") are the book's in another spelling."""
    for one in evidence:
        quotation = one.quotation
        if quotation and not (quotation.marked and all(_is_spelling(each, language) for each in quotation.differences)):
            text = in_words(quotation.message_on(one.passage), language or ENGLISH)
            at = one.found_by[0].query.paragraph
            kind = CommentKind.SUGGESTION if quotation.exact else CommentKind.CORRECTION
            yield Comment(at, text, (quotation.start, quotation.end), Dimension.CONTENT, kind, (one.number,))


def _is_spelling(one: Difference, language: str) -> bool:
    ours = _WORD.findall(one.ours.lower())
    return language == ENGLISH and bool(one.theirs and ours) and not any(word in dictionary() for word in ours)


def passages(found: Sequence[Evidence], language: str) -> list[Comment]:
    """A comment under the paragraph of each sentence that nobody has read beside it: a passage to use."""
    at = {one.number: one.found_by[0].query.paragraph for one in found if not one.quotation}
    return [offered(Comment(paragraph, "", evidence=(number,)), language) for number, paragraph in at.items()]


def offered(comment: Comment, language: str) -> Comment:
    """The comment, which offers what it cites."""
    return replace(comment, text=in_words(message("passage_to_use"), language or ENGLISH), kind=CommentKind.PASSAGE)


def questions(essay: Essay, style: Style, read_essay: ReadEssay | None, language: str) -> Iterator[Comment]:
    """At most MAX_QUESTIONS questions, at the sentences where the trained reader of English essays is surest."""
    if read_essay is None or language != "en":
        return
    let_pass()
    task = style.task.text if style.task else ""
    try:
        read = read_essay(task, [each.sentences for each in essay.paragraphs], at_work() + READ_SECONDS)
    except ModelUnavailable:
        log.warning("reader of essays unavailable", exc_info=True)
        return
    sure = sorted(_sure(essay, read), key=lambda one: -one[0])
    asked: set[str] = set()
    for _, sign, at, span in sure:
        if sign not in asked and len(asked) < MAX_QUESTIONS:
            asked.add(sign)
            yield Comment(at, in_words(Message(f"question_{sign}"), language), span, Dimension.CONTENT, CommentKind.QUESTION)


def _sure(essay: Essay, read: Sequence[Sequence[Signs | None]]) -> Iterator[tuple[float, str, int, tuple[int, int]]]:
    """Chance, sign, paragraph and characters of each sentence at which a question is sure."""
    for at, (paragraph, signs) in enumerate(zip(essay.paragraphs, read, strict=True)):
        for (text, start, end), one in zip(paragraph.placed, signs, strict=True):
            for sign in SIGNS if one and text not in paragraph.copied else ():
                if (chance := getattr(one, sign)) >= SURE:
                    yield chance, sign, at, (start, end)


def correction(why: str, places: Iterable[Place]) -> Comment:
    """The comment on these places, at least one. why: the rule, empty if none explains them."""
    first, *others = sorted(set(places), key=lambda one: (one.paragraph, one.about))
    what = Dimension.EXPRESSIONS, CommentKind.CORRECTION
    return Comment(first.paragraph, why, first.about, *what, instead=first.instead, also=tuple(others))


def gathered(written: Sequence[Correction], sure: Sequence[Correction], essay: Essay) -> list[Comment]:
    """The corrections, a comment a rule, in the order of the model that wrote them, then the most frequent first, of
    equal ones what no rule explains last. written: by a language model; sure: without one. What is sure stays, but where a
    model mends all of its words, too. What is no word is mended wherever it stands in the student's sentences."""
    by_rule: dict[str, list[Place]] = defaultdict(list)
    explained: set[Place] = set()
    for why, place in written:
        met = [each for _, each in sure if each.paragraph == place.paragraph and overlaps(each.about, [place.about])]
        if all(place.about[0] <= each.about[0] and each.about[1] <= place.about[1] for each in met):
            by_rule[why].append(place)
            explained.update(met)
    for why, place in sure:
        if place not in explained:
            by_rule[why].append(place)
    taken = defaultdict[int, list[tuple[int, int]]](list)
    for each in (each for places in by_rule.values() for each in places):
        taken[each.paragraph].append(each.about)
    for places in by_rule.values():
        words = dict.fromkeys((essay.paragraphs[one.paragraph].text[slice(*one.about)], one.instead) for one in places)
        more = [each for one in words for each in _elsewhere(*one, essay) if not overlaps(each.about, taken[each.paragraph])]
        for each in dict.fromkeys(more):
            places.append(each)
            taken[each.paragraph].append(each.about)
    rules = [correction(why, places) for why, places in by_rule.items()]
    first = {why: at for at, why in enumerate(dict.fromkeys(why for why, _ in written if why))}
    return sorted(
        rules, key=lambda one: (first.get(one.text, len(first)), -len(one.places), not one.text, one.places[0].paragraph)
    )


def _elsewhere(word: str, instead: str, essay: Essay) -> Iterator[Place]:
    """Where the same misspelt word of English stands, if it is one word that no dictionary has."""
    if not word.isalpha() or word.lower() in dictionary() or instead.lower() not in dictionary():
        return
    for at, paragraph in enumerate(essay.paragraphs):
        for text, start, _ in paragraph.placed:
            for found in _WORD.finditer(text) if word in text and text not in paragraph.copied else ():
                if found[0] == word:
                    yield Place(at, (start + found.start(), start + found.end()), instead)
