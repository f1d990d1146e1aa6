import sys
from contextlib import suppress
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.errors import BadRequest, TooLarge
from chapterverse.essays.model import Essay
from chapterverse.essays.text import parse_essay
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
        "---\ntitle: 'On free speech'\nauthor: somebody\n---\n\n",
        "Jo Miller\nMrs Brown, English\n12 May\n\nOn free speech\n\n",
    ],
)
def test_the_title_is_known_by_its_mark_or_by_its_look(head: str) -> None:
    essay = parse_essay(f"{head}{FIRST}\n\n{SECOND}")

    assert essay.title == "On free speech"
    assert texts(essay) == [FIRST, SECOND]


def test_an_essay_may_have_no_title() -> None:
    essay = parse_essay(f"{FIRST}\n\n{SECOND}")

    assert essay.title is None
    assert texts(essay) == [FIRST, SECOND]


def test_a_salutation_below_the_title_is_not_the_title() -> None:
    assert parse_essay(f"# A letter to my school\n\nDear Mrs Lee,\n\n{FIRST}").title == "A letter to my school"


def test_the_heading_of_the_first_section_is_not_the_title() -> None:
    assert parse_essay(f"# Practice rooms\n\n## Introduction\n\n{FIRST}").title == "Practice rooms"


def test_a_question_on_top_is_the_title() -> None:
    assert parse_essay(f"Would we be happier with less?\n\n{FIRST}").title == "Would we be happier with less?"


def test_paragraphs_have_their_sentences() -> None:
    [paragraph] = parse_essay(FIRST).paragraphs

    assert paragraph.sentences == (
        "Everybody should be allowed to say what he thinks, even if most people hate it.",
        "Nobody is right all the time.",
    )


def test_headings_within_the_essay_are_not_paragraphs() -> None:
    assert texts(parse_essay(f"# Title\n\n{FIRST}\n\n## Second part\n\n{SECOND}\n\nConclusion\n\n{FIRST}")) == [
        FIRST,
        SECOND,
        FIRST,
    ]


def test_emphasis_links_and_pictures_leave_their_words_only() -> None:
    text = "It is **not** _true_ that `nothing` [can be said](http://example.org) ![a crowd](crowd.png)of it."

    assert texts(parse_essay(text)) == ["It is not true that nothing can be said of it."]


def test_what_looks_like_mark_up_but_is_not_stays() -> None:
    text = "If 3 < 5 and a * b = c, then <nobody> & no one_of_us is wrong."

    assert texts(parse_essay(text)) == [text]


def test_a_list_is_one_paragraph_and_no_sentence_reaches_over_its_items() -> None:
    [paragraph] = parse_essay("- we find the truth\n- we find our reasons\n").paragraphs

    assert paragraph.text == "we find the truth we find our reasons"
    assert paragraph.sentences == ("we find the truth", "we find our reasons")


def test_items_that_blank_lines_part_are_paragraphs() -> None:
    assert texts(parse_essay(f"1. {FIRST}\n\n2. {SECOND}\n")) == [FIRST, SECOND]


def test_a_block_quote_is_a_paragraph() -> None:
    assert texts(parse_essay(f"{FIRST}\n\n> {SECOND}\n")) == [FIRST, SECOND]


def test_an_indented_paragraph_is_not_code() -> None:
    assert texts(parse_essay(f"    {FIRST}\n\n\t{SECOND}")) == [FIRST, SECOND]


def test_a_rule_below_a_paragraph_does_not_make_it_a_heading() -> None:
    assert texts(parse_essay(f"{FIRST}\n---\n{SECOND}")) == [FIRST, SECOND]


def test_a_writer_who_sets_no_full_stop_still_has_paragraphs() -> None:
    assert texts(parse_essay("i think we should all speak\n\nbecause nobody is always right")) == [
        "i think we should all speak",
        "because nobody is always right",
    ]


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


@pytest.mark.parametrize("sign", ["[", "[*![](", "字", "😀", "x" * 10])
def test_a_text_without_blanks_is_limited_as_words_are(sign: str) -> None:
    with pytest.raises(TooLarge):
        parse_essay(f"Some words {sign * (2 * LIMIT + 2)}.")


def test_a_long_run_of_one_mark_is_no_more_than_a_short_one() -> None:
    [paragraph] = parse_essay(f"Nobody knows {'[' * 15_000} why {'_' * 15_000} it is so.").paragraphs

    assert paragraph.text == f"Nobody knows {'[' * 9} why {'_' * 9} it is so."


@given(st.lists(st.sampled_from(MARKS), min_size=1, max_size=5).map("".join))
def test_twice_the_text_is_at_most_twice_the_work(unit: str) -> None:
    assert calls_to_parse(unit * 160) < 2.5 * calls_to_parse(unit * 80)


@pytest.mark.parametrize(
    "text",
    [
        "[*![](" * 3_300,
        "![" * 9_500,
        "a**b_c " * 5_000,
        "<![CDATA[" * 3_000,
        "".join("`" * (1 + n % 9) + "a" for n in range(3_500)),
        "\n".join("  " * n + "- a" for n in range(250)),
        "\n".join(f"{n}. a" for n in range(4_500)),
        "> a\n" + "b\n" * 9_500,
        "|a" * 9_500 + "\n" + "|-" * 9_500,
        "---\ntitle: a" + " " * 190_000 + "b\n---\nYes.",
        "[a]: <b\n" * 4_500,
        "A. " * 9_500,
    ],
    ids=lambda text: text[:12],
)
def test_no_text_within_the_limit_takes_long(text: str) -> None:
    began = process_time()

    with suppress(TooLarge, BadRequest):
        parse_essay(text)

    assert process_time() - began < 5  # about a half; a cost that grows with the square of the length would be a minute


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
