import pytest

from chapterverse.citations.styles import CitedWork, bibtex


def test_bibtex_has_what_is_known_with_its_marks() -> None:
    work = CitedWork("Profit & Loss_1", ["Karl Müller", "Engels, Friedrich"], "1859", "Penguin", "35–36")

    assert bibtex(work) == (
        "@book{muller1859,\n  author = {Karl Müller and Engels, Friedrich},\n  title = {Profit \\& Loss\\_1},\n"
        "  year = {1859},\n  publisher = {Penguin},\n  pages = {35--36}\n}"
    )


@pytest.mark.parametrize(("title", "name"), [("On Liberty", "liberty"), ("自由论", "book")])
def test_a_book_without_author_is_named_after_its_title(title: str, name: str) -> None:
    assert bibtex(CitedWork(title)) == f"@book{{{name},\n  title = {{{title}}}\n}}"
