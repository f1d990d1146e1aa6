"""MDX without what is not text."""

import pytest

from bookreader.html.markdown import without_mdx


@pytest.mark.parametrize(
    ("mdx", "plain"),
    [
        ("import A from 'a';\nimport {\n  B,\n} from 'b';\n\nText.", "\n\nText."),
        ("export const x = {\n  a: 1,\n};\n\nText.", "\n\nText."),
        ("import duties rose in 1932.", "import duties rose in 1932."),
        ("<Tabs values={[{label: 'a > b'}]} on={() => x}>Text</Tabs>", "Text"),
        ("<></>Text<Foo.Bar />", "Text"),
        ('<Image alt="A robot" src={x} />', "A robot"),
        ("<div className=\"x\" style={{color: 'red'}}>Text</div>", '<div class="x">Text</div>'),
        ("{/* gone */}Text {/* #kept */}", "Text {/* #kept */}"),
        ("`<Tabs>` and ``{/* x */}``", "`<Tabs>` and ``{/* x */}``"),
        ("a < b and c > d, x <3", "a < b and c > d, x <3"),
        ("<https://example.org>", "<https://example.org>"),
        ("<Open", "<Open"),
    ],
)
def test_components_go_and_their_text_stays(mdx: str, plain: str) -> None:
    assert without_mdx(mdx) == plain


@pytest.mark.parametrize("mark", ["```", "~~~~"])
def test_code_stays_as_it_is(mark: str) -> None:
    code = f"{mark}jsx\nimport A from 'a';\n<Tabs>{{/* x */}}</Tabs>\n{mark}\n"

    assert without_mdx(code) == code


def test_many_open_brackets_take_no_time() -> None:
    assert without_mdx("<A" * 3000) == "<A" * 3000
