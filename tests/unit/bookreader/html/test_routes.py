"""Addresses of pages as the two tools make them."""

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


@pytest.mark.parametrize(
    ("path", "url"),
    [
        ("docs/index.md", "/"),
        ("docs/guide/01-intro.md", "/guide/01-intro/"),
        ("docs/guide/README.md", "/guide/"),
        ("docs/page.html", "/page.html"),
    ],
)
def test_mkdocs_routes(path: str, url: str) -> None:
    assert links(read_folder({path: "Text.", "mkdocs.yml": "site_name: A Site"})) == [url]


def test_mkdocs_without_directory_urls_and_with_an_address_of_its_own() -> None:
    config = "site_url: https://example.org/book/\nuse_directory_urls: false\ndocs_dir: pages"

    assert links(read_folder({"pages/guide/intro.md": "Text.", "mkdocs.yml": config})) == ["/book/guide/intro.html"]


def test_a_folder_can_say_how_its_site_is_made() -> None:
    book = read_folder(
        {"01-a.md": "## A a\n\nText.", "textbook.yml": "site: mkdocs\nbase_url: https://x.org/b\ntitle: T\nauthors: [A B, C]"}
    )

    assert links(book) == ["https://x.org/b/01-a/#a-a"]
    assert (book.title, book.authors) == ("T", ("A B", "C"))
