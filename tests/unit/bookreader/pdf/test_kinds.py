import pytest

from bookreader.book import Kind
from chapterverse.library.reading import in_stretches
from tests.support.press import Design
from tests.support.reading import of_kind, paragraphs_of, prose, read, told, with_words
from tests.support.typeset import chapter, display, figure, para, section

LISTING = ("def area(width, height):", "    total = width * height", "    return total", ">>> area(3, 4)", "12")


def test_a_listing_is_code_line_by_line() -> None:
    book = read(*prose(6, 1), display(*LISTING, font="cour"), *prose(6, 2))

    [listing] = [each for stretch in in_stretches(book.sentences) for each in stretch if each.kind is Kind.CODE]
    assert of_kind(book, Kind.CODE) == listing.text.splitlines() == [line.strip() for line in LISTING]
    assert paragraphs_of(book) == [*told(6, 1), *told(6, 2)]


def test_a_book_typed_on_a_typewriter_has_no_listings() -> None:
    book = read(*prose(12, 1), design=Design(font="cour", justified=False))

    assert of_kind(book, Kind.CODE) == []
    assert len(of_kind(book)) > 20


def test_articles_that_end_in_semicolons_are_no_listing() -> None:
    articles = [
        para(f"({n}) the owner of the {thing} pays the due of the year;", flush=True)
        for n, thing in enumerate(["house", "boat", "mill", "garden"])
    ]

    assert of_kind(read(*prose(6, 1), *articles, *prose(6, 2)), Kind.CODE) == []


def test_a_formula_set_apart_is_one() -> None:
    book = read(*prose(6, 1), display("a + b = c + d", inset=100), *prose(6, 2))

    assert of_kind(book, Kind.FORMULA) == ["a + b = c + d"]
    assert with_words(book, "a + b")[0].address.chapter is not None


def test_what_a_formula_parts_cannot_be_quoted() -> None:
    book = read(
        *prose(6, 1),
        para("The length of the rope that the boat·men need for the quay is"),
        display("n = 2k + 1", inset=100),
        para("where the letter stands for the boats in the har·bour. The rest is sold.", flush=True),
        *prose(6, 2),
    )

    [before], [after] = with_words(book, "The length of the rope"), with_words(book, "where the letter stands")
    assert before.text.endswith("the quay is")
    assert not before.quotable
    assert not after.quotable
    assert with_words(book, "The rest is sold.")[0].quotable


def test_a_formula_with_a_number_may_hold_words() -> None:
    lines = [
        para("It is well known of the boats that"),
        display("(1) d = the number of boats", size=10),
        para("is even.", flush=True),
    ]

    book = read(*prose(6, 1), *lines, *prose(6, 2))

    assert not [each.text for each in with_words(book, "number of boats") if each.quotable]


def test_a_sentence_is_not_joined_over_a_formula_that_a_picture_follows() -> None:
    first, second = para("The equa·tion is"), para("where x is the price of bread in the town.", flush=True)

    book = read(*prose(6, 1), first, display("x = a + b + c"), figure("Figure 1. The town."), second, *prose(6, 2))

    assert not [each for each in with_words(book, "The equation is") if each.quotable and "where" in each.text]


def test_rows_of_a_table_are_sentences_of_their_own() -> None:
    rows = ("Boats\t12\told", "Lamps\t40\tnew", "Letters\t9\tlost")

    book = read(*prose(6, 1), display(*rows, inset=10, size=10), *prose(6, 2))

    assert of_kind(book, Kind.TABLE) == [row.replace("\t", " ") for row in rows]
    assert paragraphs_of(book) == [*told(6, 1), *told(6, 2)]


@pytest.mark.parametrize("title", ["References", "Bibliography", "Works Cited", "Literaturverzeichnis"])
def test_a_list_of_references_is_no_prose(title: str) -> None:
    entries = [
        para(f"[{n}] {name}, J. The Boats of the Quay. Harbour Press, {1990 + n}.", flush=True)
        for n, name in enumerate(["Adams", "Brown", "Clark", "Doyle"], start=1)
    ]

    book = read(chapter("1", "The Harbour"), *prose(10, 1), section(title), *entries)

    assert len(of_kind(book, Kind.REFERENCE)) == 4
    assert paragraphs_of(book) == told(10, 1)


def test_a_chapter_called_references_that_tells_a_story_is_prose() -> None:
    book = read(chapter("1", "The Harbour"), *prose(10, 1), chapter("2", "References"), *prose(10, 2))

    assert paragraphs_of(book) == [*told(10, 1), *told(10, 2)]


def test_an_index_is_no_prose() -> None:
    entries = [para(f"{term}, {n}, {n + 7}–{n + 9}", flush=True) for n, term in enumerate(["boats", "lamps", "letters"], 12)]

    book = read(chapter("1", "The Harbour"), *prose(10, 1), chapter(None, "Index"), *entries)

    assert len(of_kind(book, Kind.INDEX)) == 3
    assert paragraphs_of(book) == told(10, 1)


def test_a_licence_around_a_book_is_no_text_of_it() -> None:
    book = read(
        para("The Project Gutenberg EBook of Boats, by An Author"),
        para("This eBook is for the use of anyone anywhere at no cost."),
        para("*** START OF THIS PROJECT GUTENBERG EBOOK BOATS ***", flush=True),
        chapter("I", "The Harbour"),
        *prose(8, 1),
        chapter("II", "The Lamps"),
        *prose(8, 2),
        para("End of the Project Gutenberg EBook of Boats"),
        para("*** END OF THIS PROJECT GUTENBERG EBOOK BOATS ***"),
        section("Section 1. General Terms of Use"),
        para("You may copy it, give it away or use it again under the terms of the licence."),
    )

    assert paragraphs_of(book) == [*told(8, 1), *told(8, 2)]
    assert with_words(book, "You may copy it") == with_words(book, "at no cost") == []
    assert [each.number for each in book.chapters] == ["I", "II"]


def test_an_item_is_a_paragraph_of_its_own() -> None:
    items = [para(f"• We count the {thing} of the harbour.", flush=True) for thing in ("boats", "lamps", "letters")]

    book = read(*prose(6, 1), *items, *prose(6, 2))

    assert len([p for p in paragraphs_of(book) if p[0].startswith("We count")]) == 3
