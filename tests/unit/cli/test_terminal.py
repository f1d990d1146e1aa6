import json

import pytest

from chapterverse.cli.terminal import print_json, print_line, print_table

ORDERS = "a\x1b[31mb\x9b2Jc\rd\x7f\x00"


def test_what_a_terminal_would_obey_is_replaced(capsys: pytest.CaptureFixture[str]) -> None:
    print_line(ORDERS)

    assert capsys.readouterr().out == "a\ufffd[31mb\ufffd2Jc\ufffdd\ufffd\ufffd\n"


def test_in_tables_too(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("book",), [("a\x1b[2J",)])

    assert capsys.readouterr().out == "a\ufffd[2J\n"


@pytest.mark.parametrize("text", ["naïve", "עברית", "😀\u200d👩", "two\nlines", "a\tb"])
def test_text_of_every_script_stays_as_it_is(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    print_line(text)

    assert capsys.readouterr().out == f"{text}\n"


def test_json_escapes_and_loses_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"title": ORDERS})

    printed = capsys.readouterr().out
    assert not [character for character in printed[:-1] if not character.isprintable()]
    assert json.loads(printed) == {"title": ORDERS}
