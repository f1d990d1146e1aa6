"""The report of a parsed book for its teacher or librarian: what looks odd in it, where, and why."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, replace
from itertools import groupby, pairwise

from bookreader.book import Chapter, Kind, Oddities, OddPage, QualityReport, Sentence
from bookreader.messages import Message, message
from bookreader.pdf.addresses import Doubt
from bookreader.pdf.chapters import Structure
from bookreader.pdf.headings import number_value
from bookreader.pdf.labels import Labels
from bookreader.pdf.model import PdfPage

MUCH_OUTSIDE = 0.25
UNREADABLE = "\ufffd"
MUCH_UNREADABLE = 0.01
MUCH_NOT_PROSE = 0.15  # of the words
NAMED_SHARE = 0.1  # of what is no prose: a kind with less is not named
MANY = 3  # odd sentences of one kind that a teacher is told of …
LOWER_SHARE, NUMBER_SHARE = 0.003, 0.02  # … if they are such a share of all
OUTLINE_SHARE = 0.1  # of the outline's entries: so many are not printed where it says
MAX_ODD_PAGES = 50  # in a report
WORST = 3  # pages that a teacher is shown
MIN_ODD = Oddities(lower_case=1)  # a page is shown if it is as odd as with this
PROSE_KINDS = (Kind.SENTENCE, Kind.FOOTNOTE, Kind.SIDENOTE, Kind.CAPTION)  # text that a book of prose has
# how much one such sentence counts for a page
WEIGHTS = Oddities(lower_case=4, number=1, unreadable=8, garbled=4, unquotable=1)
WORDS_SHARE = 0.6  # of a text's characters: letters and blanks; with fewer it is hardly made of words
SINGLE_SHARE = 0.5  # of a text's words: single characters; with more it is hardly made of words
FEW_SIGNS, FEW_WORDS = 12, 6  # shorter texts are not judged so


def report_on(
    pages: Sequence[PdfPage],
    found: Sequence[tuple[Sentence, Doubt | None]],
    chapters: Sequence[Chapter],
    labels: Labels,
    structure: Structure,
) -> QualityReport:
    """The report of a parsed book. pages: as read, with all on them. found: its sentences, and why they are not quoted."""
    sentences = [each for each, _ in found]
    doubts = Counter(doubt for each, doubt in found if each.kind is Kind.SENTENCE and doubt)
    prose = [sentence for sentence in sentences if sentence.kind is Kind.SENTENCE]
    total = sum(len(token.text) for page in pages for line in page.lines for token in line.tokens)
    inside = sum(len(each.text.replace(" ", "")) for each in sentences)
    listed, words = numbered_items(prose), Counter[Kind]()
    for each in sentences:
        words[each.kind] += len(each.text.split())
    odd = [(sentence, oddities_of(sentence, listed=i in listed)) for i, sentence in enumerate(prose)]
    report = QualityReport(
        pages=len(pages),
        words=words[Kind.SENTENCE],
        sentences=len(prose),
        chapters=len(chapters),
        chapter_source=structure.source,
        label_source=labels.source,
        outside_share=round(max(0.0, 1 - inside / total) if total else 0.0, 4),
        pages_without_text=tuple(page.index for page in pages if not page.lines),
        warnings=(),
        oddities=total_of(each for _, each in odd),
        odd_pages=tuple(with_text(odd_pages_of(odd), sentences)),
        kind_shares={kind: round(n / words.total(), 4) for kind, n in words.most_common() if n},
        printed_numbers=labels.printed,
        label_conflicts=labels.differing,
        outline_entries=structure.announced,
        outline_conflicts=structure.unprinted,
        recognized_pages=tuple(page.index for page in pages if page.recognized and page.lines),
    )
    scanned = [i for i in report.pages_without_text if pages[i].images]
    warnings = warnings_of(report, scanned, doubts, "".join(each.text for each in prose), unlikely_names(chapters))
    return replace(report, warnings=tuple(warnings))


ITEM = re.compile(r"[(\[]?(?P<number>\d{1,3}(?:[.)\]](?=\s)|(?:\.\d{1,3})+))")


def numbered_items(sentences: Sequence[Sentence]) -> set[int]:
    """The indices of the sentences whose numbers count on from one to the next ("1.", "2."), as those of exercises do."""
    numbers = [
        (i, [int(part) for part in re.findall(r"\d+", found["number"])])
        for i, sentence in enumerate(sentences)
        if (found := ITEM.match(sentence.text))
    ]
    follow = [(i, j) for (i, a), (j, b) in pairwise(numbers) if a[:-1] == b[:-1] and b[-1] == a[-1] + 1]
    return {i for pair in follow for i in pair}


def oddities_of(sentence: Sentence, *, listed: bool = False) -> Oddities:
    """What looks odd about one sentence: each number is 0 or 1. listed: its number is that of an item in a list."""
    text = sentence.text
    first = text.lstrip("“„«‘'\"([")[:1]
    signs, words = len(text), text.split()
    letters = sum(map(str.isalpha, text)) + text.count(" ")
    single = sum(len(word) == 1 for word in words)
    odd_signs = signs >= FEW_SIGNS and letters < WORDS_SHARE * signs
    is_item = sentence.quotable and sentence.address.sentence == 0  # of a list; others that begin small are not quoted
    return Oddities(
        lower_case=first.islower() and not is_item,
        number=first.isdigit() and not listed,
        unreadable=UNREADABLE in text,
        garbled=odd_signs or (len(words) >= FEW_WORDS and single > SINGLE_SHARE * len(words)),
        unquotable=not sentence.quotable,
    )


def total_of(found: Iterable[Oddities]) -> Oddities:
    return Oddities(*(sum(column) for column in zip(*map(astuple, found), strict=True)))


def weight_of(oddities: Oddities) -> int:
    """How odd a page or a sentence is."""
    return sum(n * weight for n, weight in zip(astuple(oddities), astuple(WEIGHTS), strict=True))


def odd_pages_of(found: Sequence[tuple[Sentence, Oddities]]) -> list[OddPage]:
    """The pages on which odd sentences begin, worst first, at most MAX_ODD_PAGES."""
    by_page: dict[int, list[tuple[Sentence, Oddities]]] = defaultdict(list)
    for sentence, oddities in found:
        if weight_of(oddities):
            by_page[sentence.address.places[0].page_index].append((sentence, oddities))
    pages: list[OddPage] = []
    for _, own in sorted(by_page.items()):
        worst, _ = max(own, key=lambda pair: weight_of(pair[1]))
        place = worst.address.places[0]
        pages.append(OddPage(place.page_index, place.page_label, worst.id, total_of(oddities for _, oddities in own)))
    return sorted(pages, key=lambda page: weight_of(page.oddities), reverse=True)[:MAX_ODD_PAGES]


def with_text(pages: Sequence[OddPage], sentences: Sequence[Sentence]) -> Iterator[OddPage]:
    """The pages, the worst with all that was read on them, a paragraph a line: to be compared with the page."""
    for i, page in enumerate(pages):
        own = (each for each in sentences if each.address.places and each.address.places[0].page_index == page.page_index)
        blocks = groupby(own if i < WORST else (), key=lambda each: each.address.paragraph_id)
        yield replace(page, text="\n".join(" ".join(each.text for each in block) for _, block in blocks))


def warnings_of(
    report: QualityReport, scanned: Sequence[int], doubts: Mapping[Doubt, int], text: str, names: Sequence[str]
) -> Iterator[Message]:
    """Sentences for a teacher, most important first. scanned: indices of pages that are only pictures; text: of all prose;
    names: of chapters, that can hardly be."""
    for _, group in groupby(enumerate(scanned), key=lambda pair: pair[1] - pair[0]):  # runs of successive pages
        run = [index + 1 for _, index in group]
        first, last = run[0], run[-1]
        yield (
            message("page_without_text", page=first) if first == last else message("pages_without_text", first=first, last=last)
        )
    if report.recognized_pages:
        yield message("pages_recognized", count=len(report.recognized_pages), pages=report.pages)
    odd, many = report.oddities, max(MANY, LOWER_SHARE * report.sentences)
    if text.count(UNREADABLE) > MUCH_UNREADABLE * len(text):
        yield message("letters_unreadable")
    elif odd.unreadable:
        one = odd.unreadable == 1
        yield message("some_letters_of_one_unreadable") if one else message("some_letters_unreadable", count=odd.unreadable)
    yield from about_file(report, names)
    if odd.lower_case >= many:
        yield message("sentences_begin_in_lower_case", count=odd.lower_case)
    if odd.number >= max(MANY, NUMBER_SHARE * report.sentences):
        yield message("sentences_begin_with_a_number", count=odd.number)
    if odd.garbled >= many:
        yield message("sentences_hardly_words", count=odd.garbled)
    if causes := tuple(message(doubt.value, count=doubts[doubt]) for doubt in Doubt if doubts.get(doubt)):
        yield message("sentences_shown_as_pictures", causes=causes)
    other = {kind: share for kind, share in report.kind_shares.items() if kind not in PROSE_KINDS}
    if (total := sum(other.values())) > MUCH_NOT_PROSE:
        kinds = tuple(message(f"kind_{kind}") for kind, share in other.items() if share >= NAMED_SHARE * total)
        yield message("much_is_not_prose", percent=round(100 * total), kinds=kinds)
    if report.outside_share > MUCH_OUTSIDE:
        yield message("text_outside_paragraphs", percent=round(100 * report.outside_share))
    worst = [page for page in report.odd_pages[:WORST] if page.page_label and weight_of(page.oddities) >= weight_of(MIN_ODD)]
    if worst:
        yield message("look_at_pages", pages=tuple(page.page_label for page in worst))


LONGEST_NAME = 15  # words of a chapter's title
WORD = re.compile(r"[^\W\d_]{3}")


def unlikely_names(chapters: Sequence[Chapter]) -> list[str]:
    """Names that chapters hardly have: no words and no next number, parts of sentences, asides in brackets, repeated ones."""
    titles = Counter(chapter.title for chapter in chapters if not chapter.number)
    seen, found = set[int](), list[str]()
    for chapter in chapters:
        value, title = number_value(chapter.number), chapter.title or ""
        torn = title[:1].islower() or title[-1:] in ",;" or (title[:1] + title[-1:]) in ("[]", "()")
        named = WORD.search(title) and not torn and len(title.split()) <= LONGEST_NAME and titles[title] <= 1
        if not named if title else value > 1 and seen and value - 1 not in seen:
            found.append(" ".join(filter(None, (chapter.number, chapter.title))))
        seen.add(value)
    return list(dict.fromkeys(found))


def about_file(report: QualityReport, names: Sequence[str]) -> Iterator[Message]:
    """What is odd about the chapters, and where what is printed and what the file says of itself are not the same."""
    if report.chapter_source == "none":
        yield message("no_chapters_found")
    elif names:
        yield message("chapter_names_unlikely", count=len(names), names=tuple(names[:MANY]))
    pages, conflicts = report.printed_numbers, report.label_conflicts
    if conflicts and report.label_source == "folios":
        yield message("printed_numbers_win", count=conflicts, pages=pages)
    elif conflicts >= MANY:
        yield message("labels_win", count=conflicts, pages=pages)
    entries, missing = report.outline_entries, report.outline_conflicts
    if entries and report.chapter_source != "outline":
        yield message("outline_not_used", count=missing, entries=entries)
    elif missing >= MANY and missing > OUTLINE_SHARE * entries:
        yield message("outline_differs", count=missing, entries=entries)
