from bookreader.pdf.flow import part_insets
from tests.support.marks import LEFT, TOP, a_line, full_lines


def test_rows_whose_cells_stand_under_each_other_are_a_table() -> None:
    text = full_lines(4)
    rows = [("Boats", "twelve", "old"), ("Lamps", "forty", "new"), ("Letters", "nine", "lost")]
    cells = [a_line(cell, LEFT + 90 * i, TOP + 60 + 12 * n) for n, row in enumerate(rows) for i, cell in enumerate(row)]

    inset = part_insets([*text, *cells])

    assert [cell for row in inset.rows for cell in row] == cells
    assert inset.text == tuple(text)


def test_two_words_on_one_line_are_no_table() -> None:
    lines = [
        *full_lines(2),
        a_line("It rained", LEFT, TOP + 24),
        a_line("all day.", LEFT + 80, TOP + 24),
        *full_lines(2, TOP + 36),
    ]

    assert part_insets(lines).rows == ()
