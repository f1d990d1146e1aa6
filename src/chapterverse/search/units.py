"""Sentences that answer a question only together: a lead-in with its list, a row with its table's header, "It …" or the answer
to a question with the sentence before it."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from chapterverse.core.book import Kind, Sentence
from chapterverse.library.artefacts import BookText

MAX_ITEMS = 15  # of a list
MAX_CHARACTERS = 1_500  # of a list
MAX_ROWS = 60  # of a table, up to which its header is looked for
SHORT = 20  # words of an item without a mark
ITEM = re.compile(r"\s*(?:[•◦▪‣]\s*[\d$€£]|(?:[•◦▪‣·*–—-]|\(?(?:\d{1,2}|[a-zA-Z]|[ivx]{1,4})[.)])\s*[^\W\d_])")
LEANS = re.compile(r"(?:It|They|This|These|That|Those|He|She|Such|However|Otherwise|Then|If so|In that case)\b")
DIGIT = re.compile(r"\d")
BRACKETS = re.compile(r"\([^()]*\)")


def unit_of(sentence: Sentence, text: BookText) -> tuple[Sentence, ...]:
    """The sentence with those that it needs, in reading order; alone if it needs none. Raises NotFound."""
    if sentence.kind is Kind.TABLE:
        return (*_header(sentence, text), sentence)
    if _leads_in(sentence):
        return (sentence, *_items(sentence, text))
    if ITEM.match(sentence.text):
        return (*_lead_in(sentence, text), sentence)
    before = text.sentence(sentence.prev_id) if sentence.prev_id else None
    if before and (LEANS.match(sentence.text) or _is_question(before)):
        return (before, sentence)
    return (sentence,)


def _header(row: Sentence, text: BookText) -> Iterator[Sentence]:
    """The first row of the table if it names columns: it has no figures and no "Name: value"; else that of the table directly
    before it, which goes on on this page; else the last row before it that does, if all between have figures: what stands
    between two tables may have been read as rows."""
    before = [*text.before(row, MAX_ROWS), row]
    table = list(takewhile(lambda one: one.kind is Kind.TABLE and _is_same_section(one, row), reversed(before)))[::-1]
    own = [one for one in table if one.address.paragraph_id == row.address.paragraph_id]
    first = next((one for one in (own[0], table[0]) if one is not row and _names_columns(one)), None)
    above = list(takewhile(lambda one: not _names_columns(one), reversed(own[:-1])))
    if first:
        yield first
    elif len(above) < len(own) - 1 and all(DIGIT.search(one.text) for one in (*above, row)):
        yield own[len(own) - 2 - len(above)]


def _names_columns(row: Sentence) -> bool:
    return not DIGIT.search(BRACKETS.sub("", row.text)) and ":" not in row.text


def _is_same_section(one: Sentence, other: Sentence) -> bool:
    return one.address.chapter.index == other.address.chapter.index and one.address.section_path == other.address.section_path


def _items(lead_in: Sentence, text: BookText) -> Sequence[Sentence]:
    """The items of the list that follows: marked all of them, or short paragraphs."""
    following = text.after(lead_in, 2 * MAX_ITEMS)
    is_marked = bool(following and ITEM.match(following[0].text))
    items: list[Sentence] = []
    characters = 0
    for one in following:
        new = one.prev_id is None or one.prev_id == lead_in.id
        begins = ITEM.match(one.text) if is_marked else len(one.text.split()) <= SHORT
        characters += len(one.text)
        ends = (new and not begins) or characters > MAX_CHARACTERS or len(items) >= MAX_ITEMS
        if ends or place_of(one) != place_of(lead_in):
            break
        items.append(one)
    return items


def _lead_in(item: Sentence, text: BookText) -> Iterator[Sentence]:
    """The sentence before the list, if it ends with a colon."""
    before = text.before(item, MAX_ITEMS)
    in_list = list(takewhile(lambda one: not _leads_in(one) and (one.prev_id or ITEM.match(one.text)), reversed(before)))
    rest = before[: len(before) - len(in_list)]
    if rest and _leads_in(rest[-1]) and place_of(rest[-1]) == place_of(item):
        yield rest[-1]


def _is_question(sentence: Sentence) -> bool:
    return sentence.text.rstrip().endswith("?")


def _leads_in(sentence: Sentence) -> bool:
    return sentence.text.rstrip().endswith(":")


def place_of(sentence: Sentence) -> tuple[int, tuple[str, ...], bool]:
    """Chapter and section, and whether it is prose: a note between two items is none of them."""
    address = sentence.address
    return address.chapter.index, address.section_path, sentence.kind is Kind.SENTENCE
