"""What is looked up of an essay that is longer than there is time for."""

import sys
import textwrap
from contextlib import suppress

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.errors import BadRequest, TooLarge
from chapterverse.core.words import language_in
from chapterverse.essays.model import Essay
from chapterverse.essays.text import (
    MAX_PARAGRAPH_LENGTH,
    apart,
    bounded_essay,
    clean,
    ends_sentence,
    parse_essay,
    text_in_sandbox,
    text_of,
    words_in,
)
from chapterverse.essays.text_worker import MAX_XML_BYTES, text_in
from tests.support.documents import open_document, word, zipped
from tests.support.pdfs import a_pdf
from tests.support.refusals import refused

MARKS = ["[", "]", "(", ")", "![", "](", "*", "**", "_", "`", "``", "<", "<!--", "<![CDATA[", "<http:", "&", "\\", "|", "#"]
MARKS += ['"', "'", "- ", "1. ", "> ", "  ", "\n", "\n\n", "    ", "=", "---\n", "```\n", "[a]: ", "[a]", "a", "b. ", "…"]
LIMIT = 20_000
FIRST = "Everybody should be allowed to say what he thinks, even if most people hate it. Nobody is right all the time."
SECOND = "A wrong opinion can be useful too. It makes us find out why we believe our own."


def texts(essay: Essay) -> list[str]:
    return [paragraph.text for paragraph in essay.paragraphs]


@pytest.mark.parametrize(
    "head",
    [
        "# On *free* speech\n\n",
        "## On free speech ##\n",
        "On free speech\n=============\n\n",
        "On free speech\n\n",
        "On free speech\n",
        "**On free speech**\n\n",
        "---\ntitle: An essay\nauthors:\n  - Ada\n---\n\nOn free speech\n\n",
        "Jo Miller\nMrs Brown, English\n12 May\n\nOn free speech\n\n",
    ],
)
def test_the_title_is_known_by_its_mark_or_by_its_look(head: str) -> None:
    essay = parse_essay(f"{head}{FIRST}\n\n{SECOND}")

    assert essay.title == "On free speech"
    assert texts(essay) == [FIRST, SECOND]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (f"{FIRST}\n\n{SECOND}", None),
        (f"# A letter to my school\n\nDear Mrs Lee,\n\n{FIRST}", "A letter to my school"),
        (f"# Practice rooms\n\n## Introduction\n\n{FIRST}", "Practice rooms"),
        (f"Would we be happier with less?\n\n{FIRST}", "Would we be happier with less?"),
    ],
    ids=["none", "above a salutation", "above a heading", "a question"],
)
def test_a_title_is_what_stands_on_top_and_is_neither_salutation_nor_section(text: str, title: str | None) -> None:
    assert parse_essay(text).title == title


@pytest.mark.parametrize("title", ["# Three floods\n\n", "Three floods\n\n"])
def test_a_line_that_is_no_paragraph_stands_above_the_next_or_below_the_last(title: str) -> None:
    essay = parse_essay(f"{title}Dear Mrs Lee,\n\n{FIRST}\n\n## Causes\n\n1342 | Main\n\n{FIRST}\n\nYours, Anna")

    assert essay.title == "Three floods"
    assert [(each.above, each.text, each.below) for each in essay.paragraphs] == [
        (("Dear Mrs Lee,",), FIRST, ()),
        (("Causes", "1342 | Main"), FIRST, ("Yours, Anna",)),
    ]


def test_a_list_is_one_paragraph_and_no_sentence_reaches_over_its_items() -> None:
    [paragraph] = parse_essay("- we find the truth\n- we find our reasons\n").paragraphs

    assert paragraph.text == "we find the truth we find our reasons"
    assert paragraph.sentences == ("we find the truth", "we find our reasons")


@pytest.mark.parametrize(
    ("text", "paragraphs"),
    [
        (f"# Title\n\n{FIRST}\n\n## Second part\n\n{SECOND}\n\nConclusion\n\n{FIRST}", [FIRST, SECOND, FIRST]),
        (f"1. {FIRST}\n\n2. {SECOND}\n", [FIRST, SECOND]),
        (f"{FIRST}\n\n> {SECOND}\n", [FIRST, SECOND]),
        (f"    {FIRST}\n\n\t{SECOND}", [FIRST, SECOND]),
        (f"---\n{FIRST}\n---\n{SECOND}", [FIRST, SECOND]),
        ("i think we should\n\nbecause nobody is right", ["i think we should", "because nobody is right"]),
        (
            "It is **not** _true_ that `nothing` [can be](http://example.org) ![a](b.png)of it.",
            ["It is not true that nothing can be of it."],
        ),
        ("If 3 < 5 and a * b = c, then <nobody> & no one_of_us.", ["If 3 < 5 and a * b = c, then <nobody> & no one_of_us."]),
    ],
    ids=["headings", "items", "block quote", "indented", "a rule", "no full stop", "mark-up", "no mark-up"],
)
def test_paragraphs_are_what_a_student_means_by_them(text: str, paragraphs: list[str]) -> None:
    assert texts(parse_essay(text)) == paragraphs


@pytest.mark.parametrize("text", ["", " \n\t\n", "\ufeff", "---\ntitle: Nothing\n---\n", "# Only a heading\n", "***\n"])
def test_an_essay_without_a_paragraph_is_refused_with_what_to_do(text: str) -> None:
    with refused(BadRequest, "essay_empty"):
        parse_essay(text)


def test_rich_text_is_refused_and_an_essay_beyond_the_limit_is_refused_with_the_limit() -> None:
    assert len(parse_essay("word " * 1000, max_words=1000).paragraphs) == 1
    with refused(TooLarge, "essay_too_long"):
        parse_essay("word " * 1001, max_words=1000)
    with refused(TooLarge, "essay_too_many_paragraphs"):
        parse_essay("\n\n".join(["So it is."] * 401))
    with pytest.raises(BadRequest, match="Save it as plain text"):
        parse_essay("{\\rtf1\\ansi Hello world.}")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Who may speak?", 3),
        ("我认为每个人都应该可以自由地表达自己的意见。", 11),
        ("すべての人は自由である。", 6),
        ("ทุกคนมีเสรีภาพในการพูด", 2),
        ("", 0),
    ],
)
def test_words_are_counted_in_scripts_without_blanks_too(text: str, words: int) -> None:
    assert words_in(text) == words


@pytest.mark.parametrize("sign", ["[", "[*![](", "字", "😀", "x" * 10])
def test_a_text_without_blanks_is_limited_as_words_are(sign: str) -> None:
    with pytest.raises(TooLarge):
        parse_essay(f"Some words {sign * (2 * LIMIT + 2)}.")


def test_a_long_run_of_one_mark_is_no_more_than_a_short_one() -> None:
    [paragraph] = parse_essay(f"Nobody knows {'[' * 15_000} why {'_' * 15_000} it is so.").paragraphs

    assert paragraph.text == f"Nobody knows {'[' * 9} why {'_' * 9} it is so."


@given(st.lists(st.sampled_from(MARKS), min_size=1, max_size=5).map("".join))
def test_twice_the_text_is_at_most_twice_the_work(unit: str) -> None:
    assert calls_to_parse(unit * 80) < 2.5 * calls_to_parse(unit * 40)


def calls_to_parse(text: str) -> int:
    """How many functions are called."""
    calls = 0

    def count(_frame: object, event: str, _argument: object) -> None:
        nonlocal calls
        calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        with suppress(BadRequest):
            parse_essay(text)
    finally:
        sys.setprofile(None)
    return calls


@given(st.text())
def test_any_text_is_an_essay_of_clean_sentences_or_refused(text: str) -> None:
    try:
        essay = parse_essay(text)
    except BadRequest:
        return
    for paragraph in essay.paragraphs:
        assert paragraph.sentences
        assert " ".join(paragraph.text.split()) == paragraph.text
        assert all(sentence in paragraph.text for sentence in paragraph.sentences)


LONG_FIRST = (
    "Nobody should be forced to think what the others think. We cannot know who is right before we have heard him, and whoever "
    "shuts another one up says that he himself is never wrong, which nobody is."
)
LONG_SECOND = (
    "A wrong opinion is useful too, because it makes us find our own reasons. Somebody who has never had to argue for what he "
    "believes only repeats what he was told, as a parrot does."
)


def paragraphs_of(text: str) -> list[str]:
    """What is apart, each as one line."""
    return [" ".join(block.split()) for block in apart(clean(text)).split("\n\n") if block.strip()]


def wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(text, 60, initial_indent=indent)


TYPED = {
    "blank line": f"{LONG_FIRST}\n\n{LONG_SECOND}",
    "a line each": f"{LONG_FIRST}\n{LONG_SECOND}",
    "a line each, CRLF": f"{LONG_FIRST}\r\n{LONG_SECOND}",
    "BOM and CR": f"\ufeff{LONG_FIRST}\r\r{LONG_SECOND}",
    "a line each, tabs": f"\t{LONG_FIRST}\n\t{LONG_SECOND}",
    "paragraph separator": f"{LONG_FIRST}\u2029{LONG_SECOND}",
    "line of blanks": f"{LONG_FIRST}\n \u00a0 \n{LONG_SECOND}",
    "wrapped, blank line": f"{wrapped(LONG_FIRST)}\n\n{wrapped(LONG_SECOND)}",
    "wrapped, second indented": f"{wrapped(LONG_FIRST)}\n{wrapped(LONG_SECOND, indent='   ')}",
    "wrapped, both indented": f"{wrapped(LONG_FIRST, indent=chr(9))}\n{wrapped(LONG_SECOND, indent=chr(9))}",
    "wrapped, first stops short": f"{wrapped(LONG_FIRST + ' Or is he?')}\n{wrapped(LONG_SECOND)}",
}


@pytest.mark.parametrize("text", TYPED.values(), ids=TYPED)
def test_two_paragraphs_are_two_however_they_were_typed(text: str) -> None:
    [first, second] = paragraphs_of(text)

    assert first.startswith("Nobody should")
    assert second.startswith("A wrong opinion")


def test_wrapped_lines_are_one_paragraph_and_a_title_above_them_stands_alone() -> None:
    assert paragraphs_of(f"On free speech\n{wrapped(LONG_FIRST)}") == ["On free speech", LONG_FIRST]


@pytest.mark.parametrize(("typed", "read"), [("free\u00ad\u200bdom\u00a0of\u2003it", "freedom of it"), ("fu\u0308r", "für")])
def test_signs_that_nobody_sees_go_and_accents_are_part_of_their_letters(typed: str, read: str) -> None:
    assert clean(typed) == read


@pytest.mark.parametrize("line", ["Yes.", "Yes!", "Why?", "And so on…", "“Yes.”", "(Yes.)", "**Yes.**"])
def test_a_full_stop_ends_a_sentence_whatever_closes_after_it(line: str) -> None:
    assert ends_sentence(line)
    assert not any(map(ends_sentence, ("", "Yes", "Yes,", "Dear Mr. Brown")))


@given(st.text())
def test_apart_loses_no_word(text: str) -> None:
    assert apart(clean(text)).split() == clean(text).split()


SHORT, LONG = "So it is.", "Silencing an opinion robs all of mankind of the truth."


@pytest.mark.parametrize(
    ("text", "at_most", "kept"),
    [
        (f"{SHORT} {LONG}\n\n{LONG}", 3, [(SHORT, LONG), (LONG,)]),
        (f"{LONG} {SHORT} {LONG[:-1]}, they say.", 2, [(LONG, f"{LONG[:-1]}, they say.")]),
        (f"{' '.join([LONG] * 50)}\n\n{SHORT} {SHORT}", 4, [(LONG, LONG), (SHORT, SHORT)]),
        ("\n\n".join([f"{LONG} {SHORT}"] * 5), 2, [(LONG,)] * 5),
    ],
    ids=["all of an ordinary essay", "in their order", "a long paragraph takes nothing from a short one", "one at least"],
)
def test_the_longest_sentences_of_each_paragraph_are_kept(text: str, at_most: int, kept: list[tuple[str, ...]]) -> None:
    essay = parse_essay(text)

    bounded, notes = bounded_essay(essay, at_most)

    assert [paragraph.sentences for paragraph in bounded.paragraphs] == kept
    assert [paragraph.text for paragraph in bounded.paragraphs] == [paragraph.text for paragraph in essay.paragraphs]
    assert (notes == ()) is (bounded == essay)


def test_of_a_paragraph_without_end_the_beginning_is_looked_up() -> None:
    essay = parse_essay(f"{SHORT}\n\n{'so ' * MAX_PARAGRAPH_LENGTH}", max_words=MAX_PARAGRAPH_LENGTH + 10)

    kept, notes = bounded_essay(essay, max_sentences=300)

    assert [len(paragraph.text) for paragraph in kept.paragraphs] == [len(SHORT), MAX_PARAGRAPH_LENGTH]
    assert [str(note) for note in notes] == ["Paragraph 2 is very long, so only its first 30,000 characters were looked up."]


SPEECH = "Silencing an opinion robs mankind of truth — so said he. 🙂"


def test_word_gives_its_paragraphs_without_what_was_struck_out() -> None:
    title = '<w:p><w:pPr><w:pStyle w:val="Heading1"/></w:pPr><w:r><w:t>On Speech</w:t></w:r></w:p>'
    first = f"<w:p><w:r><w:t>{SPEECH[:10]}</w:t></w:r><w:r><w:t>{SPEECH[10:]}</w:t></w:r></w:p><w:p/>"
    second = "<w:p><w:del><w:r><w:delText>No</w:delText></w:r></w:del><w:r><w:t>One</w:t><w:tab/><w:t>two.</w:t></w:r></w:p>"

    assert text_of(word(title + first + second), text_in) == f"# On Speech\n\n{SPEECH}\n\nOne two."


def test_a_row_of_a_table_is_a_line_unless_a_cell_has_paragraphs_of_its_own() -> None:
    def cell(*texts: str) -> str:
        return f"<w:tc>{''.join(f'<w:p><w:r><w:t>{text}</w:t></w:r></w:p>' for text in texts)}</w:tc>"

    rows = [cell("1342") + cell("") + cell("Main"), cell("One.", "Two.") + cell("Three."), cell("")]
    table = f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"
    row = "".join(f"<table:table-cell><text:p>{text}</text:p></table:table-cell>" for text in ("1342", "Main"))

    assert text_of(word(table), text_in) == "1342 | Main\n\nOne.\n\nTwo.\n\nThree."
    of_one_row = f"<table:table><table:table-row>{row}</table:table-row></table:table>"
    assert text_of(open_document(of_one_row), text_in) == "1342 | Main"


def test_open_document_gives_its_paragraphs_without_notes() -> None:
    body = (
        f"<text:h>On Speech</text:h><text:p>{SPEECH}</text:p>"
        "<text:p>One<text:s/>two<text:note><text:p>A note</text:p></text:note>, three.</text:p>"
    )

    assert text_of(open_document(body), text_in) == f"# On Speech\n\n{SPEECH}\n\nOne two, three."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_plain_text_is_read_however_it_was_written(encoding: str) -> None:
    assert text_of("“Ünïcode”\r\n\r\nTwo".encode(encoding), text_in) == "“Ünïcode”\n\nTwo"
    assert text_of("<!DOCTYPE html><title>A</title><p>“One”<p>Two".encode(encoding), text_in) == "“One”\n\nTwo"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "no text"),
        (b"<html></html>", "no text"),
        (b"\x00\x01\x02", "not a text file"),
        (b"PK\x03\x04broken", "damaged"),
        (zipped("xl/workbook.xml", "<a/>"), "not a text document"),
        (zipped("word/document.xml", "<a"), "damaged"),
        (zipped("word/document.xml", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>"), "damaged"),
        (word("<w:p/>"), "no text"),
        (b"\xd0\xcf\x11\xe0\xa1", "old Word"),
        (b"{\\rtf1", "Rich Text"),
        (b'{"":"WARNING! DO NOT EDIT THIS FILE!","doc_id":"1a","email":"ada@school.example"}', "Google document"),
        (b"\x89PNG\r\n", "picture"),
    ],
)
def test_what_cannot_be_read_says_what_to_do(data: bytes, says: str) -> None:
    with pytest.raises(BadRequest, match=says):
        text_of(data, text_in)


def test_every_word_of_a_pdf_is_in_its_text_but_what_is_on_each_page() -> None:
    with pymupdf.open() as document:
        for number, (head, said) in enumerate([("Of Truth", "An opinion is silenced."), ("Of Harm", "It robs mankind.")], 1):
            page = document.new_page(width=400, height=600)
            page.insert_htmlbox((50, 20, 350, 40), f"Silva {number}")
            page.insert_htmlbox((50, 60, 350, 550), f"<h1>{head}</h1><p>{said} {'All read it. ' * 20}")
        found = text_in(document.tobytes())

    assert found.startswith("# Of Truth\n\nAn opinion is silenced. All read it.")
    assert "\n\n# Of Harm\n\nIt robs mankind. All read it." in found
    assert "Silva" not in found
    with refused(BadRequest, "file_without_text"):
        text_in(a_pdf(""))


def test_a_bomb_does_no_harm() -> None:
    bomb = zipped("word/document.xml", " " * (MAX_XML_BYTES + 1))
    assert len(bomb) < 100_000

    with refused(BadRequest, "file_unpacks_too_large"):
        text_of(bomb, text_in_sandbox)


@pytest.mark.parametrize(
    ("essay", "language"),
    [
        ("Me and my frend wented to the libary yestaday. We readed bookes. It were very intresting. Teacher sayed good.", "en"),
        (
            "Mill sagt: “the only freedom which deserves the name”. Das heißt, dass jeder sein eigenes Leben führen darf.",
            "de",
        ),
        ("Ik ben gisteren met mijn vriend naar de bibliotheek geweest en wij hebben over de oude boeken gesproken.", ""),
    ],
    ids=["many mistakes", "German that quotes", "Dutch"],
)
def test_the_language_is_known_by_its_words_also_by_small_ones_alone(essay: str, language: str) -> None:
    assert language_in(essay) == language
