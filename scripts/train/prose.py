"""What of a book is prose: which chapters, paragraphs and sentences are kept, and which signs within them are taken out.

The rules were found by reading what was left in the books of data/books.jsonl, and are frozen: training data names a sentence
by its number, so that another rule would make another corpus. What was found later is not applied to books that were made
before: see the tables of scripts/train/sentences.py."""

import re
import unicodedata
from collections.abc import Sequence
from typing import NamedTuple


class Paragraph(NamedTuple):
    """A paragraph of a source; chapter: the heading above it, empty where there is none."""

    chapter: str
    text: str


def one_of(*patterns: str, before: str = "", flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str]:
    """A pattern that any of these fits, after what stands `before` all of them."""
    return re.compile(f"{before}(?:{'|'.join(patterns)})", flags)


def words_of(text: str) -> frozenset[str]:
    return frozenset(text.split())


NO_CHAPTER = one_of(  # headings of what is not the book's own prose, by their beginning
    *("(table of )?(contents|index)", "(list of )?(illustrations|plates|maps|figures|tables)", "list of engrav"),
    *("transcriber", "project gutenberg", "the full project", "title:", "the end\\b", "end of", "imprint", "colophon"),
    *("footnotes?\\b", "(end)?notes?\\W*$", "notes and explanations", "note (on|by) the", "translator.?s.? note"),
    *("uncopyright", "copyright", "half.?title", "epigraph", "dedication", "inscription", "errata", "printed by"),
    *("bibliograph", "glossary", "appendix b\\.", "illustration captions"),
    *("by the same", "works by", "books by", "advertisement", "publications\\W*$", "a card of thanks"),
    *("a valuable book", "appletons", "chats on science", "light units", "information about"),  # advertised
    *("suggestions for stud", "experimental work", "syllabus", "news stories to be", "serials"),  # exercises
    *("departments", "vice-presid", "sectional committ"),  # a society's lists
    before=r"^\W*(the )?",
    flags=re.I,
)

MARKS = tuple(  # what is put in place of what, in this order
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"[\u00ad\u2060\ufeff\u200b\u200d]", ""),  # soft hyphens, joiners, marks of byte order
        (r"(?i)\[(Illustration|Footnote|Sidenote|Transcriber|Music|Greek)[^\]]*\]", " "),
        (r"\s*[\[({]\d{1,4}[a-z]?[\])}](?=\W|$)", ""),  # [12], (12a): calls of notes
        (r"\[(?:[*†‡§A-Z]|(?:[Pp]g\.?|[Pp]age) ?\w+|Note \w+)\]", ""),  # [*], [A], [Pg 12], [Note 3]
        (r"\{[\divxlc]+\}", ""),  # {12}, {xi}: pages
        (r"[†‡]|(?<=[\w.,;:!?\"'”’])\*+(?=\W|$)", ""),
        (r"(?<=[\w.,;:!?\"']) /\d{1,3}(?=[\s.,;:]|$)", ""),  # Fabre's notes: "word /12"
        (r"(?<!\w)[_=~]+(?=\S)|(?<=\S)[_=~]+(?!\w)|_", ""),  # _italics_, =bold=, ~spaced~
        (r" *-{2,4} *(?=[\w\"'“‘])|-{2,4}", "—"),
        (r"\s+", " "),
        (r" +([,.;:!?])(?=[\s\"”’']|$)", r"\1"),
    )
)

ENDED = re.compile(r"[.!?…:;,—–\-][\"'”’)\]*»\s]*$|[a-z][\"”’)]$")
NOTE = re.compile(r"(\[?(Footnote|Illustration|Note|Fig(ure)?|Plate)\b[\w .]{0,8}[:.—\]]|\*|†|‡|\[?\d+\]? ?See )")
NOT_THE_BOOK = re.compile(r"(?i)(\. ?){5,}|Project Gutenberg|gutenberg\.org|transcriber|E-text prepared|etext")
COMMON = words_of(
    """the of and to in a is that it was for as with be by on not he his which this are or from at have had but they we i you
    all one so if there their"""
)
NUMERAL = re.compile(r"\W*([IVXLC]+|\d+|[A-Za-z])\W*")
DAY_OR_SPEAKER = re.compile(r"\W*(\d+(st|nd|rd|th)|[A-Z]{2,}(\W+[A-Z]{2,}){0,2}|[A-Z][a-z]+ \d+(st|nd|rd|th)?)\W*")
LONGEST = 3000  # characters of a sentence


def clean(text: str) -> str:
    """The text in one line without calls of notes, numbers of pages and signs of type."""
    text = unicodedata.normalize("NFC", text)
    for pattern, instead in MARKS:
        text = pattern.sub(instead, text)
    return text.strip()


def is_prose(text: str) -> bool:
    """Whether a cleaned paragraph is running text in English: ended, mostly of small letters, no note, no licence."""
    letters = re.sub(r"[\W\d_]+", "", text)
    return (
        len(letters) >= 8
        and " " in text
        and len(re.findall("[A-Z]", letters)) <= 0.4 * len(letters)
        and len(letters) >= 0.6 * len(text.replace(" ", ""))
        and ENDED.search(text) is not None
        and not NOTE.match(text)
        and not NOT_THE_BOOK.search(text)
        and _is_english(text)
    )


def _is_english(text: str) -> bool:
    words = re.findall(r"[a-z]+", text.lower())
    return len(words) < 15 or sum(word in COMMON for word in words) > 0.15 * len(words)


def is_sentence(text: str) -> bool:
    """Whether a sentence says something: not a number or one letter alone, nor a page without a stop."""
    words = re.search(r"[^\W\d_].*[^\W\d_]", text)
    return len(text) <= LONGEST and words is not None and not NUMERAL.fullmatch(text)


def without_lists(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """The paragraphs outside chapters of another kind; one that holds a quarter of the book is the book itself."""
    sizes = dict[str, int]()
    for chapter, text in paragraphs:
        sizes[chapter] = sizes.get(chapter, 0) + len(text)
    quarter = 0.25 * sum(sizes.values())
    skipped = {chapter for chapter, size in sizes.items() if size < quarter and NO_CHAPTER.match(chapter)}
    return [paragraph for paragraph in paragraphs if paragraph.chapter not in skipped]
