"""A teacher's rubric is read from lines and from tables, and written as a table that is read the same."""

import pytest

from chapterverse.essays.task import BUILT_IN, Criterion, read_rubric, rubric_table

TABLE = "Criterion\tPoints\tgood\tpoor\nStructure\t20\tclear\tno order\nStyle\t10"


def test_points_of_a_table_are_weights_and_other_cells_levels() -> None:
    assert read_rubric(TABLE) == (
        Criterion("Structure", 20, ("good: clear", "poor: no order")),
        Criterion("Style", 10),
    )


@pytest.mark.parametrize("text", [TABLE, "Is brave (3 points)\nIs kind", "Style\t\tclear\tvague", *BUILT_IN])
def test_a_rubric_that_was_written_as_a_table_is_read_the_same(text: str) -> None:
    rubric = read_rubric(text)

    assert rubric
    assert read_rubric(rubric_table(rubric)) == rubric
