"""HTML pages without what stands around their text."""

from time import process_time

import pytest

from bookreader.errors import BadFile
from tests.support.sites import links, read_page, texts


def html(body: str, head: str = "") -> str:
    return f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"


def test_only_the_main_part_of_a_page_is_text() -> None:
    book = read_page(
        html(
            "<header><h2>Site</h2></header><nav>Menu</nav><main><article><h1>Title</h1><p>Text.</p><footer>Edit</footer></article>"
            "<aside class='toc'>Contents</aside></main><footer>Imprint</footer><script>x</script>"
        ),
        "a.html",
    )

    assert texts(book) == ["Text."]
    assert book.chapters[0].title == "Title"


def test_without_a_main_part_the_body_is_the_page() -> None:
    body = "<header>Site</header><div class='navbar' role='navigation'>Menu</div><h2>Head</h2><div>Text <b>in</b> a div.</div>"
    book = read_page(html(body), "a.html")

    assert texts(book) == ["Text in a div."]


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


def test_the_head_of_the_page_names_it_where_no_heading_does() -> None:
    assert read_page(html("<p>Text.</p>", "<title>Robots | The Site</title>"), "a.html").chapters[0].title == "Robots"


def test_cells_that_span_rows_and_columns_stand_in_each() -> None:
    table = (
        "<table><caption>Costs</caption><thead><tr><th rowspan=2>Part<th colspan=2>Price</tr><tr><th>Low<th>High</tr></thead>"
        "<tr><td rowspan=2>Arm<td>1<td>2</tr><tr><td colspan=2>free</tr></table>"
    )

    assert texts(read_page(html(table), "a.html")) == [
        "Costs",
        "Part: Arm; Price Low: 1; Price High: 2",
        "Part: Arm; Price Low: free; Price High: free",
    ]


def test_a_long_row_is_read_by_cell_after_its_own_head() -> None:
    table = f"<table><tr><th><th>Poor<th>Good</tr><tr><th>Code<td>{'Bad. ' * 120}<td>{'Fine. ' * 120}</tr></table>"

    assert [text[:16] for text in texts(read_page(html(table), "a.html"))] == ["Code; Poor: Bad.", "Code; Good: Fine"]
    assert texts(read_page(html(f"<table><tr><td>{'Alone. ' * 200}</table>"), "a.html"))[0] == "Alone."


def test_a_table_that_only_places_things_is_read_as_what_is_in_it() -> None:
    assert texts(read_page(html("<table><tr><td><h2>Head</h2><p>Text. More.</p></td></tr></table>"), "a.html")) == [
        "Text.",
        "More.",
    ]


def test_lines_of_code_that_are_drawn_by_tags_are_lines() -> None:
    drawn = "<pre><code><span>a = 1<br></span><span>b = 2<br></span></code></pre>"
    plain = "<pre>a = 1\nb = 2</pre>"

    assert texts(read_page(html(drawn), "a.html")) == texts(read_page(html(plain), "a.html")) == ["a = 1\nb = 2"]


def test_a_formula_is_said_once() -> None:
    katex = (
        '<p>Let <span class="katex"><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation>'
        '</semantics></math><span class="katex-html" aria-hidden="true">x2</span></span> be.</p>'
    )

    assert texts(read_page(html(katex), "a.html")) == ["Let x^2 be."]


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
    assert "Text." in texts(read_page(html(page + "<p>Text.</p>"), "a.html"))


@pytest.mark.parametrize("mark", ["[", "![", "*a_b ", "{/*", "[a]("])
def test_markdown_that_is_nothing_but_marks_is_named_and_not_parsed(mark: str) -> None:
    assert "The page a.md has a paragraph with more than 20,000 marks" in refused_at_once(mark * 200_000, "a.md")
