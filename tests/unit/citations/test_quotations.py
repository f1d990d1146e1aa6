import pytest

from chapterverse.citations.quotations import Quotable, false_quotations, overlap
from tests.support.essays import ESSAY, evidence_on

PASSAGE = evidence_on(0).passage
SOURCES = Quotable.made_of([ESSAY.replace("\n", " ")], [PASSAGE.paragraph, PASSAGE.sentence.text, PASSAGE.book_title])


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


TURNED = [
    ("You don’t have to pay the fee today.", "You … have to pay the fee today"),
    ("You can't leave the room early.", "You can … leave the room early"),
    ("Pupils mustn't bring phones to exams.", "Pupils … bring phones to exams"),
    ("It is allowed as long as a teacher is in the room.", "It is allowed … in the room"),
    ("It is allowed in case of fire on the stairs.", "It is allowed … on the stairs"),
    ("You may leave when your teacher agrees to it.", "You may leave … to it"),
    ("It heals, save where it is cold outside.", "It heals … outside"),
    ("The first and second essays count for the mark.", "The … essays count for the mark"),
    ("About 30% of the pupils passed the exam.", "About … of the pupils passed the exam"),
    ("The 12th chapter of the book is about kings.", "The … chapter of the book is about kings"),
    ("Chapter XIV of the book is about kings.", "Chapter … of the book is about kings"),
    ("At most thirty pupils passed the exam.", "At … pupils passed the exam"),
    ("He stopped believing in the free market.", "He … believing in the free market"),
    ("It is far from clear that prices rise.", "It is … clear that prices rise"),
    ("It is far from clear that prices rise.", "clear that prices rise"),
    ("They are anything but honest people here.", "honest people here"),
    ("It is false that the earth is flat.", "It is … that the earth is flat"),
    ("I doubt that the earth is flat here.", "I … that the earth is flat here"),
    ("There was little reason to trust the king.", "There was … reason to trust the king"),
    ("It is illegal to smoke in the yard.", "It is … to smoke in the yard"),
    ("Die Schüler dürfen das Handy nicht benutzen.", "Die Schüler dürfen das Handy … benutzen"),
    ("Kaum ein Schüler hat die Prüfung bestanden.", "ein Schüler hat die Prüfung bestanden"),
    ("Es gibt keinerlei Grund zur Sorge heute.", "Es gibt … Grund zur Sorge heute"),
    ("Er hat niemandem etwas davon gesagt.", "Er hat … etwas davon gesagt"),
    ("Es ist verboten, im Hof zu rauchen.", "Es ist … im Hof zu rauchen"),
    ("Er bestreitet, dass die Erde flach ist.", "Er … dass die Erde flach ist"),
    ("Sie dürfen gehen, sobald der Lehrer zustimmt und unterschreibt.", "Sie dürfen gehen … und unterschreibt"),
    ("Sie dürfen gehen, es sei denn, der Lehrer verbietet es ihnen.", "Sie dürfen gehen … ihnen"),
    ("Sie dürfen gehen, vorausgesetzt, der Lehrer stimmt dem zu.", "Sie dürfen gehen … dem zu"),
    ("Sie dürfen gehen, außer der Lehrer sieht es anders.", "Sie dürfen gehen … anders"),
    ("Die Gebühr beträgt höchstens zwanzig Euro im Jahr.", "Die Gebühr beträgt … Euro im Jahr"),
    ("Mehr als einunddreißig Schüler haben bestanden.", "Mehr als … Schüler haben bestanden"),
    ("Die zweite Arbeit zählt für die Note.", "Die … Arbeit zählt für die Note"),
]


@pytest.mark.parametrize(("book", "quoted"), TURNED)
def test_no_negation_number_or_condition_is_left_out(book: str, quoted: str) -> None:
    assert not Quotable.made_of([], [book]).have(quoted)


@pytest.mark.parametrize(
    ("book", "quoted"),
    [
        ("You don’t have to pay the fee today, he said.", "You don't have to pay … today"),
        ("L’école du village est grande et belle.", "école du village est … belle"),
        ("Wir achten die alte und schöne Stadt.", "Wir … die … schöne Stadt"),
        ("The pupils of the school passed the exam.", "The pupils … passed the exam"),
    ],
)
def test_other_words_may_be_left_out(book: str, quoted: str) -> None:
    assert Quotable.made_of([], [book]).have(quoted)


def test_what_the_essay_says_no_book_says() -> None:
    text = "It says “My uncle sings every morning” and “Silencing an opinion robs mankind”."

    assert [text[start:end] for start, end in false_quotations(text, SOURCES.books_alone)] == ["“My uncle sings every morning”"]


def test_spans_overlap_where_they_share_a_character() -> None:
    assert overlap((0, 5), [(4, 9)])
    assert not overlap((0, 4), [(4, 9)])
