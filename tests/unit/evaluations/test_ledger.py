"""The ledger of figures against a repository made here: what it must find, and what it must let pass."""

import csv
import hashlib
import subprocess
from dataclasses import asdict, fields, replace
from io import StringIO
from pathlib import Path

import pytest

from evaluations.ledger import HOLDOUTS, LEDGER, NEVER, PAGE, ROOT, Repository, Row, read_rows, written, wrong

PAGE_TEXT = "# Quality\n\n<!-- ledger: Books -->\n<!-- end -->\n\n<!-- ledger: data -->\n<!-- end -->\n"
ROW = Row(
    id="books-right",
    application="Books",
    figure="right",
    result="0.97",
    interval="0.95–0.99",
    goal="0.95",
    command="make eval-real",
    data="data",
    sha256="",
    made="three pages, by a printer",
    seen="seen",
    judge="the printer",
    commit="",
    date="2026-11-24",
    note="",
)


class Made:
    """A repository with data in its first commit, code in its second, and a ledger of the rows given."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.there = Repository(root)
        self.git("init", "-q", "-b", "main")
        self.write("data/a.txt", "one\n")
        self.write("data/b.txt", "two\n")
        self.write(HOLDOUTS, "".join(f"{sha(text)}  data/{name}.txt\n" for name, text in (("a", "one\n"), ("b", "two\n"))))
        self.write("Makefile", "eval-real:\n\techo 0.97\n")
        self.first = self.commit()
        self.write("code.py", "print(0.97)\n")
        self.second = self.commit()
        self.row = replace(ROW, commit=self.second, sha256=digest("data/a.txt", "one\n", "data/b.txt", "two\n"))

    def git(self, *arguments: str) -> str:
        names = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        return subprocess.run(["git", *names, *arguments], cwd=self.root, check=True, capture_output=True, text=True).stdout

    def write(self, path: str, text: str) -> None:
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text, "utf-8")

    def commit(self) -> str:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "Change it")
        return self.git("rev-parse", "HEAD").strip()

    def keep(self, *rows: Row) -> None:
        """Write the ledger, and the page from it."""
        made = StringIO()
        table = csv.DictWriter(made, [field.name for field in fields(Row)], lineterminator="\n")
        table.writeheader()
        table.writerows(map(asdict, rows))
        self.write(LEDGER, made.getvalue())
        self.write(PAGE, written(PAGE_TEXT, rows))

    def wrong(self) -> list[str]:
        """What is found, by a look that remembers nothing."""
        return list(wrong(Repository(self.root)))


def sha(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def digest(*names_and_texts: str) -> str:
    """As `sha256sum … | sha256sum` prints it."""
    pairs = zip(names_and_texts[::2], names_and_texts[1::2], strict=True)
    return sha("".join(f"{sha(text)}  {name}\n" for name, text in pairs))


@pytest.fixture
def made(tmp_path: Path) -> Made:
    return Made(tmp_path)


def test_a_row_with_its_data_and_commit_is_right_a_withdrawn_one_leaves_the_page_and_one_not_kept_is_found(made: Made) -> None:
    made.keep(made.row)
    assert made.wrong() == []

    gone = replace(made.row, data="not stored", sha256="none", interval="")
    made.keep(gone, replace(gone, result="withdrawn", note="no judgements are stored"))
    assert made.wrong() == []
    assert "|right|" not in made.there.text(PAGE)
    assert "not stored" not in made.there.text(PAGE)

    made.keep(made.row)
    made.write(PAGE, made.there.text(PAGE).replace("0.97", "0.99") + "\n| right | 1.00 |\n")
    assert len(made.wrong()) == 2


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"sha256": "0" * 64}, "the data has the digest"),
        ({"data": "data/c.txt"}, "the data has the digest None"),
        ({"commit": "0123456789"}, "is not in the history"),
        ({"command": "make eval-nothing"}, "was not there"),
        ({"command": "python -m scripts.eval.nothing"}, "was not there"),
        ({"seen": "blind"}, "seen is none of"),
        ({"judge": " "}, "no judge"),
        ({"result": "withdrawn"}, "withdrawn without a reason"),
        ({"data": "not stored", "sha256": "none"}, "the data is not stored"),
    ],
)
def test_a_row_that_does_not_hold_is_found(made: Made, change: dict[str, str], said: str) -> None:
    made.keep(replace(made.row, **change))

    assert [what for what in made.wrong() if said in what]


def test_what_a_commit_had_may_not_be_changed_or_deleted(made: Made) -> None:
    made.keep(made.row, replace(made.row, id="another"))
    made.commit()

    made.keep(replace(made.row, result="0.98"))

    assert len([what for what in made.wrong() if "is gone" in what]) == 2


def test_never_opened_asks_for_a_digest_that_is_older_than_the_code(made: Made) -> None:
    made.keep(replace(made.row, seen=NEVER))
    assert made.wrong() == []

    made.keep(replace(made.row, seen=NEVER, commit=made.first))
    assert made.wrong() == ["books-right: data is no older than the code"]

    made.write(HOLDOUTS, sha("one\n") + "  data/a.txt\n")
    made.keep(replace(made.row, seen=NEVER))
    assert made.wrong() == [f"books-right: data is called never opened, and is not in {HOLDOUTS}"]


def test_the_page_is_what_the_ledger_of_this_repository_says() -> None:
    here = Repository(ROOT)
    page = here.text(PAGE)

    assert page == written(page, read_rows(here.text(LEDGER)))
    assert len(page.split()) <= 2_500
