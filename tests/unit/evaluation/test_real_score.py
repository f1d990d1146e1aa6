"""The scorer of `make eval-real` on a page made by hand."""

from dataclasses import replace

import pytest

from scripts.eval.real import DATA, found_of, gold_of, read_gold
from scripts.eval.real_score import PROSE, Found, Gold, GoldPage, Score, normalised, score

PLACE = {"chapter_number": "2", "chapter_title": "Powers", "section": "Roots", "page_label": "21"}
OTHERS = (("code", "int main() { return 0; }"), ("heading", "2.1 Roots"))


def gold(text: str, **fields: object) -> Gold:
    return gold_of({**PLACE, "text": text, **fields}, normalised)


def found(text: str, **fields: object) -> Found:
    plain = Found(text, PROSE, True, (4,), "21", "2", "POWERS", ("2.1 Roots",), None)
    return replace(plain, **fields)


def scored(golds: list[Gold], sentences: list[Found]) -> Score:
    return score([GoldPage(4, tuple(golds), OTHERS)], sentences, normalised)


def test_a_sentence_as_printed_is_right_and_has_the_right_address() -> None:
    total = scored([gold("A power is a product.")], [found("A power is  a product.")])

    assert (total.gold, total.found, total.shown, total.right) == (1, 1, 1, 1)
    assert (total.addressed, total.chapter, total.section, total.labelled, total.label) == (1, 1, 1, 1, 1)


@pytest.mark.parametrize("wrong", [{"chapter_number": None}, {"chapter_number": "Chapter 2"}, {"chapter_title": "2 Powers"}])
def test_another_chapter_is_a_wrong_address(wrong: dict[str, str | None]) -> None:
    total = scored([gold("A power is a product.")], [found("A power is a product.", **wrong)])

    assert (total.right, total.addressed, total.chapter) == (1, 1, 0)


def test_a_flattened_superscript_is_altered_text() -> None:
    total = scored([gold("The function x² − 1 has two roots.")], [found("The function x2 − 1 has two roots.")])

    assert [(wrong.text, wrong.truth) for wrong in total.altered] == [
        ("The function x2 − 1 has two roots.", "The function x² − 1 has two roots.")
    ]
    assert (total.right, total.found, total.lost) == (0, 0, ["The function x² − 1 has two roots."])


def test_a_sentence_that_runs_into_a_table_is_altered() -> None:
    shown = "Do not set them in braces, this morning 124.3 68.3 the second test 82.50 103.46"

    total = scored([gold("Do not set them in braces, which will cause errors.")], [found(shown)])

    assert (len(total.altered), len(total.not_prose)) == (1, 0)


def test_a_piece_of_a_sentence_is_cut_not_altered() -> None:
    total = scored([gold("See Ref. [6] for more of them.")], [found("See Ref."), found("[6] for more of them.")])

    assert (len(total.cut), len(total.altered), total.found) == (2, 0, 0)


def test_code_and_headings_among_the_prose_are_no_prose() -> None:
    sentences = [found("int main() { return 0; } // and so on"), found("2.1 Roots"), found("int x = 1;", kind="code")]

    total = scored([gold("A power is a product.")], sentences)

    assert [wrong.truth for wrong in total.not_prose] == ["code", "heading"]


def test_a_formula_shown_as_a_picture_is_found_and_not_altered() -> None:
    total = scored([gold("The root √3 is a number.", holds_formula=True)], [found("The root 3 is a number.", quotable=False)])

    assert (total.found, total.pictures, total.needless, total.shown, len(total.altered)) == (1, 1, 0, 0, 0)


def test_prose_without_a_formula_needs_no_picture() -> None:
    total = scored([gold("A power is a product.")], [found("A power is a product.", quotable=False)])

    assert (total.found, total.pictures, total.needless) == (1, 1, 1)


def test_the_pieces_around_a_displayed_formula_are_right() -> None:
    parts = ["The notation", "means a sum."]

    total = scored([gold("The notation … means a sum.", parts=parts)], [found("The notation"), found("means a sum.")])

    assert (total.right, total.found) == (2, 1)


@pytest.mark.parametrize("shown", ["• by two points", "2. by two points", "by two points"])
def test_an_item_of_a_list_may_have_its_mark(shown: str) -> None:
    total = scored([gold("by two points", marker="2.")], [found(shown)])

    assert total.right == 1


def test_a_sentence_of_another_page_or_torn_by_the_excerpt_does_not_count() -> None:
    page = GoldPage(4, (gold("A power is a product."),), (("torn", "the axle of it all"),))

    total = score([page], [found("What else.", pages=(7,)), found("It was the axle of it all.")], normalised)

    assert (total.shown, total.gold) == (0, 1)


def test_without_pages_the_sentences_between_the_first_and_the_last_gold_one_count() -> None:
    page = GoldPage(None, (gold("First of all."), gold("Last of all.")), ())
    book = [found(text, pages=()) for text in ("Before.", "First of all.", "Torn of all", "Last of all.", "After.")]

    total = score([page], book, normalised)

    assert (total.shown, total.right) == (3, 2)


@pytest.mark.parametrize(
    ("printed", "extracted"),
    [("x² + 3x", "x²+3x"), ("where 𝑛 = 1, 2", "where n = 1,2"), ("and so on . . .", "and so on…"), ("f(x) = |x|", "f(x)=|x|")],
)
def test_the_width_of_spaces_beside_operators_does_not_matter(printed: str, extracted: str) -> None:
    assert normalised(printed) == normalised(extracted)


@pytest.mark.parametrize("other", ["x2 + 3x", "Put author names inthe", "Geometrie", "https://www. example.org"])
def test_what_a_reader_would_see_matters(other: str) -> None:
    assert normalised(other) not in {
        normalised(text) for text in ("x² + 3x", "Put author names in the", "Géometrie", "https://www.example.org")
    }


def test_of_a_scan_quotation_marks_and_dashes_are_alike() -> None:
    assert normalised("“It’s” – so", scanned=True) == normalised('"It\'s" - so', scanned=True)


def test_every_document_of_the_gold_set_can_be_read() -> None:
    documents = [read_gold(path) for path in sorted(DATA.glob("*.json"))]

    assert documents
    assert all(document.file.exists() and document.pages for document in documents)


def test_a_sentence_of_the_inspection_is_read_with_all_its_pages() -> None:
    place = {"page_index": 3, "page_label": "21", "boxes": [{"page": 3}, {"page": 4}], "paragraph_number": "14"}
    row = {
        "text": "A power.",
        "kind": "sentence",
        "quotable": True,
        "chapter_number": 2,
        "chapter": "Powers",
        "section_path": [],
    }

    read = found_of({**row, **place})

    assert (read.pages, read.chapter_number, read.paragraph_number) == ((3, 4), "2", "14")
