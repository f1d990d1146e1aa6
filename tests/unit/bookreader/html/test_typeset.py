import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookreader.html.html import HtmlHeading, PageLinks, Typeset, pieces_of, typeset
from bookreader.html.markdown import html_of
from bookreader.html.site import Folder, leads_away

AROUND = PageLinks(leads_away, lambda src: src or None, "p{}".format, "at-{}".format)
TAGS = (
    "p", "div", "ul", "li", "b", "i", "a", "table", "tr", "td", "th", "pre", "h1", "h2", "h4", "blockquote", "span", "dl",
    "dd",
)  # fmt: skip
MARKUP = st.lists(
    st.one_of(
        st.sampled_from(TAGS).map("<{}>".format),
        st.sampled_from(TAGS).map("</{}>".format),
        st.sampled_from([" a", "b. C", "<br>"]),
    )
).map("".join)


def read(markdown: str) -> Typeset:
    return typeset(html_of(markdown), AROUND)


@given(MARKUP)
def test_passages_are_counted_as_the_parser_counts_them(html: str) -> None:
    passages = [piece for piece in pieces_of(html) if not isinstance(piece, HtmlHeading)]

    page = typeset(html, AROUND)

    assert page.passages == len(passages)
    assert set(re.findall(r'id="(p\d+)"', page.html)) == {f"p{number}" for number in range(len(passages))}


def test_lists_tables_and_code_stay_what_they_are() -> None:
    page = read("1. one\n2. two\n   - deeper\n\n| A |\n|---|\n| 1 |\n\n```python\nx = 1 < 2\n```\n")

    assert re.search(r"<ol>\s*<li>.*one", page.html)
    assert "<th>A</th>" in page.html
    assert "x = 1 &lt; 2" in page.html


def test_headings_have_no_gaps_and_the_title_is_none_of_them() -> None:
    page = read("# Title\n\n## One\n\n#### Deep\n\n# Another\n")

    assert [(each.level, each.text, each.anchor) for each in page.headings] == [
        (2, "One", "at-one"),
        (3, "Deep", "at-deep"),
        (2, "Another", "at-another"),
    ]


@pytest.mark.parametrize(
    "bad",
    [
        "<script>alert(1)</script>",
        '<img src="x" onerror="alert(1)">',
        '<a href="javascript:alert(1)">x</a>',
        '<a href="data:text/html,<script>alert(1)</script>">x</a>',
        '<p style="position: fixed" onclick="alert(1)">x</p>',
        "<svg><script>alert(1)</script></svg>",
        '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
        '<math><mtext><table><mglyph><style><img src="x" onerror="alert(1)">',
        '<form action="https://evil.example"><button>x</button></form>',
    ],
)
def test_nothing_that_runs_or_hides_the_page_is_left(bad: str) -> None:
    html = typeset(f"<p>Text.</p>{bad}", AROUND).html

    assert not re.search(r"<script|<iframe|<form|<style|<[^>]*\s(on\w+|style|srcdoc)=|javascript:|data:text", html)


def test_a_picture_in_its_own_address_is_shown() -> None:
    html = typeset('<p>See <img src="data:image/png;base64,AAAA" alt="a plot"></p>', AROUND).html

    assert '<img src="data:image/png;base64,AAAA" alt="a plot"' in html


FOLDER = Folder(
    {"a/one.md": 1, "a/b/index.md": 2}, {"/docs/a/one": 1, "/docs/a/b": 2}, {"docs/a/x.png", "static/y.png"}, "docs/"
)


@pytest.mark.parametrize(
    ("href", "leads_to"),
    [
        ("b/index.md#top", (2, "top")),
        ("./b/", (2, "")),
        ("#here", (None, "here")),
        ("/docs/a/b", (2, "")),
        ("https://example.org", None),
        ("//evil.example/a/one.md", None),
        ("nowhere.md", None),
        ("http://[", None),
    ],
)
def test_links_lead_to_chapters(href: str, leads_to: tuple[int | None, str] | None) -> None:
    assert FOLDER.page_at(href, "a/one.md", "/docs/a/one") == leads_to


@pytest.mark.parametrize(
    ("src", "name"), [("x.png", "docs/a/x.png"), ("/y.png", "static/y.png"), ("../../secret.txt", None), ("z.png", None)]
)
def test_pictures_are_those_of_the_folder(src: str, name: str | None) -> None:
    assert FOLDER.picture_at(src, "a/one.md") == name
