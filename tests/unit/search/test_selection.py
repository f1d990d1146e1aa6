"""Selected text is found again in the chunk that it stands in."""

import pytest

from chapterverse.search.words import holds

TEXT = "A **node** is a process.\nIt talks to others by [topics](topics.md#t), as `ros2 topic list` shows: “one–to–many”."


@pytest.mark.parametrize(
    "selected",
    [
        "A node is a process.",
        "node  is\n\n a\tprocess",
        "a **NODE** is",
        "talks to others by topics, as ros2 topic list shows",
        "ocess. It talks to others by to",
        'shows: "one-to-many"',
        "<p>is a <em>process</em></p>",
        "Node",
    ],
)
def test_blanks_markup_and_punctuation_do_not_count(selected: str) -> None:
    assert holds(TEXT, selected)


@pytest.mark.parametrize("selected", ["", " …* ", "nod", "a node talks", "process it listens to others"])
def test_what_is_not_there_is_not_held(selected: str) -> None:
    assert not holds(TEXT, selected)


def test_a_formula_with_less_than_is_no_tag() -> None:
    assert holds("If a < b and c > d then x.", "a < b and c > d")
