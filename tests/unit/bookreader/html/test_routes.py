"""Addresses of pages as Docusaurus makes them."""

import pytest

from tests.support.sites import links, read_folder, read_page


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("intro.md", "/docs/intro"),
        ("01-module/02-the-nodes.mdx", "/docs/module/the-nodes"),
        ("01 - Module One/3. Chapter.md", "/docs/Module%20One/Chapter"),
        ("7.0-news.md", "/docs/7.0-news"),
        ("2021-11-notes.md", "/docs/2021-11-notes"),
        ("index.md", "/docs/"),
        ("module/README.md", "/docs/module/"),
        ("module/module.md", "/docs/module/"),
        ("module/index.html", "/docs/module/index.html"),
    ],
)
def test_docusaurus_routes(path: str, url: str) -> None:
    assert links(read_page("Text.", path)) == [url]


@pytest.mark.parametrize(
    ("facts", "url"),
    [
        ("id: nodes", "/docs/module/nodes"),
        ("slug: nodes", "/docs/module/nodes"),
        ("slug: ../nodes", "/docs/nodes"),
        ("slug: /", "/docs/"),
        ("slug: /robots/nodes\nid: x", "/docs/robots/nodes"),
    ],
)
def test_a_docusaurus_page_can_say_its_address(facts: str, url: str) -> None:
    assert links(read_page(f"---\n{facts}\n---\nText.", "01-module/02-page.md")) == [url]


def test_a_folder_can_say_how_its_site_is_made() -> None:
    book = read_folder({"01-a.md": "## A a\n\nText.", "textbook.yml": "base_url: https://x.org/b\ntitle: T\nauthors: [A B, C]"})

    assert links(book) == ["https://x.org/b/a#a-a"]
    assert (book.title, book.authors) == ("T", ("A B", "C"))
