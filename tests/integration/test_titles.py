"""What a book is called, by its file and by the teacher."""

import json
from pathlib import Path

from tests.support.home import Home
from tests.support.pdfs import a_pdf


def test_another_book_in_a_file_of_the_same_name_says_what_it_replaces(tmp_path: Path) -> None:
    home, file = Home(tmp_path / "home"), tmp_path / "book.pdf"
    file.write_bytes(a_pdf("Bees gather nectar. They live in hives."))
    home.run("books", "add", file, "--title", " Of\n Bees ", "--author", "", "--author", "A.\tWriter")
    file.write_bytes(a_pdf("Steel holds carbon.", "It rusts in the rain."))

    said = home.run("books", "add", file, "--title", "Of Steel").stdout

    assert said.startswith("Of Steel: replaces Of Bees (1 page) as book, 2 pages, ")


def test_a_book_without_a_title_is_called_as_its_file_is_and_not_as_its_id(tmp_path: Path) -> None:
    home, file = Home(tmp_path / "home"), tmp_path / "Grösse 書籍 C++.pdf"
    file.write_bytes(a_pdf("Bees gather nectar. They live in hives."))

    added, seen = (json.loads(home.run(*command, file, "--json").stdout) for command in (("books", "add"), ("inspect",)))

    assert added["title"] == seen["title"] == "Grösse 書籍 C++"
