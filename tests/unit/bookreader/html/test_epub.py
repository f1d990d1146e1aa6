"""E-books become PDFs whose sentences have the chapters of the navigation and the pages of the page list."""

import io
import zipfile
from dataclasses import astuple

import pymupdf
import pytest

from bookreader.book import DEFAULT_LIMITS, Book, BookId, Kind
from bookreader.errors import BadFile
from bookreader.html.epub import pdf_of, with_letters_of_text
from bookreader.html.files import is_epub, is_folder, page_label_of
from bookreader.pdf.ebook import as_in_file, ebook_marks
from bookreader.pdf.parse import parse_book
from tests.support.epubs import PAGE, epub, page_break
from tests.support.marks import a_line

FILLER = " ".join(f"The tide of day {n} came slowly over the flat sand and went out again before noon." for n in range(90))
CHAPTERS = [
    ("The Harbour", f"<p>{page_break('7')}The first boat came home.</p><p>{FILLER}</p>"),
    ("The Storm", f"<p>{FILLER}</p><p>The mast {page_break('9')}broke in the night. Nobody was hurt.</p><p>{FILLER}</p>"),
    ("The Calm", f"<p>{page_break('12')}Then the sea lay still.</p>"),
]
PAGES = [(0, "7"), (1, "9"), (2, "12")]
BOOK = epub(CHAPTERS, PAGES)
MATH = '<math xmlns="http://www.w3.org/1998/Math/MathML">{}</math>'
POWER, HALF = MATH.format("<msup><mi>x</mi><mn>2</mn></msup>"), MATH.format("<mfrac><mi>a</mi><mi>b</mi></mfrac>")
STYLE = "<style>.a { text-transform: uppercase } .b { font: italic small-caps 12pt serif }</style>"
SOME_TIDES = FILLER[: FILLER.index("The tide of day 25")]
STORM = ("The Storm", f"<p>{SOME_TIDES}</p><p>It rained <a id='p8'/>all night. Nobody slept.</p><p>{SOME_TIDES}</p>")
DOT = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
LINKS = "".join(f'<li><a href="{name}">Page {label}</a></li>' for name, label in (("c0.xhtml#p7", "7"), ("c1.xhtml#p8", "8")))


def read(data: bytes) -> Book:
    return parse_book(pdf_of(data, DEFAULT_LIMITS), BookId("ships"))


def refusal(data: bytes) -> BadFile:
    with pytest.raises(BadFile) as caught:
        read(data)
    return caught.value


@pytest.fixture(scope="module")
def book() -> Book:
    return read(BOOK)


def where(book: Book, text: str) -> tuple[str | None, list[str]]:
    """Chapter and page labels of the first sentence with that text."""
    at = next(sentence.address for sentence in book.sentences if sentence.text == text)
    return at.chapter.title, [place.page_label for place in at.places]


def test_the_page_list_gives_the_printed_pages_from_their_breaks_on_and_its_numbers_are_no_text(book: Book) -> None:
    tide = [sentence for sentence in book.sentences if sentence.text.startswith("The tide of day 0 ")]

    assert where(book, "The first boat came home.") == ("The Harbour", ["7"])
    assert where(book, "The mast broke in the night.") == ("The Storm", ["7"])  # the break is within it
    assert where(book, "Nobody was hurt.") == ("The Storm", ["9"])
    assert where(book, "Then the sea lay still.") == ("The Calm", ["12"])
    assert [sentence.address.places[0].page_label for sentence in tide] == ["7", "7", "9"]
    assert book.report.label_source == "pages"
    assert not any("Pg" in sentence.text for sentence in book.sentences)


def test_without_a_page_list_the_page_breaks_give_the_pages_and_without_either_there_are_none() -> None:
    plain = read(epub(CHAPTERS))
    assert where(plain, "Nobody was hurt.") == ("The Storm", ["9"])
    assert plain.report.label_source == "pages"

    plain = read(epub([(title, f"<p>{FILLER}</p>") for title, _ in CHAPTERS]))
    assert {place.page_label for each in plain.sentences for place in each.address.places} == {""}
    assert plain.report.label_source == "none"


def test_the_sentences_can_be_shown_on_the_pages(book: Book) -> None:
    document = pymupdf.open(stream=pdf_of(BOOK, DEFAULT_LIMITS))
    calm = next(sentence for sentence in book.sentences if sentence.text == "Then the sea lay still.")
    (place,) = calm.address.places
    shown = document[place.page_index].get_textbox(astuple(place.boxes[0]))
    assert " ".join(shown.split()) == calm.text


def test_only_e_books_are_e_books_and_have_their_marks() -> None:
    assert is_epub(BOOK)
    assert not is_epub(b"%PDF-1.7 mimetypeapplication/epub+zip")
    marks = ebook_marks(pymupdf.open(stream=pdf_of(epub(CHAPTERS), DEFAULT_LIMITS)))
    assert marks is not None

    document = pymupdf.open()
    document.new_page()
    assert ebook_marks(document) is None


PROTECTED = """<encryption><EncryptedData><EncryptionMethod Algorithm="{algorithm}"/><CipherData>
<CipherReference URI="OPS/{file}"/></CipherData></EncryptedData></encryption>"""


def test_a_copy_protected_book_is_refused_and_one_with_hidden_fonts_is_read() -> None:
    def encrypted(algorithm: str, file: str) -> bytes:
        return epub(CHAPTERS, more={"META-INF/encryption.xml": PROTECTED.format(algorithm=algorithm, file=file)})

    assert refusal(encrypted("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "c0.xhtml")).reason == "encrypted"
    assert len(read(encrypted("http://www.idpf.org/2008/embedding", "font.otf")).chapters) == 3


@pytest.mark.parametrize(
    ("data", "reason", "said"),
    [
        *((cut, "damaged", "The e-book is da") for cut in (BOOK[:-200], BOOK[:400], b"PK\x03\x04mimetypeapplication/epub+zip")),
        (epub([("Deep", "<span>" * 50_000)]), "too_complex", "OPS/c0.xhtml is nested"),
        (epub([("", "<p><img src='a.png' alt=''/></p>")]), "no_text", "This e-book cons"),
    ],
)
def test_what_cannot_be_read_is_refused_as_an_e_book(data: bytes, reason: str, said: str) -> None:
    refused = refusal(data)

    assert (refused.reason, said in str(refused), "zip" in str(refused)) == (reason, True, False)


def repacked(data: bytes, *, without: str = "") -> bytes:
    """The e-book packed again, compressed and in alphabetical order, without the file of that name."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new:
        for name in sorted(set(old.namelist()) - {without}):
            new.writestr(name, old.read(name))
    return out.getvalue()


@pytest.mark.parametrize("without", ["", "mimetype"])
def test_a_book_packed_again_is_still_an_e_book(without: str) -> None:
    again = repacked(BOOK, without=without)
    assert is_epub(again)
    assert not is_folder(again)
    assert len(read(again).chapters) == 3


def sentences(book: Book, kind: Kind = Kind.SENTENCE) -> list[str]:
    return [sentence.text for sentence in book.sentences if sentence.kind is kind]


def of_body(body: str, **more: str) -> Book:
    """A book with one more chapter, which has that body."""
    return read(epub([*CHAPTERS[:2], ("The Gull", body)], more=more))


def test_no_word_stands_for_no_content_before_or_after_a_text() -> None:
    style = "p::before { content: normal } p { align-content: normal } q::after { content: none }"

    assert with_letters_of_text(style) == 'p::before { content: "" } p { align-content: normal } q::after { content: "" }'


BODIES = {
    "bullets and numbers of items are no text": (
        "<ul><li>A gull eats fish.</li></ul><ol start='4'><li><p>It sleeps.</p></li><li>It flies.</li></ol>",
        ["A gull eats fish.", "It sleeps.", "It flies."],
    ),
    "blocks without space between them": (
        "<div>Sea and sand</div><div>Wind and rain</div><dl><dt>Gull</dt><dd>A bird.</dd></dl>",
        ["Sea and sand", "Wind and rain", "Gull", "A bird."],
    ),
    "text after an inner block": ("<div><p>A gull flies.</p>It cries.</div>", ["A gull flies.", "It cries."]),
    "letters of the file, not of its style": (
        f"{STYLE}<p class='a'>A gull flies.</p><p style='font-variant: small-caps'>It cries.</p><p class='b'>It sleeps.</p>",
        ["A gull flies.", "It cries.", "It sleeps."],
    ),
    "the call of a note is no text": (
        "<p>A gull flies over the bay.<a epub:type='noteref' href='#n1'>31</a> It sleeps.</p>",
        ["A gull flies over the bay.", "It sleeps."],
    ),
    "formulas in letters": (f"<p>The tide is {POWER} or {HALF} today.</p>", ["The tide is x² or a/b today."]),
    "hints where a word may be divided": (
        "<p>The sea&#173;weed and the drift\u00adwood are in the har&shy;bour.</p>",
        ["The seaweed and the driftwood are in the harbour."],
    ),
}


@pytest.mark.parametrize(("body", "read_as"), BODIES.values(), ids=BODIES)
def test_text_is_what_somebody_reads(body: str, read_as: list[str]) -> None:
    assert sentences(of_body(body))[-len(read_as) :] == read_as


def test_what_is_no_prose_has_its_kind_and_code_is_whole_and_a_formula_of_signs_not_quotable() -> None:
    body = (
        "<p>A gull flies.</p><pre>fly(gull)</pre><table><tr><td>Gull</td><td>Bird</td></tr></table>"
        "<figure><figcaption>A gull in flight.</figcaption></figure><aside epub:type='footnote'><p>Not a duck.</p></aside>"
        "<section epub:type='bibliography'><p>Marsh: Gulls.</p></section>"
    )
    book = of_body(body)
    found = {kind: sentences(book, kind)[-1] for kind in (Kind.CODE, Kind.CAPTION, Kind.FOOTNOTE, Kind.REFERENCE)}
    assert [*found.values()] == ["fly(gull)", "A gull in flight.", "Not a duck.", "Marsh: Gulls."]
    assert sentences(book, Kind.TABLE)
    assert sentences(book)[-1] == "A gull flies."

    code = sentences(of_body(f"<pre>{'fly the gull ' * 30}</pre>"), Kind.CODE)
    assert " ".join(code).count("gull") == 30

    root = MATH.format("<msqrt><mi>a</mi><mo>+</mo><mi>b</mi></msqrt>")
    *_, formula, plain = of_body(f"<p>The tide is {root} today. The sea is calm.</p>").sentences
    assert (formula.quotable, plain.quotable) == (False, True)


def test_headings_and_marks_of_the_navigation_are_read_with_what_it_lacks() -> None:
    book = of_body("<h2>Its Food</h2><p>A gull eats fish.</p>")
    last = book.sentences[-1]
    assert (last.text, last.address.chapter.title) == ("A gull eats fish.", "The Gull")
    assert last.address.section_path == ("Its Food",)
    assert "Its Food" not in sentences(book)

    book = read(epub([*CHAPTERS[:2], ("<span>IV</span>: <i>The Gull</i> &amp; Me", f"<p>{FILLER}</p>")]))
    assert [(chapter.number, chapter.title) for chapter in book.chapters][-1] == ("IV", "The Gull & Me")

    entries = [f'<li><a href="c{n}.xhtml">{title}</a></li>' for n, (title, _) in enumerate(CHAPTERS)]
    part = f"<li><span>Weather</span><ol>{''.join(entries[1:])}</ol></li>"
    toc = PAGE.format(name="Contents", body=f'<nav epub:type="toc"><ol>{entries[0]}{part}</ol></nav>')
    book = read(epub(CHAPTERS, more={"OPS/nav.xhtml": toc}))
    assert [chapter.title for chapter in book.chapters] == ["The Harbour", "The Storm", "The Calm"]


def test_chapters_with_nothing_but_a_number_are_no_part_of_the_contents_before_them() -> None:
    rows = "".join(f"<tr><td>Chapter {n}</td></tr>" for n in (1, 2, 3))
    chapters = [(f"Chapter {n}", f"<p>{FILLER}</p>") for n in (1, 2, 3)]

    book = read(epub([("Contents", f"<table>{rows}</table>"), *chapters]))

    assert [chapter.number for chapter in book.chapters] == ["1", "2", "3"]
    assert len(sentences(book)) == 3 * 90
    assert set(sentences(book, Kind.CONTENTS)) == {"Chapter 1", "Chapter 2", "Chapter 3"}

    words = "A loop goes on until its test fails at last."
    book = read(epub([("C", f"<p>{FILLER}</p><h3>Keywords</h3><p>{words}</p>"), ("Imprint", f"<p>{words} {words * 9}</p>")]))
    assert words in sentences(book)
    assert len(sentences(book, Kind.CONTENTS)) == 1  # not one for every line


def test_pages_that_no_file_has_and_entries_that_lead_nowhere_are_left_out() -> None:
    book = read(repacked(BOOK, without="OPS/c2.xhtml"))
    assert [chapter.title for chapter in book.chapters] == ["The Harbour", "The Storm"]
    assert not any("ERROR" in text for text in sentences(book))

    body = f"<p>A gull flies.</p><p>{FILLER}</p>"
    book = read(epub([("The Gull", body)], [(0, "5")]))
    assert {place.page_label for each in book.sentences for place in each.address.places} == {""}


def test_hyphens_of_the_author_stay() -> None:
    text = "The sea-green boats of the grey-haired men were paint-ed once. " * 30
    found = sentences(of_body(f"<p>{text}</p>"))[-30:]
    assert set(found) == {"The sea-green boats of the grey-haired men were paint-ed once."}

    assert as_in_file(a_line("sea\u00adgreen")).text == "sea-green"


def read_body(body: str, more: dict[str, str] | None = None) -> Book:
    """A book whose first chapter has that body, and further files."""
    return read(epub([("The Harbour", f"{body}<p>{SOME_TIDES}</p>"), STORM], more=more))


def labels(book: Book) -> dict[str, str]:
    """The page of each sentence but the filler."""
    return {each.text: each.address.places[0].page_label for each in book.sentences if "tide" not in each.text}


@pytest.mark.parametrize(
    ("markup", "label"),
    [("Page xii", "xii"), ("p. 7", "7"), (" [Pg 12] ", "12"), ("(iv).", "iv"), ("12a", "12a"), ("S. 9", "9"), ("p3", "3")],
)
def test_the_label_of_a_page_is_its_number(markup: str, label: str) -> None:
    assert page_label_of(markup) == label


def test_a_list_of_pages_is_found_outside_the_navigation() -> None:
    pages = PAGE.format(name="", body=f'<nav epub:type="page-list" hidden=""><ol>{LINKS}</ol></nav>')
    found = labels(read_body("<p><a id='p7'/>One boat came home.</p>", {"OPS/pages.xhtml": pages}))
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
    found = labels(read_body(f"<p>{mark.format(11)}One boat came. {mark.format(12)}Two boats left.</p>"))
    assert {text: label for text, label in found.items() if "boat" in text} == {"One boat came.": "11", "Two boats left.": "12"}


def test_page_breaks_within_a_word_and_as_blocks_are_no_text_and_one_in_print_is_no_page_number() -> None:
    mark = '<div epub:type="pagebreak" title="5"></div>'
    book = read_body(f'<div epub:type="footnotes"><p>One note.</p>{mark}<p>Another note.</p></div>')
    assert sentences(book, Kind.FOOTNOTE) == ["One note.", "Another note."]
    assert "Boats lie here." in sentences(read_body('<div class="page-break"><p>Boats lie here.</p></div>'))

    found = labels(read_body('<p>One came. The har<span epub:type="pagebreak" title="5"/>bour is full. All slept.</p>'))
    assert (found["The harbour is full."], found["All slept."]) == ("", "5")


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
    book = read_body(f"<p>A gull flies.{call} It sleeps.</p>{note}")
    assert sentences(book)[:2] == ["A gull flies.", "It sleeps."]
    assert any("A gull is a bird." in text for text in sentences(book, Kind.FOOTNOTE))
    assert not any("bird" in text for text in sentences(book))


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ('<p>See part <a href="#s2">2</a> of it.</p><h2 id="s2">2 Gulls</h2>', "See part 2 of it."),
        ('<p>See figure <a href="#f2">2</a> of it.</p><p id="f2">2 gulls fly.</p>', "See figure 2 of it."),
        ('<p>It flies [<a href="#b2">2</a>] far.</p><p id="b2" class="bibitem">[2] Marsh: Gulls.</p>', "It flies [2] far."),
    ],
)
def test_a_link_that_is_no_call_of_a_note_stays(body: str, text: str) -> None:
    assert text in sentences(read_body(body))


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
    first = next(each for each in read_body(body).sentences if each.kind is Kind.SENTENCE)
    assert first.quotable is quotable


def test_a_picture_that_is_broken_or_lost_stops_no_book_and_leaves_no_word() -> None:
    picture = b"GIF89a\x01\x00\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00".decode("latin-1")
    book = read_body('<p>Boats lie here.</p><p><img src="i.gif" alt=""/></p>', {"OPS/i.gif": picture})
    assert sentences(book)[0] == "Boats lie here."

    assert sentences(read_body('<p>Boats lie here. <img src="lost.png" alt="A boat"/></p>'))[0] == "Boats lie here."
