"""What an essay quotes of the school's books, and what it says in its own words.

Quoted words are nobody's claim: they are neither searched for nor judged. What a book is quoted with is evidence."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from chapterverse.citations.model import Evidence
from chapterverse.citations.verbatim import RUN, Quoted, QuotedText, Range, find_quotations, is_searched, marked_spans
from chapterverse.core.book import SentenceId
from chapterverse.core.hits import FoundBy, Query, QueryKind, Scope
from chapterverse.essays.model import Essay, Paragraph, overlaps
from chapterverse.library.contexts import word_spans
from chapterverse.library.scope import OpenBook, look_in_open_books, passage
from chapterverse.library.services import CollectionServices

MAX_QUOTATIONS = 20  # of an essay, shown as evidence
MIN_OWN = 4  # words of a sentence beside what it quotes; fewer only introduce it
_EMPTY_MARKS = re.compile(r"[“„«»‘\"]\s*[”“«»’\"]")


def quoted_evidence(essay: Essay, scope: Scope, services: CollectionServices) -> list[Evidence]:
    """The sentences of the scope's books that the essay quotes, in its order, at most MAX_QUOTATIONS. Raises as
    look_in_open_books does."""
    texts = [QuotedText(each.text, each.quoted) for each in essay.paragraphs]

    def look(books: dict[str, OpenBook]) -> list[Evidence]:
        prints = {version: services.fingerprint_of(book.key) for version, book in books.items()}

        def text_of(version: str, sentence: SentenceId) -> str:
            return services.text_of(books[version].key).sentence(sentence).text

        found = [one for one in find_quotations(texts, prints, text_of) if not is_task(one)][:MAX_QUOTATIONS]
        return [evidence(number, one, books[one.version]) for number, one in enumerate(found, start=1)]

    def is_task(one: Quoted) -> bool:
        words = texts[one.text].text[one.quotation.start : one.quotation.end]
        return not one.quotation.marked and any(words in each for each in essay.paragraphs[one.text].copied)

    def evidence(number: int, one: Quoted, book: OpenBook) -> Evidence:
        words = texts[one.text].text[one.quotation.start : one.quotation.end]
        found_by = (FoundBy(Query(words, QueryKind.QUOTATION, one.text), 1.0, 1),)
        there = passage(services.text_of(book.key), one.sentence, book)
        return Evidence(number, there, 1.0, found_by, quotation=one.quotation)

    return look_in_open_books(look, scope, services)


def not_found(essay: Essay, quoted: Sequence[Evidence]) -> list[tuple[int, str]]:
    """What the essay has in quotation marks and none of the books has, with the index of its paragraph, but for what is too
    short to be looked for. quoted: what they have."""
    if len(quoted) == MAX_QUOTATIONS:  # there may be more
        return []
    return [
        (at, paragraph.text[start:end])
        for at, paragraph in enumerate(essay.paragraphs)
        for start, end in marked_spans(QuotedText(paragraph.text, paragraph.quoted))
        if is_searched(paragraph.text[start:end]) and not overlaps((start, end), _of_books(at, quoted))
    ]


def own_words(essay: Essay, quoted: Sequence[Evidence]) -> Essay:
    """The essay without what it quotes, of the books or of others; a paragraph that is nothing else has no sentences."""
    return replace(
        essay,
        paragraphs=tuple(without(each, quoted_spans(each, at, quoted)) for at, each in enumerate(essay.paragraphs)),
    )


def quoted_spans(paragraph: Paragraph, at: int, quoted: Sequence[Evidence]) -> list[Range]:
    """The characters of the paragraph with this index that are quoted: of the books, and RUN words or more of anybody else."""
    marked = marked_spans(QuotedText(paragraph.text, paragraph.quoted))
    long = [(start, end) for start, end in marked if len(word_spans(paragraph.text[start:end])) >= RUN]
    return sorted({*_of_books(at, quoted), *long})


def _of_books(at: int, quoted: Sequence[Evidence]) -> list[Range]:
    return [(one.quotation.start, one.quotation.end) for one in quoted if one.quotation and is_in(one, at)]


def is_in(evidence: Evidence, paragraph: int) -> bool:
    """Whether a query of the paragraph with this index found the evidence."""
    return any(found_by.query.paragraph == paragraph for found_by in evidence.found_by)


def without(paragraph: Paragraph, spans: Sequence[Range]) -> Paragraph:
    """The paragraph without these characters, and without sentences of which less than MIN_OWN words are left."""
    if not spans:
        return paragraph
    left = tuple(_sentences_without(paragraph, spans))
    return replace(paragraph, text=" ".join(left) or paragraph.text, sentences=left)


def _sentences_without(paragraph: Paragraph, spans: Sequence[Range]) -> Iterator[str]:
    for sentence, start, end in paragraph.placed:
        inside = [(max(first - start, 0), last - start) for first, last in spans if first < end and start < last]
        rest = sentence
        for first, last in reversed(inside):
            rest = rest[:first] + rest[last:]
        if not inside or sentence in paragraph.copied:
            yield sentence
        elif len(word_spans(rest)) >= MIN_OWN:
            yield " ".join(_EMPTY_MARKS.sub("", rest).split())
