from bookreader.book import Chapter, Kind
from bookreader.pdf.kinds import FRONT, TextBlock, renumbered
from tests.support.marks import a_flow
from tests.support.press import Design
from tests.support.reading import of_kind, prose, read, told, with_words
from tests.support.typeset import chapter, figure, page, para, section, title_page


def block(chapter: Chapter) -> TextBlock:
    return TextBlock(Kind.SENTENCE, chapter, (), tuple(a_flow("It rained.")))


def test_chapters_without_text_are_not_counted() -> None:
    blocks = [block(FRONT), block(Chapter(2, "I", None)), block(Chapter(2, "I", None)), block(Chapter(5, "II", None))]

    assert [each.chapter.index for each in renumbered(blocks)] == [-1, 0, 0, 1]


TWO_CHAPTERS = [chapter("I", "The Harbour"), *prose(10), chapter("II", "The River"), *prose(10, 1)]


def test_lines_of_the_title_page_are_no_sentences() -> None:
    book = read(title_page("A History of Boats", "by a Friend"), *TWO_CHAPTERS)

    assert with_words(book, "A History of Boats") == []
    assert with_words(book, "by a Friend") == []


def test_what_a_document_states_above_its_first_heading_is_text() -> None:
    stated = "Office hours: Mondays, room 210"

    book = read(para("by a Friend"), para(stated), section("The Harbour"), *prose(6), section("The River"), *prose(6, 1))

    assert [each.kind for each in with_words(book, stated)] == [Kind.SENTENCE]
    assert of_kind(book, Kind.CONTENTS) == ["by a Friend"]


def test_ornaments_between_paragraphs_are_no_sentences() -> None:
    book = read(*prose(6, 1), para("* * *", flush=True), *prose(6, 2), design=Design(space=6, indent=0))

    assert of_kind(book) == [text for paragraph in [*told(6, 1), *told(6, 2)] for text in paragraph]


def test_notes_and_captions_stand_in_the_chapter_of_their_page() -> None:
    noted = para("The harbour froze.^1", notes={"1": "In the winter of that year."})
    first = [chapter("I", "The Harbour"), *prose(8), noted, figure("Figure 1. The quay."), *prose(2, 1)]

    book = read(*first, chapter("II", "The River"), *prose(8, 2))

    extra = [each for each in book.sentences if each.kind in (Kind.FOOTNOTE, Kind.CAPTION)]
    assert {each.kind for each in extra} == {Kind.FOOTNOTE, Kind.CAPTION}
    assert {each.address.chapter.title for each in extra} == {"The Harbour"}


def test_a_section_of_notes_at_the_end_holds_footnotes() -> None:
    notes = [para(f"{i}. The keeper of letters {'abcdefgh'[i]} says as much.") for i in range(1, 8)]

    book = read(*TWO_CHAPTERS, chapter(None, "Notes"), *notes)

    assert {each.kind for each in with_words(book, "The keeper of letters")} == {Kind.FOOTNOTE}


def test_a_part_title_page_alone_is_no_chapter() -> None:
    parts = [title_page("PART ONE"), *TWO_CHAPTERS]

    book = read(
        *parts, title_page("PART TWO"), chapter("III", "The Lamps"), *prose(10, 2), chapter("IV", "The Mill"), *prose(10, 3)
    )

    assert [each.number for each in book.chapters] == ["I", "II", "III", "IV"]


def test_a_dedication_is_kept_out_but_a_preface_is_kept() -> None:
    preface = [section("Preface"), para("This book was written in the evenings of one winter, for those who remember.")]

    book = read(page("To my brother"), *preface, *TWO_CHAPTERS)

    assert [each.kind for each in with_words(book, "To my brother")] == [Kind.CONTENTS]
    assert len(with_words(book, "This book was written")) == 1
