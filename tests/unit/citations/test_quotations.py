import pytest

from chapterverse.citations.quotations import Quotable, false_quotations, overlap
from chapterverse.essays.model import sources_in
from tests.support.essays import a_subject

SOURCES = sources_in(a_subject())


def quoted_falsely(text: str) -> list[str]:
    return [text[start:end] for start, end in false_quotations(text, SOURCES)]


@pytest.mark.parametrize(
    "text",
    [
        "The book says “Silencing an opinion robs mankind of truth”.",
        "The book says “silencing an opinion … of truth”.",
        "You write 'My uncle sings every morning.' here.",
        'You write "my uncle sings every morning", but why?',
        "Before it stands «Some wish it were otherwise.»",
        "The word “mankind” is old, and “so what” is not.",  # fewer words than MIN_QUOTED_WORDS
        "It's the writer's point, isn't it? It can't be said better than ours' was.",
        "No quotation at all.",
    ],
)
def test_what_the_book_or_the_essay_says_may_be_quoted(text: str) -> None:
    assert quoted_falsely(text) == []


@pytest.mark.parametrize(
    ("text", "invented"),
    [
        ("The book says “truth is always silenced”.", "“truth is always silenced”"),
        ('The book says "Silencing an opinion robs nobody".', '"Silencing an opinion robs nobody"'),
        ("He wrote „Truth is quite dead“ once.", "„Truth is quite dead“"),
        ("He wrote ‘we don’t need truth’ once.", "‘we don’t need truth’"),
        ("He wrote 'truth does not matter' once.", "'truth does not matter'"),
        ("Never closed: “truth is dead. And so on.", "“truth is dead. And so on."),
        ("> Truth is dead here.", "> Truth is dead here."),
        ("“Silencing an opinion … robs nobody of truth”", "“Silencing an opinion … robs nobody of truth”"),
        ("He wrote ‹truth is quite dead›.", "‹truth is quite dead›"),
        ("He wrote 「truth is quite dead」.", "「truth is quite dead」"),
        ("He wrote `truth is quite dead`.", "`truth is quite dead`"),
        ("He wrote *truth is quite dead*.", "*truth is quite dead*"),
        ("He wrote ‟truth is quite dead”.", "‟truth is quite dead”"),
        ("He wrote ″truth is quite dead″.", "″truth is quite dead″"),
    ],
)
def test_what_nobody_wrote_may_not(text: str, invented: str) -> None:
    assert quoted_falsely(text) == [invented]


MILL = Quotable.made_of(
    [],
    [
        "If all mankind were of one opinion, mankind would be no more justified in silencing that one person, than he, if he "
        "had the power, would be justified in silencing mankind. Never be afraid of ten open windows then. The sun rose."
    ],
)


@pytest.mark.parametrize(
    "quoted",
    [
        "mankind would be … justified in silencing that one person",  # a negation is left out
        "that one person, than he, … would be justified in silencing mankind",  # a condition
        "be afraid of … open windows then",  # a number
        "be afraid of ten open windows",  # begins after the negation
        "silencing that one person … all mankind were of one opinion",  # another order
        "open windows then … The sun rose",  # two sentences
        "mankind would be [quite] justified in silencing",  # words of one's own
    ],
)
def test_a_quotation_is_not_cut_until_it_says_something_else(quoted: str) -> None:
    assert not MILL.have(quoted)


@pytest.mark.parametrize(
    "quoted",
    [
        "mankind would be no more justified … than he, if he had the power, would be justified in silencing mankind",
        "[N]ever be afraid of ten open windows",
        "open windows then. The sun rose",
        "The … rose",
    ],
)
def test_what_changes_nothing_may_be_left_out(quoted: str) -> None:
    assert MILL.have(quoted)


def test_what_the_essay_says_no_book_says() -> None:
    text = "It says “My uncle sings every morning” and “Silencing an opinion robs mankind”."

    assert [text[start:end] for start, end in false_quotations(text, SOURCES.books_alone)] == ["“My uncle sings every morning”"]


def test_spans_overlap_where_they_share_a_character() -> None:
    assert overlap((0, 5), [(4, 9)])
    assert not overlap((0, 4), [(4, 9)])
