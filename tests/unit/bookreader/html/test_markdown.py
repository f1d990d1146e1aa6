"""Markdown pages as the two tools read them: text, and the links to it."""

import pytest

from tests.support.sites import MKDOCS, links, read_folder, read_page, texts


@pytest.mark.parametrize("own", ["{#own}", "{/* #own */}"])
def test_docusaurus_takes_the_authors_anchor(own: str) -> None:
    book = read_page(f"## Sensors {own}\n\nText.")

    assert book.sentences[0].address.section_path == ("Sensors",)
    assert links(book) == ["/docs/page#own"]


@pytest.mark.parametrize("own", ["{ #own }", "{: #own .wide }"])
def test_mkdocs_takes_the_authors_anchor(own: str) -> None:
    assert links(read_page(f"## Sensors {own}\n\nText.", **MKDOCS)) == ["/page/#own"]


def test_headings_of_one_name_are_told_apart_by_each_tool_in_its_way() -> None:
    page = "# Intro\n\nA.\n\n## Intro\n\nB.\n\n## Intro\n\nC."

    assert links(read_page(page)) == ["/docs/page", "/docs/page#intro-1", "/docs/page#intro-2"]
    assert links(read_page(page, **MKDOCS)) == ["/page/", "/page/#intro_1", "/page/#intro_2"]


def test_code_links_and_pictures_in_a_heading_count_with_their_words() -> None:
    book = read_page("## The `rclpy` [library](x) ![logo](y) <b>now</b>\n\nText.")

    assert links(book) == ["/docs/page#the-rclpy-library-logo-now"]


@pytest.mark.parametrize(
    ("box", "said"),
    [
        (":::note\n\nIn a box.\n\n:::", ["In a box."]),
        (":::tip[Read this]\nIn a box.\n:::", ["Read this", "In a box."]),
        (":::warning Read this\nIn a box.\n:::", ["Read this", "In a box."]),
        ("::::note\n:::tip\nIn a box.\n:::\n::::", ["In a box."]),
    ],
)
def test_docusaurus_boxes_are_text_with_their_own_titles(box: str, said: list[str]) -> None:
    assert texts(read_page(box)) == said


@pytest.mark.parametrize(
    ("box", "said"),
    [
        ('!!! note "Read this"\n    In a box.\n\n    And on.', ["Read this", "In a box.", "And on."]),
        ("??? tip\n    In a box.", ["In a box."]),
        ('=== "Linux"\n\n    In a tab.', ["Linux", "In a tab."]),
    ],
)
def test_mkdocs_boxes_and_tabs_are_text_with_their_own_titles(box: str, said: list[str]) -> None:
    assert texts(read_page(box, **MKDOCS)) == said


def test_a_cell_of_a_table_is_said_with_the_head_of_its_column() -> None:
    book = read_page("| Sensor | Range |\n|---|---|\n| LiDAR | 100 m |\n| Camera | |")

    assert texts(book) == ["Sensor: LiDAR; Range: 100 m", "Sensor: Camera"]


def test_code_is_kept_line_by_line_and_is_no_heading() -> None:
    assert texts(read_page("```python\ndef f():\n    # note\n    return 1\n```")) == ["def f():\n    # note\n    return 1"]


def test_long_code_is_parted_between_lines_and_nothing_is_lost() -> None:
    lines = [f"value_{number} = {number}" for number in range(200)]

    parts = texts(read_page("```\n" + "\n".join(lines) + "\n```"))

    assert len(parts) > 1
    assert "\n".join(parts).split("\n") == lines


def test_each_item_of_a_list_is_a_paragraph() -> None:
    book = read_page("- One. And more.\n- Two\n  1. Inner")

    assert [(each.text, each.address.paragraph) for each in book.sentences] == [
        ("One.", 0),
        ("And more.", 0),
        ("Two", 1),
        ("Inner", 2),
    ]


def test_formulas_are_kept_as_they_are_written_and_prices_are_no_formulas() -> None:
    assert texts(read_page("Let $x_1 * y_2 * z$ be 1, at $5 or $6.")) == ["Let x_1 * y_2 * z be 1, at $5 or $6."]


def test_pictures_say_what_they_show_footnotes_and_terms_are_text() -> None:
    book = read_page("![A graph of nodes](g.png)\n\nSee.[^1]\n\n[^1]: The note.\n\nTerm\n: What it means.")

    assert texts(book) == ["A graph of nodes", "See.", "Term: What it means.", "The note."]


def test_html_in_markdown_is_read_as_html() -> None:
    book = read_page("<details><summary>More</summary>\n\nInner *text*.\n\n</details>\n\n<script>x()</script>")

    assert texts(book) == ["More", "Inner text."]


def test_commands_to_the_tool_are_no_text() -> None:
    assert texts(read_page('[TOC]\n\nText.\n\n--8<-- "other.md"', **MKDOCS)) == ["Text."]


def test_components_are_left_out_of_docusaurus_pages_alone() -> None:
    page = "import X from 'x';\n\n<X>Text.</X>"

    assert texts(read_page(page)) == ["Text."]
    assert "import X from 'x';" in texts(read_folder({"page.md": page, **MKDOCS}))[0]
