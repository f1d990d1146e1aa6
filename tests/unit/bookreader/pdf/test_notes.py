import pytest

from bookreader.book import Kind
from bookreader.pdf.frame import frames_of
from bookreader.pdf.model import PdfPage, line_of
from bookreader.pdf.page_artefacts import mark_of, part_notes
from bookreader.pdf.prose import without_call
from tests.support.marks import LEFT, TOP, a_line, a_page, a_style, a_token, full_line, full_lines, some_pages
from tests.support.press import Design, Element
from tests.support.prose import Author, plain
from tests.support.reading import of_kind, paragraphs_of, prose, read, the_one_with
from tests.support.typeset import para, quote, section

SMALL = a_style(8)
FOOT = TOP + 32 * 12
AUTHOR = Author(7)
TEXTS = [AUTHOR.paragraph(4) for _ in range(14)]
NOTED = [text.replace(". ", f".^{i + 1} ", 1) for i, text in enumerate(TEXTS)]
NOTES = [f"{Author(i).sentence()[:-1]}, as letter {'abcdefghijklmn'[i]} says." for i in range(14)]


def parted(pages: list[PdfPage]) -> list[PdfPage]:
    return part_notes(pages, frames_of(pages))


def notes(pages: list[PdfPage]) -> list[list[str]]:
    return [[line.text for line in page.notes] for page in parted(pages)]


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        ("^1 See below.", "1"),
        ("12. See below.", "12"),
        ("[3] See below.", "3"),
        ("* See below.", "*"),
        ("†See below.", "†"),
        ("^a See below.", "a"),
        *((text, None) for text in ("See below.", "a boat of 1850", "1850")),
    ],
)
def test_a_note_begins_with_a_mark(text: str, mark: str | None) -> None:
    assert mark_of(a_line(text)) == mark


def test_small_type_at_the_foot_is_a_note_where_it_begins_with_a_mark_and_tasks_and_quotations_are_none() -> None:
    froze = ["1 The harbour froze.", "It thawed."]
    pages = some_pages(6, [a_line(text, LEFT, FOOT + 10 * i, style=SMALL) for i, text in enumerate(froze)])
    assert notes(pages) == [froze] * 6
    assert parted(pages)[0].marks == {"1"}

    tasks = [a_line(f"{i}. Say why.", LEFT, FOOT + 12 * i, style=a_style(9.5)) for i in (1, 2)]
    assert notes(some_pages(6, tasks)) == [[]] * 6

    quoted = [full_line(TOP + (10 + i) * 12, LEFT + 20, 330, style=a_style(9)) for i in range(3)]
    pages = [a_page(*full_lines(9, page=i), *quoted, *full_lines(15, TOP + 14 * 12, page=i), index=i) for i in range(6)]
    assert notes(pages) == [[]] * 6


def test_a_papers_first_section_numbered_tasks_and_paragraphs_in_small_type_are_no_notes() -> None:
    first = [a_line("Anna Writer^1", 150, TOP), a_line("1. Introduction", LEFT, TOP + 40), *full_lines(27, TOP + 55)]
    pages = [a_page(*first), *some_pages(6)[1:]]
    assert notes(pages) == [[]] * 6

    fraction = [a_token("1", 0, 4, raised=True), a_token("2", 0, 4, glued=True, lowered=True)]
    halves = a_line("the half is", LEFT, TOP + 29 * 12)
    halves = line_of(0, [*halves.tokens, *(t._replace(x0=300, x1=304) for t in fraction)], halves.baseline)
    tasks = [a_line("1. Measure the harbour.", LEFT, FOOT + 20), a_line("2. Draw it.", LEFT, FOOT + 32)]
    headed = [a_line("the boats^1", LEFT, TOP + 30 * 12), a_line("Tasks", LEFT, FOOT, style=a_style(13)), *tasks]
    assert notes(some_pages(6, [halves, *tasks], headed, [a_line("1. Take x^1 there.", LEFT, FOOT + 20)])) == [[]] * 6

    noted = [*full_lines(30, page=1), a_line("the harbour froze.^1", LEFT, TOP + 30 * 12)]
    foot = [a_line("^1 See below.", LEFT, FOOT, style=SMALL)]
    small = [full_line(TOP + 10 * i, style=SMALL) for i in range(20)]
    numbered = a_line("(2) The boats lay in the harbour.", LEFT, TOP + 200, style=SMALL)
    first, second = parted([a_page(*small, numbered, index=0), a_page(*noted, *foot, index=1)])
    assert first.notes == ()
    assert [line.text for line in second.notes] == ["1 See below."]


def is_call(text: str, marks: str = "") -> bool:
    """Whether what is raised calls a note. marks: of the notes on the page."""
    before, _, raised = text.partition("^")
    token, words = a_token(raised, glued=True, raised=True), [a_token(word) for word in before.split()]
    return without_call(token, words, None, frozenset(marks)) is None


@pytest.mark.parametrize(
    "text", ["harbour^3", "harbour.”^12", "1850.^4", "froze^*", "froze^32,33", "(see above)^2", "(1848)^2"]
)
def test_a_raised_number_is_a_call(text: str) -> None:
    assert is_call(text)


@pytest.mark.parametrize("text", ["x^2", "10^3", "harbour^nd", "harbour^a", "km^2", "sin^2", "∞^2", "(x − y)^2", "(6)^2"])
def test_a_power_is_no_call(text: str) -> None:
    assert not is_call(text)


@pytest.mark.parametrize(("base", "exact"), [("al", False), ("ax", False), ("(cos", True), ("m/sec", True), ("x", True)])
def test_a_number_behind_a_short_word_stays_but_is_not_quoted(base: str, exact: bool) -> None:
    token = without_call(a_token("3", glued=True, raised=True), [a_token(base)], None, frozenset())

    assert token is not None
    assert token.exact is exact


def test_a_note_of_its_number_makes_a_call_of_what_is_raised_behind_a_year_but_not_behind_a_sign() -> None:
    assert is_call("1850^5", "5")
    assert not is_call("x^2", "2")


def test_a_mark_in_the_line_is_a_call_where_a_note_has_it_and_a_number_before_an_element_is_none() -> None:
    star, bracket = a_token("us.*"), a_token("[4]", glued=True)
    assert without_call(star, [], None, frozenset("*")).text == "us."
    assert without_call(star, [], None, frozenset()) is star
    assert without_call(bracket, [a_token("us.")], None, frozenset("4")) is None
    assert without_call(bracket, [a_token("us.")], None, frozenset()) is bracket

    raised = a_token("14", raised=True)
    assert without_call(raised, [a_token("of")], a_token("C", glued=True), frozenset())


def noted() -> list[Element]:
    """A note to the first sentence of every paragraph."""
    return [para(text, notes={str(i + 1): NOTES[i]}) for i, text in enumerate(NOTED)]


def test_calls_are_taken_out_of_the_sentences_and_their_notes_kept_on_the_same_page() -> None:
    annotated = read(*noted())
    assert [" ".join(paragraph) for paragraph in paragraphs_of(annotated)] == [plain(text) for text in TEXTS]

    found = [each for each in annotated.sentences if each.kind is Kind.FOOTNOTE]
    assert [each.text.lstrip("0123456789. ") for each in found] == [plain(note) for note in NOTES]
    assert all(each.address.places[0].boxes for each in found)
    assert len({each.address.paragraph_id for each in found}) == len(NOTES)

    note = the_one_with(annotated, "as letter f says")
    called = the_one_with(annotated, plain(TEXTS[5]).split(". ")[0])
    assert note.address.places[0].page_index == called.address.places[-1].page_index


def test_symbols_call_notes_too_and_a_call_before_a_stop_leaves_the_stop() -> None:
    text = "The harbour froze^*, and the boats^†; nobody knew why^‡."
    book = read(*prose(6), para(text, notes={"*": "One.", "†": "Two, as told.", "‡": "Three, as told."}), *prose(6, 2))
    assert the_one_with(book, "froze").text == "The harbour froze, and the boats; nobody knew why."
    assert the_one_with(book, "Two, as told").kind is Kind.FOOTNOTE


def test_notes_between_pages_or_in_columns_stay_out_of_the_text_and_calls_out_of_headings() -> None:
    story = prose(3, 8)
    text = " and ".join(["the boats lay in the harbour"] * 40)
    book = read(*story, para(f"Then {text}.^1 It ended.", notes={"1": "As told."}), *prose(8, 9), design=Design(bottom=300))
    sentence = the_one_with(book, "Then the boats")
    assert sentence.text == f"Then {text}."
    assert len(sentence.address.places) > 1

    book = read(*noted(), design=Design(width=470, columns=2))
    assert [" ".join(paragraph) for paragraph in paragraphs_of(book)] == [plain(text) for text in TEXTS]
    assert len(of_kind(book, Kind.FOOTNOTE)) == len(NOTES)

    book = read(section("Of Boats^1"), *prose(8), section("Of Lamps"), *prose(8, 1))
    assert [each.title for each in book.chapters] == ["Of Boats", "Of Lamps"]


@pytest.mark.parametrize("place", [2, 7], ids=["between paragraphs", "at the foot of a page, above the notes"])
def test_quotations_in_the_type_of_the_notes_stay_in_the_text(place: int) -> None:
    quoted, elements = Author(70).paragraph(3), noted()

    book = read(*elements[:place], quote(quoted, size=7.8), *elements[place:])

    assert plain(quoted) in [" ".join(paragraph) for paragraph in paragraphs_of(book)]
