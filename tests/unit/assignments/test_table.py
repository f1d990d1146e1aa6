"""Tables for spreadsheets, which run nothing of them."""

import csv
import io

import pytest

from chapterverse.assignments.overview import csv_table


@pytest.mark.parametrize(
    ("cell", "harmless"),
    [
        *(
            (cell, f"'{cell}")
            for cell in ("=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "  =1+1", "\x0b=1", "\x1c+1", "\uff1d1+1")
        ),
        ("x;=1+1", "x;'=1+1"),
        ("x|@SUM(A1)", "x|'@SUM(A1)"),
        ('x;"=1+1"', 'x;\'"=1+1"'),
        ("line\n-1", "line\n'-1"),
        ("x\t=1", "x\t'=1"),
        ("A well-known point, and 1 + 1 = 2; good.", "A well-known point, and 1 + 1 = 2; good."),
    ],
)
def test_what_a_spreadsheet_would_run_gets_an_apostrophe(cell: str, harmless: str) -> None:
    [row] = csv.reader(io.StringIO(csv_table([(cell, 1, "Fine.")]).decode("utf-8-sig"), newline=""))

    assert row == [harmless, "1", "Fine."]
