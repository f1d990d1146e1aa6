"""Markdown pages as Docusaurus reads them: text, and the links to it."""

import pytest

from bookreader.html.markdown import front_matter_text, github_anchors, number_in, parted, without_mdx
from tests.support.sites import links, read_page, texts


@pytest.mark.parametrize("own", ["{#own}", "{/* #own */}"])
def test_docusaurus_takes_the_authors_anchor(own: str) -> None:
    book = read_page(f"## Sensors {own}\n\nText.")

    assert book.sentences[0].address.section_path == ("Sensors",)
    assert links(book) == ["/docs/page#own"]


def test_headings_of_one_name_are_told_apart_and_their_code_and_links_count() -> None:
    page = "# Intro\n\nA.\n\n## Intro\n\nB.\n\n## Intro\n\nC."
    assert links(read_page(page)) == ["/docs/page", "/docs/page#intro-1", "/docs/page#intro-2"]

    anchor = github_anchors()
    assert [anchor(each) for each in ("Foo", "Foo 1", "Foo", "foo", "Foo 1")] == ["foo", "foo-1", "foo-2", "foo-3", "foo-1-1"]

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
    "code is no heading": ("```python\ndef f():\n    # note\n    return 1\n```", ["def f():\n    # note\n    return 1"]),
    "prices are no formulas": ("Let $x_1 * y_2 * z$ be 1, at $5 or $6.", ["Let x_1 * y_2 * z be 1, at $5 or $6."]),
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
    "components are left out": ("import X from 'x';\n\n<X>Text.</X>", ["Text."]),
    "commands to the tool are no text": ('[TOC]\n\nText.\n\n--8<-- "other.md"', ["Text."]),
}


@pytest.mark.parametrize(("page", "said"), READ_AS.values(), ids=READ_AS)
def test_text_is_what_the_page_shows(page: str, said: list[str]) -> None:
    assert texts(read_page(page)) == said


def test_items_are_paragraphs_and_long_code_is_parted_between_lines() -> None:
    book = read_page("- One. And more.\n- Two\n  1. Inner")
    places = [(each.text, each.address.paragraph) for each in book.sentences]
    assert places == [("One.", 0), ("And more.", 0), ("Two", 1), ("Inner", 2)]

    lines = [f"value_{number} = {number}" for number in range(200)]
    parts = texts(read_page("```\n" + "\n".join(lines) + "\n```"))
    assert len(parts) > 1
    assert "\n".join(parts).split("\n") == lines


def test_front_matter_is_parted_from_the_text_and_read_as_names_and_values() -> None:
    facts, text = parted("---\ntitle: 'A: B'\nsidebar_position: 2.5\n---\n\n# Text\n\n---\nmore")
    assert (front_matter_text(facts, "title"), number_in(facts, "sidebar_position")) == ("A: B", 2.5)
    assert text == "\n# Text\n\n---\nmore"

    assert parted("---\n---\ntext") == ({}, "text")

    facts, _ = parted("---\ntitle: 2024\nid: [a]\nflag: true\n---\n")
    assert [front_matter_text(facts, name) for name in ("title", "id", "flag", "none")] == ["2024", None, None, None]


@pytest.mark.parametrize("text", ["# No dashes", "", "text\n---\na: b\n---\n"])
def test_a_page_need_not_say_anything(text: str) -> None:
    assert parted(text) == ({}, text)


@pytest.mark.parametrize("inside", ["a: [", "- a\n- b", "just words", "a: !!python/name:os.system"])
def test_what_is_no_yaml_of_names_and_values_is_an_error(inside: str) -> None:
    with pytest.raises(ValueError, match=r"YAML|names"):
        parted(f"---\n{inside}\n---\ntext")


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("What is ROS 2?", "what-is-ros-2"),
        ("C++ & C#", "c--c"),
        ("snake_case and `code`", "snake_case-and-code"),
        ("Über uns", "über-uns"),
        ("日本語 テスト", "日本語-テスト"),
        ("a  b", "a--b"),
        ("It’s 100 % “sure” — really…", "its-100--sure--really"),
        ("1.2 Version 3.0", "12-version-30"),
        ("😄 emoji", "-emoji"),
    ],
)
def test_docusaurus_keeps_letters_digits_and_every_blank(heading: str, anchor: str) -> None:
    assert github_anchors()(heading) == anchor


@pytest.mark.parametrize(
    ("mdx", "plain"),
    [
        ("import A from 'a';\nimport {\n  B,\n} from 'b';\n\nText.", "\n\nText."),
        ("export const x = {\n  a: 1,\n};\n\nText.", "\n\nText."),
        ("<Tabs values={[{label: 'a > b'}]} on={() => x}>Text</Tabs>", "Text"),
        ("<></>Text<Foo.Bar />", "Text"),
        ('<Image alt="A robot" src={x} />', "A robot"),
        ("<div className=\"x\" style={{color: 'red'}}>Text</div>", '<div class="x">Text</div>'),
        ("{/* gone */}Text {/* #kept */}", "Text {/* #kept */}"),
    ],
)
def test_components_go_and_their_text_stays(mdx: str, plain: str) -> None:
    assert without_mdx(mdx) == plain


CODE = "{0}jsx\nimport A from 'a';\n<Tabs>{{/* x */}}</Tabs>\n{0}\n"


@pytest.mark.parametrize(
    "text",
    [
        *("import duties rose in 1932.", "`<Tabs>` and ``{/* x */}``", "a < b and c > d, x <3", "<https://example.org>"),
        *("<A" * 3000, CODE.format("```"), CODE.format("~~~~")),
    ],
)
def test_text_and_code_without_components_stay_as_they_are(text: str) -> None:
    assert without_mdx(text) == text
