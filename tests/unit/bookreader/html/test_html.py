"""HTML pages without what stands around their text."""

import re
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bookreader.errors import BadFile
from bookreader.html.html import HtmlHeading, PageLinks, Typeset, pieces_of, typeset
from bookreader.html.markdown import html_of
from bookreader.html.site import Folder, leads_away
from tests.support.sites import links, read_page, texts

AROUND = PageLinks(leads_away, lambda src: src or None, "p{}".format, "at-{}".format)
TAGS = "p div ul li b i a table tr td th pre h1 h2 h4 blockquote span dl dd"


def html(body: str, head: str = "") -> str:
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"


def said(body: str) -> list[str]:
    """The sentences of a page with that body."""
    return texts(read_page(html(body), "a.html"))


def test_only_the_main_part_of_a_page_is_text_and_without_one_its_body() -> None:
    book = read_page(
        html(
            "<header><h2>Site</h2></header><nav>Menu</nav><main><article><h1>Title</h1><p>Text.</p><footer>Edit</footer></article>"
            "<aside class='toc'>Contents</aside></main><footer>Imprint</footer><script>x</script>"
        ),
        "a.html",
    )
    assert texts(book) == ["Text."]
    assert book.chapters[0].title == "Title"

    body = "<header>Site</header><div class='navbar' role='navigation'>Menu</div><h2>Head</h2><div>Text <b>in</b> a div.</div>"
    assert said(body) == ["Text in a div."]


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ('<h2 id="own">Head<a class="hash-link" href="#own">#</a></h2>', "#own"),
        ('<h2><a name="own"></a>Head</h2>', "#own"),
        ('<section id="own"><h2>Head<a class="headerlink" href="#own">¶</a></h2>', "#own"),
        ("<h2>Head</h2>", ""),
    ],
)
def test_a_link_goes_to_the_heading_as_the_page_names_it(heading: str, anchor: str) -> None:
    book = read_page(html(f"<p>Before.</p>{heading}<p>Text.</p>"), "guide/a.html")

    assert links(book) == ["/docs/guide/a.html", f"/docs/guide/a.html{anchor}"]
    assert book.sentences[1].address.section_path == ("Head",)


def test_cells_are_read_with_the_heads_above_and_beside_them_and_what_only_places_things_as_what_is_in_it() -> None:
    table = (
        "<table><caption>Costs</caption><thead><tr><th rowspan=2>Part<th colspan=2>Price</tr><tr><th>Low<th>High</tr></thead>"
        "<tr><td rowspan=2>Arm<td>1<td>2</tr><tr><td colspan=2>free</tr></table>"
    )
    assert said(table) == ["Costs", "Part: Arm; Price Low: 1; Price High: 2", "Part: Arm; Price Low: free; Price High: free"]

    table = f"<table><tr><th><th>Poor<th>Good</tr><tr><th>Code<td>{'Bad. ' * 120}<td>{'Fine. ' * 120}</tr></table>"
    assert [text[:16] for text in said(table)] == ["Code; Poor: Bad.", "Code; Good: Fine"]
    assert said(f"<table><tr><td>{'Alone. ' * 200}</table>")[0] == "Alone."
    assert said("<table><tr><td><h2>Head</h2><p>Text. More.</p></td></tr></table>") == ["Text.", "More."]


def test_lines_of_code_drawn_by_tags_are_lines_a_formula_is_said_once_and_the_head_names_a_page_without_headings() -> None:
    drawn = "<pre><code><span>a = 1<br></span><span>b = 2<br></span></code></pre>"
    assert said(drawn) == said("<pre>a = 1\nb = 2</pre>") == ["a = 1\nb = 2"]

    katex = (
        '<p>Let <span class="katex"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation>'
        '</semantics></math><span class="katex-html" aria-hidden="true">x2</span></span> be.</p>'
    )
    assert said(katex) == ["Let x^2 be."]

    assert read_page(html("<p>Text.</p>", "<title>Robots | The Site</title>"), "a.html").chapters[0].title == "Robots"


def refused_at_once(text: str, name: str) -> str:
    """The refusal of a folder of this page, which is told before the page is parsed."""
    began = process_time()
    with pytest.raises(BadFile) as caught:
        read_page(text, name)
    assert process_time() - began < 5.0  # parsing it takes far longer
    return str(caught.value)


@pytest.mark.parametrize("element", ["<div>", "<b></i>", "<x/>", "<svg><div/></svg><ul><li>", "<TABLE><td>"])
def test_a_page_nested_too_deep_is_named_and_not_parsed(element: str) -> None:
    assert "The page a.html is nested" in refused_at_once(html(element * 50_000), "a.html")


@pytest.mark.parametrize(
    "page",
    [
        "<p>One.<br>Two<li>Three" * 900,
        "<script>" + "'<div>'+" * 900 + "</script>",
        "<!-- " + "<div>" * 900 + "-->",
        "<math>" + "<mi/>" * 900 + "</math>",
        "<div><b>Two</b></div>" * 900,
    ],
)
def test_a_page_that_is_long_but_not_deep_is_read(page: str) -> None:
    assert "Text." in said(page + "<p>Text.</p>")


@pytest.mark.parametrize("mark", ["[", "![", "*a_b ", "{/*", "[a]("])
def test_markdown_that_is_nothing_but_marks_is_named_and_not_parsed(mark: str) -> None:
    assert "The page a.md has a paragraph with more than 20,000 marks" in refused_at_once(mark * 200_000, "a.md")


MARKUP = st.lists(
    st.sampled_from([*(f"<{mark}{tag}>" for tag in TAGS.split() for mark in ("", "/")), *[" a", "b. C", "<br>"] * 13])
).map("".join)


def typeset_of(markdown: str) -> Typeset:
    return typeset(html_of(markdown), AROUND)


@given(MARKUP)
def test_passages_are_counted_as_the_parser_counts_them(html: str) -> None:
    passages = [piece for piece in pieces_of(html) if not isinstance(piece, HtmlHeading)]

    page = typeset(html, AROUND)

    assert page.passages == len(passages)
    assert set(re.findall(r'id="(p\d+)"', page.html)) == {f"p{number}" for number in range(len(passages))}


def test_lists_tables_code_and_pictures_stay_what_they_are() -> None:
    page = typeset_of("1. one\n2. two\n   - deeper\n\n| A |\n|---|\n| 1 |\n\n```python\nx = 1 < 2\n```\n")
    assert re.search(r"<ol>\s*<li>.*one", page.html)
    assert "<th>A</th>" in page.html
    assert "x = 1 &lt; 2" in page.html

    html = typeset('<p>See <img src="data:image/png;base64,AAAA" alt="a plot"></p>', AROUND).html
    assert '<img src="data:image/png;base64,AAAA" alt="a plot"' in html


def test_headings_have_no_gaps_and_the_title_is_none_of_them() -> None:
    page = typeset_of("# Title\n\n## One\n\n#### Deep\n\n# Another\n")

    found = [(each.level, each.text, each.anchor) for each in page.headings]
    assert found == [(2, "One", "at-one"), (3, "Deep", "at-deep"), (2, "Another", "at-another")]


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
        *((href, None) for href in ("https://example.org", "//evil.example/a/one.md", "nowhere.md", "http://[")),
    ],
)
def test_links_lead_to_chapters(href: str, leads_to: tuple[int | None, str] | None) -> None:
    assert FOLDER.page_at(href, "a/one.md", "/docs/a/one") == leads_to


@pytest.mark.parametrize(
    ("src", "name"), [("x.png", "docs/a/x.png"), ("/y.png", "static/y.png"), ("../../secret.txt", None), ("z.png", None)]
)
def test_pictures_are_those_of_the_folder(src: str, name: str | None) -> None:
    assert FOLDER.picture_at(src, "a/one.md") == name
