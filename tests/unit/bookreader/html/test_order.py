"""The order of pages, and the modules they are in."""

from bookreader.book import Book
from tests.support.sites import Pages, read_folder


def order(book: Book) -> list[str | None]:
    return [chapter.file for chapter in book.chapters]


def test_docusaurus_goes_by_positions_then_by_names() -> None:
    pages: Pages = {
        "zeta.md": "---\nsidebar_position: 1\n---\nText.",
        "10-ten.md": "Text.",
        "2-two.md": "Text.",
        "beta.md": "Text.",
        "module/_category_.json": '{"position": 3}',
        "module/b.md": "Text.",
        "module/index.md": "Text.",
    }

    assert order(read_folder(pages)) == ["zeta.md", "2-two.md", "module/index.md", "module/b.md", "10-ten.md", "beta.md"]


def test_a_module_is_called_as_its_folder_says_else_as_its_page_else_as_it_is_named() -> None:
    book = read_folder(
        {
            "01-a/_category_.yml": "label: 'Module 1: Start'",
            "01-a/page.md": "Text.",
            "02-b/index.md": "# The Second\n\nText.",
            "03-long-name/deep/page.md": "Text.",
        }
    )

    assert [chapter.module for chapter in book.chapters] == ["Module 1: Start", "The Second", "Long Name > Deep"]


def test_a_folder_around_everything_is_no_module() -> None:
    book = read_folder(
        {"book-main/docs/a.md": "Text.", "book-main/docs/m/b.md": "Text.", "book-main/docusaurus.config.js": "x"}
    )

    assert [(each.file, each.module) for each in book.chapters] == [("a.md", None), ("m/b.md", "M")]


def test_docs_beside_a_readme_is_no_module() -> None:
    assert order(read_folder({"README.md": "Text.", "docs/a.md": "Text.", "docs/b.md": "Text."})) == ["a.md", "b.md"]
