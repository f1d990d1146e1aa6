"""The corpus for training holds the prose of a book: no licence, verse, notes or lists, under the right chapters."""

import subprocess
from pathlib import Path

import pytest

from scripts.train.marked_up import standard_ebook
from scripts.train.plain_text import gutenberg_tex, gutenberg_text
from scripts.train.prose import Paragraph, clean
from scripts.train.sentences import Source, paragraphs_of, sentences_of, spread

XHTML = '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops">{}</html>'
EBOOK = {
    "src/epub/content.opf": """<package xmlns="http://www.idpf.org/2007/opf"><spine>
        <itemref idref="titlepage.xhtml"/><itemref idref="chapter-1.xhtml"/><itemref idref="chapter-2.xhtml"/>
    </spine></package>""",
    "src/epub/text/titlepage.xhtml": XHTML.format("<head><title>Title</title></head><body><p>A book on bees.</p></body>"),
    "src/epub/text/chapter-1.xhtml": XHTML.format("""<head><title>I: Of Bees</title></head><body><section epub:type="chapter">
        <h2>I</h2>
        <p>Bees <i>dance</i> in the dark.<a href="endnotes.xhtml#note-1" epub:type="noteref">1</a> They point home.</p>
        <blockquote epub:type="z3998:poem"><p>How doth the little busy bee</p></blockquote>
        <p>Then they<br/>rest.</p></section></body>"""),
    "src/epub/text/chapter-2.xhtml": XHTML.format("<head><title>Index</title></head><body><p>Bees, dancing of.</p></body>"),
}
PLAIN = """The licence of the library stands before the book.

*** START OF THIS PROJECT GUTENBERG EBOOK OF BEES ***


CHAPTER I

OF BEES

Bees dance in the dark of the hive, and those that crowd about them learn
where the flowers are.[Footnote: So it is said.] They fly out at once and
come home laden before the sun is high.

    How doth the little busy bee
    Improve each shining hour,
    And gather honey all the day
    From every opening flower!

A hive that is left alone will feed itself, and its keeper takes only what
it does not need for the winter.

End of Project Gutenberg's Of Bees
"""


def test_a_standard_ebook_gives_its_chapters_without_notes_verse_and_lists() -> None:
    paragraphs = list(standard_ebook(lambda name: EBOOK[name].encode()))

    assert paragraphs == [("I: Of Bees", "Bees dance in the dark. They point home."), ("I: Of Bees", "Then they rest.")]


def test_a_plain_text_gives_what_stands_between_the_licences_without_verse_and_notes() -> None:
    first, second = gutenberg_text(PLAIN)

    assert first.chapter == second.chapter == "OF BEES"
    assert first.text.startswith("Bees dance in the dark")
    assert "where the flowers are. They fly out at once" in first.text
    assert second.text.endswith("does not need for the winter.")


def test_tex_gives_paragraphs_with_short_formulas_only() -> None:
    book = (
        "\\begin{document}\n\\Chapter{I}{Of Bees}\n\n"
        "A hive of $n$ bees is ``one'' \\emph{animal}.\\footnote{So they say.}\n\nIt has\n\\[ n = 6 \\]\nlegs.\n\\end{document}"
    )

    [paragraph] = gutenberg_tex(book)

    assert paragraph.text.strip() == "A hive of n bees is “one” animal."


def test_sentences_are_numbered_and_lists_and_capitals_are_left_out() -> None:
    prose = Paragraph("I", "Bees dance in the dark of the hive. Their keeper sees it by a red lamp.")
    book = [prose, Paragraph("I", "OF THE HIVE AND ITS KEEPER."), prose, prose, Paragraph("Index", "Bees, the dance of the.")]

    rows = sentences_of("bees", book)

    assert [row["n"] for row in rows] == list(range(6))
    assert [row["paragraph"] for row in rows] == [0, 0, 1, 1, 2, 2]
    assert rows[0] == {"n": 0, "chapter": "I", "paragraph": 0, "text": "Bees dance in the dark of the hive."}


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("_Bees_ dance.[12]", "Bees dance."),
        ("Bees -- some of them --  dance [Illustration: a bee].", "Bees—some of them—dance."),
        ("Bees dance [Pg 12] at home.*", "Bees dance at home."),
    ],
)
def test_signs_of_type_and_calls_of_notes_are_taken_out(written: str, read: str) -> None:
    assert clean(written) == read


def test_a_long_book_is_cut_to_chapters_from_all_over_it() -> None:
    book = [Paragraph(f"{chapter}", "x" * 100) for chapter in range(10) for _ in range(10)]

    kept = spread(book, lambda paragraph: len(paragraph.text), most=3_000)

    assert list(dict.fromkeys(paragraph.chapter for paragraph in kept)) == ["0", "4", "8"]
    assert len(kept) == 30


def test_a_book_is_read_from_its_repository_at_its_commit(tmp_path: Path) -> None:
    folder = tmp_path / "somebody+Of-Bees_7"
    folder.mkdir()
    file = folder / "7.txt"
    commits = list[str]()
    for text in (PLAIN, "Another edition."):
        file.write_text(text, "utf-8")
        for command in ("init -q", "add .", "-c user.name=a -c user.email=a@example.org commit -q -m text"):
            subprocess.run(["git", *command.split()], cwd=folder, check=True)
        commits.append(
            subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True).stdout.decode()
        )
    book = {"slug": "bees", "source": "github:somebody/Of-Bees_7", "commit": commits[0].strip()}

    paragraphs = paragraphs_of("bees", Source.of(book, tmp_path))

    assert len(paragraphs) == 2
