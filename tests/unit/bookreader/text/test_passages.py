"""Passages and the places of their sentences."""

from bookreader.book import BookId, Chapter
from bookreader.text.passages import LONGEST_ROW, code, of_parts, prose, sentences_at, table


def test_parts_stand_one_below_the_other_code_is_parted_at_blank_lines_and_a_long_row_into_sentences() -> None:
    assert of_parts(["One", " ", "Two"]) == of_parts(["One", "Two"])
    assert of_parts(["One", "Two"]).spans == ((0, 3), (4, 7))

    passage = code("def f():\n\treturn 1\n\n\nf()\n")
    assert [passage.text[start:end] for start, end in passage.spans] == ["def f():\n    return 1", "f()"]

    row = "Name: x; Text: " + "This is a sentence. " * (LONGEST_ROW // 19 + 1)
    assert len(table([row.strip()]).spans) > 10


def test_sentences_know_their_neighbours_in_the_passage_alone() -> None:
    at = ((BookId("b"), "v"), Chapter(2, None, "T"), ("S",), 4)

    one, two = sentences_at(prose("One here. Two here."), *at, url="/u#s")

    assert (one.id, one.prev_id, one.next_id) == ("v-003-p0004-s000", None, two.id)
    assert (two.address.url, two.address.places, two.address.span) == ("/u#s", (), (10, 19))
