"""Markdown pages as Docusaurus reads them: text, and the links to it."""

import pytest

from tests.support.sites import links, read_page, texts


@pytest.mark.parametrize("own", ["{#own}", "{/* #own */}"])
def test_docusaurus_takes_the_authors_anchor(own: str) -> None:
    book = read_page(f"## Sensors {own}\n\nText.")

    assert book.sentences[0].address.section_path == ("Sensors",)
    assert links(book) == ["/docs/page#own"]


def test_headings_of_one_name_are_told_apart() -> None:
    page = "# Intro\n\nA.\n\n## Intro\n\nB.\n\n## Intro\n\nC."

    assert links(read_page(page)) == ["/docs/page", "/docs/page#intro-1", "/docs/page#intro-2"]


def test_code_links_and_pictures_in_a_heading_count_with_their_words() -> None:
    book = read_page("## The `rclpy` [library](x) ![logo](y) <b>now</b>\n\nText.")

    assert links(book) == ["/docs/page#the-rclpy-library-logo-now"]


READ_AS = {
    "a box of Docusaurus": (":::note\n\nIn a box.\n\n:::", ["In a box."]),
    "its title in brackets": (":::tip[Read this]\nIn a box.\n:::", ["Read this", "In a box."]),
    "its title behind": (":::warning Read this\nIn a box.\n:::", ["Read this", "In a box."]),
    "a box in a box": ("::::note\n:::tip\nIn a box.\n:::\n::::", ["In a box."]),
    "a box of MkDocs": ('!!! note "Read this"\n    In a box.\n\n    And on.', ["Read this", "In a box.", "And on."]),
    "one that opens": ("??? tip\n    In a box.", ["In a box."]),
    "a tab": ('=== "Linux"\n\n    In a tab.', ["Linux", "In a tab."]),
    "a cell is said with the head of its column": (
        "| Sensor | Range |\n|---|---|\n| LiDAR | 100 m |\n| Camera | |",
        ["Sensor: LiDAR; Range: 100 m", "Sensor: Camera"],
    ),
    "code is no heading": (
        "```python\ndef f():\n    # note\n    return 1\n```",
        ["def f():\n    # note\n    return 1"],
    ),
    "prices are no formulas": (
        "Let $x_1 * y_2 * z$ be 1, at $5 or $6.",
        ["Let x_1 * y_2 * z be 1, at $5 or $6."],
    ),
    "pictures say what they show, footnotes and terms are text": (
        "![A graph of nodes](g.png)\n\nSee.[^1]\n\n[^1]: The note.\n\nTerm\n: What it means.",
        ["A graph of nodes", "See.", "Term: What it means.", "The note."],
    ),
    "HTML is read as HTML": (
        "<details><summary>More</summary>\n\nInner *text*.\n\n</details>\n\n<script>x()</script>",
        ["More", "Inner text."],
    ),
    "marks of kramdown for the tool are no text": (
        "Text.\n{: #own .b }\n\n1. TOC\n{:toc}\n\n[Start](a.md){: .btn }\n\n| A |\n|---|\n| `{: .a }` {:x} |\n{: .b }",
        ["Text.", "Start", "A: {: .a } {:x}"],
    ),
    "commands to the tool are no text": ('[TOC]\n\nText.\n\n--8<-- "other.md"', ["Text."]),
}


@pytest.mark.parametrize(("page", "said"), READ_AS.values(), ids=READ_AS)
def test_text_is_what_the_page_shows(page: str, said: list[str]) -> None:
    assert texts(read_page(page)) == said


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


def test_components_are_left_out() -> None:
    assert texts(read_page("import X from 'x';\n\n<X>Text.</X>")) == ["Text."]
