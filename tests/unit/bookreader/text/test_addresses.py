from dataclasses import replace

import pytest

from bookreader.book import BookId, Chapter, Kind, Sentence
from bookreader.pdf.addresses import Edition, sentences_of
from bookreader.pdf.kinds import TextBlock
from bookreader.pdf.model import line_of
from bookreader.pdf.prose import vocabulary_of
from tests.support.marks import LEFT, a_flow

CHAPTER = Chapter(0, "I", "The Harbour")
EDITION = Edition(BookId("book"), "v1", ["xiv", "xv"], vocabulary_of([]), {})


def block(*lines: str, kind: Kind = Kind.SENTENCE, chapter: Chapter = CHAPTER, opens: bool = False, page: int = 0) -> TextBlock:
    return TextBlock(kind, chapter, ("The Quay",), tuple(a_flow(*lines, page=page)), opens)


def addressed(*blocks: TextBlock) -> list[Sentence]:
    return [sentence for sentence, _ in sentences_of([(block, "") for block in blocks], EDITION)]


def test_a_sentence_carries_all_of_its_address() -> None:
    first, second = addressed(block("It rained. Nobody", "came."))

    assert (first.text, second.text) == ("It rained.", "Nobody came.")
    assert second.address.chapter == CHAPTER
    assert second.address.section_path == ("The Quay",)
    assert (second.address.paragraph, second.address.sentence) == (0, 1)
    assert second.address.span == (11, 23)
    assert [place.page_label for place in second.address.places] == ["xiv"]
    assert len(second.address.places[0].boxes) == 2


def test_neighbours_are_those_of_the_paragraph() -> None:
    first, second, third = addressed(block("It rained. Nobody came."), block("It snowed."))

    assert (first.prev_id, first.next_id) == (None, second.id)
    assert (second.prev_id, second.next_id) == (first.id, None)
    assert (third.prev_id, third.next_id) == (None, None)


@pytest.mark.parametrize(
    ("text", "quotable"),
    [
        ("The func6on is old.", False),
        ("He wrote the le@er.", False),
        ("The web2py(s), log4j, AT&T and H2O.", True),
        ("The boats are old,", False),
        ("⁸ The boats are old.", False),
        ("The boats‡ are old.", False),
        ("1⁷ See the boats.", False),
        ("The boats of version 2.1", False),
        ("3The boats are old.", False),
        ("Sec. 5.", False),
        ("The boats k3 g6 r4 v5 are old.", False),
        ("The boats (see the list.", False),
        ("The boats) are old, and nobody came.", False),
        ("The boats (of the town (or city)) lay there.", True),
    ],
)
def test_a_sentence_that_is_printed_otherwise_or_does_not_end_is_not_quoted(text: str, quotable: bool) -> None:
    [sentence] = addressed(block(text))

    assert sentence.quotable is quotable


@pytest.mark.parametrize(("faces", "quotable"), [("cttt", True), ("ttcc", False), ("tccc", True)])
def test_only_a_name_in_a_face_of_its_own_may_begin_small(faces: str, quotable: bool) -> None:
    [line] = a_flow("sort reads old files.")
    tokens = [each._replace(style=each.style._replace(font=face)) for each, face in zip(line.line.tokens, faces, strict=True)]
    own = replace(line, line=line_of(0, tokens, line.line.baseline))

    [sentence] = addressed(replace(block("x"), lines=(own,)))

    assert sentence.quotable is quotable


@pytest.mark.parametrize(("after", "quotable"), [(1, True), (3, False)])
def test_words_far_apart_on_a_line_are_quoted_only_after_an_items_number(after: int, quotable: bool) -> None:
    [line] = a_flow("1. The boats lay here.")
    tokens = [
        each._replace(x0=each.x0 + 30, x1=each.x1 + 30) if n >= after else each for n, each in enumerate(line.line.tokens)
    ]

    sentences = addressed(replace(block("x"), lines=(replace(line, line=line_of(0, tokens, line.line.baseline)),)))

    assert sentences[-1].quotable is quotable


@pytest.mark.parametrize("kind", list(Kind))
def test_each_kind_is_counted_for_itself(kind: Kind) -> None:
    others = [block("It rained.", kind=other) for other in Kind if other is not kind]

    *_, first, second = addressed(*others, block("It snowed.", kind=kind), block("It froze.", kind=kind))

    assert (first.address.paragraph, second.address.paragraph) == (0, 1)


def test_paragraphs_are_counted_from_0_in_every_chapter() -> None:
    blocks = [block("It rained."), block("It snowed."), block("It froze.", chapter=Chapter(1, "II", None))]

    assert [each.address.paragraph for each in addressed(*blocks)] == [0, 1, 0]


def test_ids_are_made_from_the_address_alone() -> None:
    blocks = [block("It rained. Nobody came."), block("It snowed.", kind=Kind.FOOTNOTE)]

    ids = [each.id for each in addressed(*blocks)]

    assert ids == [each.id for each in addressed(*blocks)]
    assert len(set(ids)) == 3
    assert all(each.startswith("v1-") for each in ids)


def test_a_block_without_words_is_no_paragraph() -> None:
    assert [each.address.paragraph for each in addressed(block("^1"), block("It rained."))] == [0]


def test_only_what_follows_a_heading_is_an_opening() -> None:
    opening, other = addressed(block("THE BOATS lay there.", opens=True), block("THE BOATS lay there."))

    assert opening.text == "The boats lay there."
    assert other.text == "THE BOATS lay there."


@pytest.mark.parametrize(
    ("line", "text", "begin"),
    [("• The boats", "The boats", 10), ("▪The boats", "The boats", 5), ("• boats • lamps", "• boats • lamps", 0)],
)
def test_the_bullet_before_an_item_is_no_part_of_its_text_or_its_box(line: str, text: str, begin: float) -> None:
    [item] = addressed(block(line))

    assert item.text == text
    assert item.address.places[0].boxes[0].x0 == LEFT + begin
