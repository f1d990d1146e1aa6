import pymupdf
import pytest

from bookreader.book import Book, BookId, Kind
from bookreader.pdf.chapters import OutlineEntry, by_look, contents_of, counts_lines, in_levels, outline_of, same, without_root
from bookreader.pdf.headings import find_headings, heading_at, nameless
from bookreader.pdf.parse import parse_book
from tests.support.marks import LEFT, TOP, a_line, a_style, flowing, full_line
from tests.support.press import Design, Element
from tests.support.reading import prose, read, with_words
from tests.support.typeset import chapter, contents, page, para, section, title_page, typeset

TITLES = ["The Harbour", "Of the Long Winter", "Letters and Lamps"]
NUMBERS = ["I", "II", "III"]


def three(**look: object) -> list[Element]:
    """Three chapters of about three pages each."""
    parts = [[chapter(NUMBERS[i], TITLES[i], **look), *prose(10, i)] for i in range(3)]
    return [element for part in parts for element in part]


def named(book: Book) -> list[tuple[str | None, str | None]]:
    return [(each.number, each.title) for each in book.chapters]


EXPECTED = list(zip(NUMBERS, TITLES, strict=True))


def test_a_number_that_counts_the_lines_of_the_contents_is_no_chapters() -> None:
    roman, figures = [(True, 0)] * 3, [(False, 0)] * 3

    assert counts_lines(OutlineEntry(1, "1. Preface", 3), roman)
    assert not counts_lines(OutlineEntry(1, "1. Preface", 3), figures)
    assert not counts_lines(OutlineEntry(1, "1. Preface", 3), roman[:2])


def test_the_outline_is_believed_first_then_the_printed_contents_before_which_a_preface_may_stand() -> None:
    book = read(contents(), *three(), outline=True)
    assert book.report.chapter_source == "outline"
    assert named(book) == EXPECTED

    book = read(title_page("Of Boats"), contents(), *three())
    assert book.report.chapter_source == "contents"
    assert named(book) == EXPECTED

    front = [chapter(None, "Preface"), *prose(6, 9)]
    book = read(*front, contents(), *three())
    assert named(book)[0] == (None, "Preface")
    assert {each.address.chapter.title for each in book.sentences if each.kind is Kind.CONTENTS} == {None}


@pytest.mark.parametrize(
    "look",
    [{}, {"size": 12}, {"size": 10}, {"size": 10, "font": "tibo"}, {"size": 13, "font": "tiit"}, {"size": 24, "sink": 100}],
    ids=str,
)
def test_then_the_headings_however_they_look(look: dict) -> None:
    book = read(*three(**look))

    assert book.report.chapter_source == "headings"
    assert named(book) == EXPECTED


def test_else_the_book_is_one_chapter_and_the_report_says_so() -> None:
    book = read(*prose(20))

    assert book.report.chapter_source == "none"
    assert book.chapters == ()
    assert {each.address.chapter.index for each in book.sentences} == {-1}
    assert [warning.id for warning in book.report.warnings] == ["no_chapters_found"]


def nested() -> list[Element]:
    return [
        *[chapter("I", "The Harbour"), *prose(6), section("The Quay"), *prose(3, 1)],
        *[section("Boats", 3, size=10.5), *prose(3, 2), section("The Lamps"), *prose(3, 3)],
        *[chapter("II", "The River"), *prose(6, 4), section("The Mill"), *prose(3, 5)],
    ]


PATHS = [("I",), ("I", "The Quay"), ("I", "The Quay", "Boats"), ("I", "The Lamps"), ("II",), ("II", "The Mill")]


@pytest.mark.parametrize("outline", [True, False], ids=["outline", "headings"])
def test_sections_nest(outline: bool) -> None:
    book = read(*nested(), outline=outline)

    paths = [(each.address.chapter.number, *each.address.section_path) for each in book.sentences]
    assert list(dict.fromkeys(paths)) == PATHS


def test_text_before_the_first_chapter_has_none_and_chapters_of_two_pages_keep_their_headings() -> None:
    preface = para("This book was written in the long evenings of one winter, for those who remember the harbour as it was.")
    book = read(preface, *three(), outline=True)
    assert book.sentences[0].address.chapter.index == -1
    assert named(book) == EXPECTED

    book = read(*(element for i in range(3) for element in [chapter(NUMBERS[i], TITLES[i]), *prose(6, i)]))
    assert book.report.pages == 6
    assert named(book) == EXPECTED

    book = read(*nested())
    counts = [each.address.paragraph for each in book.sentences if each.address.chapter.number == "I"]
    assert sorted(set(counts)) == list(range(15))


@pytest.mark.parametrize(
    ("have", "want", "alike"),
    [("theharbour", "theharbour", True), ("ofthelongwinter", "ofthelongwimter", True), ("i", "ii", False), ("", "", False)],
)
def test_titles_are_the_same_but_for_small_slips(have: str, want: str, alike: bool) -> None:
    assert same(have, want) is alike


def outlined(pdf: bytes, *entries: tuple[int, str, int]) -> Book:
    """Parsed with this outline: level, title, page index of each entry."""
    with pymupdf.open(stream=pdf) as document:
        document.set_toc([[level, title, page + 1] for level, title, page in entries])
        return parse_book(document.tobytes(), BookId("book"))


def first_pages(book: Book) -> list[int]:
    """The page on which each chapter begins."""
    first = {each.address.chapter.index: each.address.places[0].page_index for each in reversed(book.sentences)}
    return [page for index, page in sorted(first.items()) if index >= 0]


def test_an_outline_whose_first_level_hardly_divides_the_text_is_believed_on_its_second() -> None:
    note = [chapter(None, "Note"), para("This book was written in the long evenings of one winter by the harbour.")]
    pdf = typeset(*note, *three())
    _, *starts = first_pages(parse_book(pdf, BookId("book")))

    entries = [(2, f"{number}. {title}", page) for number, title, page in zip(NUMBERS, TITLES, starts, strict=True)]
    book = outlined(pdf, (1, "Note", 0), *entries)

    assert named(book)[-3:] == EXPECTED


def test_chapters_in_parts_and_outside_them_are_chapters_alike() -> None:
    introduction = [chapter("Chapter 1", "Introduction"), section("Boats and Rivers"), *prose(6, 7)]
    part = [chapter("Part I", "The Sea"), para("Of the sea and of those who live by it, in three chapters, this part speaks.")]
    rest = [element for i in (0, 1, 2) for element in [chapter(f"Chapter {i + 2}", TITLES[i]), *prose(10, i)]]
    pdf = typeset(*introduction, *part, *rest)
    starts = first_pages(parse_book(pdf, BookId("book")))

    names = ["Introduction", "I The Sea", *TITLES]
    levels = [1, 1, 2, 2, 2]
    entries = list(zip(levels, names, starts, strict=True))
    book = outlined(pdf, entries[0], (2, "Boats and Rivers", 0), *entries[1:])

    assert named(book) == [("1", "Introduction"), ("Part I", "The Sea"), *zip("234", TITLES, strict=True)]


def test_an_outline_may_name_a_heading_close_to_its_text_without_its_number() -> None:
    first = [para(f"1. {TITLES[0].upper()}", flush=True), *prose(10)]
    pdf = typeset(*first, *[each for i in (1, 2) for each in [chapter(NUMBERS[i], TITLES[i]), *prose(10, i)]])
    starts = first_pages(parse_book(pdf, BookId("book")))[-2:]

    book = outlined(pdf, *((1, title, page) for title, page in zip(TITLES, [0, *starts], strict=True)))

    assert len(named(book)) == 3
    assert not any(TITLES[0].upper() in each.text for each in book.sentences if each.kind is Kind.SENTENCE)


def test_a_book_of_a_work_is_not_merged_with_its_first_chapter() -> None:
    parts = [each for i in range(3) for each in [chapter(NUMBERS[i], TITLES[i]), *prose(10, i)]]
    words = [para("Of the sea and of those who live by it, this book speaks.")]
    text = [chapter("Book I", None), *words, *parts, chapter("Book II", None), *three()]

    names = named(read(*text))

    assert names[:2] == [("Book I", None), EXPECTED[0]]
    assert names[-3:] == EXPECTED


def test_an_outline_of_chapters_that_are_not_printed_divides_by_its_pages() -> None:
    pdf = typeset(*prose(60, 3))

    book = outlined(pdf, (1, "The Harbour", 0), (1, "The River", 4), (1, "The Lamps", 9))

    assert [each.title for each in book.chapters] == ["The Harbour", "The River", "The Lamps"]
    assert first_pages(book) == [0, 4, 9]


def printed_text(*, title_in_capitals: bool, leaders: bool) -> list[Element]:
    """Three chapters as a program prints a plain text: all in one type."""
    entries = [f"{NUMBERS[i]}. {TITLES[i].upper()} {'. ' * 8 if leaders else ''}{3 * i + 2}" for i in range(3)]
    front = page("THE HISTORY OF BOATS", "", "Produced by Ada Clerk and others", "", "CONTENTS", "", *entries)
    titles = [title.upper() if title_in_capitals else title for title in TITLES]
    parts = [[chapter(f"CHAPTER {NUMBERS[i]}.", titles[i], size=10, sink=20 * bool(i)), *prose(10, i)] for i in range(3)]
    return [front, *(element for part in parts for element in part)]


@pytest.mark.parametrize("leaders", [True, False])
@pytest.mark.parametrize("title_in_capitals", [True, False])
def test_the_chapters_of_a_text_printed_in_one_type(title_in_capitals: bool, leaders: bool) -> None:
    book = read(*printed_text(title_in_capitals=title_in_capitals, leaders=leaders))

    assert [(number, (title or "").casefold()) for number, title in named(book)] == [
        (number, title.casefold()) for number, title in EXPECTED
    ]


@pytest.mark.parametrize("number", ["{}", "{}."])
def test_the_numbered_sections_of_a_paper_are_its_chapters(number: str) -> None:
    sections = ["Introduction", "The Boats of the Town", "What We Found", "Conclusion"]
    parts = [
        [section(f"{number.format(i)} {title}", size=12), section(f"{i}.1 The {title}", 3, size=10), *prose(5, i)]
        for i, title in enumerate(sections, start=1)
    ]
    paper = [chapter(None, "On the Boats of a Harbour"), *prose(2, 9), *(element for part in parts for element in part)]

    book = read(*paper, design=Design(width=470, columns=2))

    assert named(book) == [(str(i), title) for i, title in enumerate(sections, start=1)]


def test_numbered_sections_are_chapters_where_nothing_stands_above_them_and_sections_else() -> None:
    parts = [[section(f"{i} {title}", size=14), *prose(6, i)] for i, title in enumerate(TITLES, start=1)]
    book = read(*(element for part in parts for element in part))
    assert named(book) == [(str(i), title) for i, title in enumerate(TITLES, start=1)]

    sections = [section(f"{letter}. The Quay of {name}") for letter, name in (("A", "Boats"), ("1", "Nets"), ("1", "Oars"))]
    parts = [[chapter(NUMBERS[i], TITLES[i], size=14), *prose(6, i), sections[i], *prose(4, i + 3)] for i in range(3)]
    book = read(*[element for part in parts for element in part])
    assert named(book) == EXPECTED

    parts = [
        [chapter(None, title), *(element for n in (1, 2) for element in [section(f"{2 * i + n} Of Boats"), *prose(4, n)])]
        for i, title in enumerate(TITLES)
    ]
    assert named(read(*(element for part in parts for element in part))) == [(None, title) for title in TITLES]


@pytest.mark.parametrize(
    ("levels", "known"),
    [
        ({"9": 2, "9.1": 3, "10": 1, "10.1": 2, "11": 2}, [2, 3, 2, 3, 2]),
        ({"I": 1, "A": 2, "5": 1}, [1, 2, 1]),
        ({"Chapter 1": 1, "1.1": 1, "1.2": 1, "Chapter 2": 1, "2.1": 1}, [1, 2, 2, 1, 2]),
        ({"1.4": 1, "3": 3, "1": 3, "2": 3, "1.5": 1}, [1, 3, 3, 3, 1]),
    ],
)
def test_what_is_numbered_alike_has_one_level(levels: dict[str, int], known: list[int]) -> None:
    assert in_levels([*levels], [*levels.values()]) == known


@pytest.mark.parametrize(
    "formula", ["aij = bjk", "xy ≤ max f(abc)", "∑ aij → fgh", "Of Boats . . . . 73", "A F B", "6985", "1, 2; 2, 1"]
)
def test_a_formula_an_entry_of_contents_letters_of_figures_or_a_lone_number_names_nothing(formula: str) -> None:
    assert nameless([heading_at([flowing(a_line(formula))], 0, 1)]) == {0}


def test_a_heading_that_happens_to_open_a_page_makes_no_chapters_of_its_kind() -> None:
    sections = [f"{i} {title}" for i, title in enumerate(TITLES, start=1)]
    lines = [a_line(text, baseline=60 + 40 * i, page=i // 2, style=a_style(12, bold=True)) for i, text in enumerate(sections)]
    thanks = a_line("Our Thanks", page=2, style=a_style(11, italic=True))
    texts = [flowing(full_line(500, page=i // 2)) for i in range(4)]
    flow = [each for pair in zip(map(flowing, [*lines, thanks]), texts, strict=True) for each in pair]
    headings = [heading_at(flow, i, i + 1) for i in (0, 2, 4, 6)]

    structure = by_look(flow, headings)

    assert [(each.number, each.title) for each in structure.divisions if each.level == 1] == [
        (str(i), title) for i, title in enumerate(TITLES, start=1)
    ]


@pytest.mark.parametrize(
    ("rows", "chapters"),
    [
        ([("2.4 The Harbour", 11), ("2.4.1 Boats", 13), ("Letters", 13), ("2.4.2 Lamps", 13), ("2.5 The River", 11)], [0, 4]),
        ([("The Harbour", 11), ("The River", 11), ("References", 13)], [0, 1, 2]),
    ],
)
def test_headings_that_look_like_numbered_ones_stand_with_them_and_references_set_larger_above_none(
    rows: list[tuple[str, int]], chapters: list[int]
) -> None:
    lines = [a_line(text, baseline=60 + 40 * i, style=a_style(size, bold=True)) for i, (text, size) in enumerate(rows)]
    flow = [each for line in lines for each in (flowing(line), *(flowing(full_line(line.baseline + 12 * n)) for n in (1, 2)))]

    structure = by_look(flow, [heading_at(flow, 3 * i, 3 * i + 1) for i in range(len(rows))])

    assert [each.start // 3 for each in structure.divisions if 0 < each.level <= structure.chapter_level] == chapters


def test_what_an_outline_says_of_the_matter_around_the_text_is_no_chapter_and_a_shortened_title_is_the_printed_one() -> None:
    pdf = typeset(page("THE HISTORY OF BOATS"), *three())
    starts = first_pages(parse_book(pdf, BookId("book")))
    entries = [(3, f"Chapter {number}: {title}.", at) for number, title, at in zip(NUMBERS, TITLES, starts, strict=True)]
    front = [(1, "PG Boilerplate.", 0), (1, "Front Matter.", 0), (1, "Main Matter.", 1), (2, "Part I. The Sea.", 1)]
    assert named(outlined(pdf, *front, *entries)) == EXPECTED

    pdf = typeset(title_page("Of Boats"), contents(), *three())
    book = outlined(pdf, (1, "PG Boilerplate.", 0), (1, "Contents.", 1))
    assert named(book) == EXPECTED

    pdf = typeset(*three())
    starts = first_pages(parse_book(pdf, BookId("book")))
    entries = [
        (1, f"{number}: {title.removeprefix('Of the ')}", at) for number, title, at in zip(NUMBERS, TITLES, starts, strict=True)
    ]
    assert named(outlined(pdf, *entries)) == EXPECTED


SECTIONS = [section(f"{i + 1}. Of the {name}", size=12) for i, name in enumerate(("Quay", "Mill", "Ferry", "Inn"))]


def one_chapter() -> list[Element]:
    """A chapter alone, as a teacher may have it, with numbered sections."""
    parts = [[each, *prose(5, i)] for i, each in enumerate(SECTIONS)]
    return [title_page("Of Boats"), chapter("LESSON I", "Of Harbours"), *(element for part in parts for element in part)]


@pytest.mark.parametrize("outline", [False, True])
def test_a_single_chapter_is_one_though_it_has_numbered_sections(outline: bool) -> None:
    book = parse_book(typeset(*one_chapter(), outline=outline), BookId("book"))

    assert named(book) == [("Lesson I", "Of Harbours")]
    assert {each.address.section_path for each in book.sentences if each.address.chapter.index >= 0} >= {("1 Of the Quay",)}


def test_the_outline_is_read_with_its_pages_without_entries_that_lead_nowhere_and_a_root() -> None:
    pdf = typeset(chapter("I", "The Harbour"), section("The Quay"), chapter("II", "The River"), outline=True)
    with pymupdf.open(stream=pdf) as document:
        assert outline_of(document) == [
            OutlineEntry(1, "I The Harbour", 0),
            OutlineEntry(2, "The Quay", 0),
            OutlineEntry(1, "II The River", 1),
        ]

    document = pymupdf.open(stream=typeset(page("It rained.")))
    document.set_toc([[1, "The Harbour", 1], [1, "An address", -1]])
    assert outline_of(document) == [OutlineEntry(1, "The Harbour", 0)]

    entries = [OutlineEntry(1, "A Book", 0), OutlineEntry(2, "I", 1), OutlineEntry(3, "The Quay", 2), OutlineEntry(2, "II", 4)]
    assert without_root(entries) == [OutlineEntry(1, "I", 1), OutlineEntry(2, "The Quay", 2), OutlineEntry(1, "II", 4)]


def announced(*rows: str | tuple[str, float]) -> list[OutlineEntry]:
    """The entries of a contents page with these lines; (text, indent) sets one in, and capitals are large. Page 3 is "2"."""
    head = flowing(a_line("Contents", 170, TOP, style=a_style(16)), None, 2.5)
    texts = [row if isinstance(row, tuple) else (row, 0.0) for row in rows]
    lines = [
        flowing(
            a_line(text, LEFT + x, TOP + 30 + 12 * i, style=a_style(14 if text[:4].isupper() else 10)), 2.5 if i == 0 else 1.0
        )
        for i, (text, x) in enumerate(texts)
    ]
    text = [flowing(full_line(TOP + 12 * i, page=1), None if i == 0 else 1.0) for i in range(20)]
    flow = [head, *lines, *text]
    found = contents_of(flow, find_headings(flow), 9, ("i", "ii", "1", "2"))
    assert found is not None
    return list(found.entries)


def test_entries_of_contents_have_no_leaders_and_may_go_over_two_lines_and_are_deeper_where_indented_or_small() -> None:
    assert announced("LONG WINTERS OF", "THE HARBOUR ..... ii", "Of Lamps", "Of Boats", "RIVERS . . . 2", "3. SEAS 7") == [
        OutlineEntry(1, "LONG WINTERS OF THE HARBOUR", 1),
        OutlineEntry(2, "Of Lamps", None),
        OutlineEntry(2, "Of Boats", None),
        OutlineEntry(1, "RIVERS", 3),
        OutlineEntry(1, "3. SEAS", None),
    ]

    [_, winter, river] = announced("I The Lamps 3", "II Of Winters in Which", ("They Froze ... 17", 20), "III The River 30")
    assert (winter.text, river.text) == ("II Of Winters in Which They Froze", "III The River")

    entries = announced("The Harbour . . . 3", ("The Quay . . . 4", 12), ("The Lamps . . . 9", 12), "The River . . . 17")
    assert [entry.level for entry in entries] == [1, 2, 2, 1]

    flow = [flowing(full_line(TOP + 12 * i)) for i in range(20)]
    assert contents_of(flow, find_headings(flow), pages=1) is None

    head = flowing(a_line("Contents", 170, TOP, style=a_style(16)), None, 2.5)
    tasks = [flowing(a_line(f"{n}. Fill in the blank.", LEFT, TOP + 12 * n, page=1), 1.0 if n else None) for n in range(9)]
    flow = [head, flowing(a_line("Of Boats", LEFT, TOP + 30), 2.5), *tasks, *flow]
    found = contents_of(flow, find_headings(flow), 9)
    assert found is not None
    assert found.end == 2


@pytest.mark.parametrize(("title", "leaders"), [("Contents", True), ("CONTENTS", False), ("Table of Contents", True)])
def test_the_contents_page_is_no_text(title: str, leaders: bool) -> None:
    names = {"I": "The Harbour", "II": "The River", "III": "The Lamps"}
    chapters = [each for i, (n, name) in enumerate(names.items()) for each in [chapter(n, name), *prose(10, i)]]

    book = read(title_page("Of Boats"), contents(title, leaders), *chapters, design=Design(folio="foot"))

    assert {each.kind for each in [*with_words(book, "The Harbour"), *with_words(book, ". . .")]} == {Kind.CONTENTS}
    assert [each.title for each in book.chapters] == list(names.values())
