"""What e-books say about their text in other ways than EPUB 3's types: printed pages, notes, pictures within sentences."""

import pytest

from bookreader.book import DEFAULT_LIMITS, Book, BookId, Kind
from bookreader.html.epub import pdf_of
from bookreader.html.files import page_label_of
from bookreader.pdf.parse import parse_book
from tests.support.epubs import PAGE, epub

FILLER = " ".join(f"The tide of day {n} came slowly over the flat sand and went out again before noon." for n in range(25))
STORM = ("The Storm", f"<p>{FILLER}</p><p>It rained <a id='p8'/>all night. Nobody slept.</p><p>{FILLER}</p>")
DOT = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def read(body: str, more: dict[str, str] | None = None, items: str = "") -> Book:
    """A book whose first chapter has that body, and further files."""
    chapters = [("The Harbour", f"{body}<p>{FILLER}</p>"), STORM]
    return parse_book(pdf_of(epub(chapters, more=more, items=items), DEFAULT_LIMITS), BookId("ships"))


def labels(book: Book) -> dict[str, str]:
    """The page of each sentence but the filler."""
    return {each.text: each.address.places[0].page_label for each in book.sentences if "tide" not in each.text}


def texts(book: Book, kind: Kind = Kind.SENTENCE) -> list[str]:
    return [each.text for each in book.sentences if each.kind is kind and "tide" not in each.text]


@pytest.mark.parametrize(
    ("markup", "label"),
    [("Page xii", "xii"), ("p. 7", "7"), (" [Pg 12] ", "12"), ("(iv).", "iv"), ("12a", "12a"), ("S. 9", "9"), ("p3", "3")],
)
def test_the_label_of_a_page_is_its_number(markup: str, label: str) -> None:
    assert page_label_of(markup) == label


LINKS = "".join(f'<li><a href="{name}">Page {label}</a></li>' for name, label in (("c0.xhtml#p7", "7"), ("c1.xhtml#p8", "8")))


@pytest.mark.parametrize(
    ("file", "text", "item"),
    [
        ("pages.xhtml", PAGE.format(name="", body=f'<nav epub:type="page-list" hidden=""><ol>{LINKS}</ol></nav>'), ""),
        (
            "map.xml",
            '<page-map><page name="7" href="c0.xhtml#p7"/><page name="8" href="c1.xhtml#p8"/></page-map>',
            '<item id="map" href="map.xml" media-type="application/oebps-page-map+xml"/>',
        ),
    ],
)
def test_a_list_of_pages_is_found_outside_the_navigation(file: str, text: str, item: str) -> None:
    found = labels(read("<p><a id='p7'/>One boat came home.</p>", {f"OPS/{file}": text}, item))
    assert (found["One boat came home."], found["It rained all night."], found["Nobody slept."]) == ("7", "7", "8")


@pytest.mark.parametrize(
    "mark",
    [
        '<span epub:type="pagebreak" title="Page {0}"/>',
        '<span role="doc-pagebreak" aria-label=" Page {0}. "/>',
        '<span epub:type="pagebreak" id="page_{0}"/>',
        '<span class="pagenum"><a id="Page_{0}"></a>[Pg {0}]</span>',
        '<span class="pagenum"><span class="ns">[p. </span>{0}<span class="ns">]</span></span>',
        '<span class="pageno" title="{0}"/>',
    ],
)
def test_a_page_break_in_other_marks_gives_the_page_and_is_no_text(mark: str) -> None:
    found = labels(read(f"<p>{mark.format(11)}One boat came. {mark.format(12)}Two boats left.</p>"))
    assert {text: label for text, label in found.items() if "boat" in text} == {"One boat came.": "11", "Two boats left.": "12"}


def test_a_sentence_after_a_page_break_within_a_word_is_on_the_page_after() -> None:
    found = labels(read('<p>One came. The har<span epub:type="pagebreak" title="5"/>bour is full. All slept.</p>'))
    assert (found["The harbour is full."], found["All slept."]) == ("", "5")


def test_a_page_break_as_a_block_ends_no_block_around_it() -> None:
    mark = '<div epub:type="pagebreak" title="5"></div>'
    book = read(f'<div epub:type="footnotes"><p>One note.</p>{mark}<p>Another note.</p></div>')
    assert texts(book, Kind.FOOTNOTE) == ["One note.", "Another note."]


def test_an_element_for_page_breaks_in_print_is_no_page_number() -> None:
    assert "Boats lie here." in texts(read('<div class="page-break"><p>Boats lie here.</p></div>'))


@pytest.mark.parametrize(
    ("call", "note"),
    [
        ('<sup><a href="#n1">1</a></sup>', '<p id="n1">1. A gull is a bird.</p>'),
        ('<a href="#n1"><sup>1</sup></a>', '<p><a id="n1"></a><a href="#c1">1</a> A gull is a bird.</p>'),
        ('<a id="c1" href="#n1">[1]</a>', '<div id="n1"><p>[1] A gull is a bird.</p></div>'),
        ('<a id="c1" class="up" href="#n1">1</a>', '<p id="n1">A gull is a bird. <a href="#c1">Back</a></p>'),
        ('<sup><a href="#n1">*</a></sup>', '<ol><li id="n1">A gull is a bird.</li></ol>'),
        ('<a epub:type="noteref" href="#n1">1</a>', '<p id="n1">A gull is a bird.</p>'),
        ('<sup><a href="#n1">1</a></sup>', '<aside epub:type="footnote" id="n1"><p>A gull is a bird.</p></aside>'),
    ],
)
def test_a_note_and_its_call_are_known_by_their_link(call: str, note: str) -> None:
    book = read(f"<p>A gull flies.{call} It sleeps.</p>{note}")
    assert texts(book)[:2] == ["A gull flies.", "It sleeps."]
    assert any("A gull is a bird." in text for text in texts(book, Kind.FOOTNOTE))
    assert not any("bird" in text for text in texts(book))


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('<p>See part <a href="#s2">2</a> of it.</p><h2 id="s2">2 Gulls</h2>', "See part 2 of it."),
        ('<p>See figure <a href="#f2">2</a> of it.</p><p id="f2">2 gulls fly.</p>', "See figure 2 of it."),
        ('<p>It flies [<a href="#b2">2</a>] far.</p><p id="b2" class="bibitem">[2] Marsh: Gulls.</p>', "It flies [2] far."),
    ],
)
def test_a_link_that_is_no_call_of_a_note_stays(body: str, text: str) -> None:
    assert text in texts(read(body))


@pytest.mark.parametrize(
    ("body", "quotable"),
    [
        (f'<p>The speed is <img src="{DOT}"/> today.</p>', False),
        (f'<p>The sign for it is <img src="{DOT}"/></p>', False),
        (f'<p><img src="{DOT}" alt="T"/>he speed is high.</p>', False),
        ('<p>The speed <svg xmlns="http://www.w3.org/2000/svg"><rect/></svg> is high.</p>', False),
        (f'<p><img src="{DOT}"/> The speed is high.</p>', True),
        (f'<p>The speed is high.</p><p><img src="{DOT}"/></p>', True),
        (f'<p>The speed is high. <img src="{DOT}"/></p>', True),
    ],
)
def test_a_sentence_with_a_picture_in_it_is_not_quotable(body: str, quotable: bool) -> None:
    first = next(each for each in read(body).sentences if each.kind is Kind.SENTENCE)
    assert first.quotable is quotable


def test_a_picture_that_cannot_be_drawn_leaves_no_word() -> None:
    assert texts(read('<p>Boats lie here. <img src="lost.png" alt="A boat"/></p>'))[0] == "Boats lie here."


def test_a_broken_picture_does_not_stop_a_book() -> None:
    picture = b"GIF89a\x01\x00\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00".decode("latin-1")
    book = read('<p>Boats lie here.</p><p><img src="i.gif" alt=""/></p>', {"OPS/i.gif": picture})
    assert texts(book)[0] == "Boats lie here."
