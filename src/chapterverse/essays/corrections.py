"""Corrections of an essay by what is to be learnt: those of one rule are one comment with all its places."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from bookreader.text.language import dictionary
from chapterverse.essays.model import Comment, CommentKind, Dimension, Essay, Place

_WORD = re.compile(r"\w+(?:['’]\w+)*")


def correction(why: str, places: Iterable[Place]) -> Comment:
    """The comment on these places, at least one. why: the rule, empty if none explains them."""
    first, *others = sorted(set(places), key=lambda one: (one.paragraph, one.about))
    return Comment(
        first.paragraph,
        why,
        first.about,
        Dimension.EXPRESSIONS,
        CommentKind.CORRECTION,
        instead=first.instead,
        also=tuple(others),
    )


def gathered(written: Sequence[Comment], sure: Sequence[Comment], essay: Essay) -> list[Comment]:
    """The corrections, a comment a rule, in the order of the model that wrote them, then the most frequent first; what no
    rule explains last. written: by a language model; sure: without one. What is sure stays, but where a model mends all of
    its words, too. What is no word is mended wherever it stands in the student's sentences."""
    fixed = [(one.text, place) for one in sure for place in one.places]
    by_rule: dict[str, list[Place]] = defaultdict(list)
    explained: set[Place] = set()
    for one in written:
        for place in one.places:
            met = [each for _, each in fixed if _overlap(each, place)]
            if all(place.about[0] <= each.about[0] and each.about[1] <= place.about[1] for each in met):
                by_rule[one.text].append(place)
                explained.update(met)
    for why, place in fixed:
        if place not in explained:
            by_rule[why].append(place)
    taken = [each for places in by_rule.values() for each in places]
    for places in by_rule.values():
        more = [each for one in places for each in _elsewhere(one, essay) if not any(_overlap(each, other) for other in taken)]
        places.extend(dict.fromkeys(more))
        taken += more
    rules = [correction(why, places) for why, places in by_rule.items()]
    first = {one.text: at for at, one in enumerate(written)}
    return sorted(
        rules, key=lambda one: (not one.text, first.get(one.text, len(first)), -len(one.places), one.places[0].paragraph)
    )


def _elsewhere(place: Place, essay: Essay) -> Iterator[Place]:
    """Where the same misspelt word of English stands, if it is one word that no dictionary has."""
    word = essay.paragraphs[place.paragraph].text[slice(*place.about)]
    if not word.isalpha() or word.lower() in dictionary() or place.instead.lower() not in dictionary():
        return
    for at, paragraph in enumerate(essay.paragraphs):
        for text, start, _ in paragraph.placed:
            for found in _WORD.finditer(text) if text in paragraph.own else ():
                if found[0] == word:
                    yield Place(at, (start + found.start(), start + found.end()), place.instead)


def _overlap(one: Place, other: Place) -> bool:
    (start, end), (first, last) = one.about, other.about
    return one.paragraph == other.paragraph and start < max(last, first + 1) and first < max(end, start + 1)
