"""What changed between two drafts, by kind; how the changes are told."""

from collections.abc import Sequence

import pytest

from chapterverse.essays.revision.compare import differences
from chapterverse.essays.revision.kinds import BookSentence
from chapterverse.essays.revision.model import Change, ChangeKind, CommentOutcome, CommentState, Revision
from chapterverse.essays.revision.story import story_of
from chapterverse.essays.text.parse import parse_essay
from chapterverse.messages import in_words
from tests.support.word_embedder import WordEmbedder

BOOK = "Society in every state is a blessing, but government even in its best state is but a necessary evil."
FIRST = """\
Every country needs a goverment. Without rules nobody is safe. My town has a mayor.

Some people want more rules than others do.
"""


def look_up(texts: Sequence[str]) -> list[list[BookSentence]]:
    vectors, [book] = WordEmbedder().embed_queries(texts), WordEmbedder().embed_queries([BOOK])
    return [[BookSentence("Common Sense", BOOK, float(vector @ book))] for vector in vectors]


def changes(second: str, first: str = FIRST) -> list[Change]:
    _, _, found = differences(parse_essay(first), parse_essay(second), WordEmbedder().embed_queries, look_up)
    return found


def kinds(second: str, first: str = FIRST) -> list[ChangeKind]:
    return [one.kind for one in changes(second, first)]


def test_the_same_draft_has_no_changes() -> None:
    assert changes(FIRST) == []


@pytest.mark.parametrize(
    ("added", "kind"),
    [
        ("Paine calls government “a necessary evil”.", ChangeKind.BOOK),
        ("In 2019 a study in Oslo counted 400 such rules.", ChangeKind.ELSEWHERE),
        ("Therefore we should obey them, because a rule protects the weak.", ChangeKind.REASONING),
        ("I like that.", ChangeKind.POINT),
        ("Nobody is safe without rules.", ChangeKind.REPETITION),
    ],
)
def test_an_added_sentence_is_typed(added: str, kind: ChangeKind) -> None:
    assert kinds(FIRST.replace("My town", f"{added} My town")) == [kind]


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("goverment", "government", ChangeKind.SURFACE),
        (
            "Without rules nobody is safe.",
            "Without rules nobody is safe, because the strong can take what they want.",
            ChangeKind.REASONING,
        ),
        (" My town has a mayor.", "", ChangeKind.REMOVED),
        (
            "Some people want more rules than others do.",
            "Some citizens wish for more rules than others do.",
            ChangeKind.WORDING,
        ),
    ],
)
def test_a_changed_sentence_is_typed(old: str, new: str, kind: ChangeKind) -> None:
    assert kinds(FIRST.replace(old, new)) == [kind]


def test_of_two_sentences_that_changed_places_one_moved() -> None:
    swapped = FIRST.replace(
        "Without rules nobody is safe. My town has a mayor.", "My town has a mayor. Without rules nobody is safe."
    )

    assert kinds(swapped) == [ChangeKind.MOVED]


def test_a_sentence_in_two_is_one_change() -> None:
    long = "Every country needs a law and a court that can punish people, and without rules nobody is safe in his own house."
    short = "Every country needs a law and a court that can punish people. Without rules nobody is safe in his own house."

    [change] = changes(short, long)

    assert (len(change.before), len(change.after)) == (1, 2)


def test_a_quotation_is_compared_with_the_book() -> None:
    [right] = changes(FIRST + "\nPaine says that government is “but a necessary evil”.\n")
    [wrong] = changes(FIRST + "\nPaine says that government “even in its best state is but a terrible evil for us”.\n")

    assert (right.book, right.exact) == ("Common Sense", True)
    assert (wrong.kind, wrong.exact) == (ChangeKind.BOOK, False)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("He calls it “a necessary ewil”.", "He calls it “a necessary evil”."),
        ("Society is “in all states a blessing”.", "Society is “in every state a blessing”, “a necessary evil”."),
        ("He calls it “a necessary evil”.", "He calls it “a necessary evil” (p. 3)."),
        ("He calls it “a necessary evil.” I do too.", "He calls it “a necessary evil.” (Paine 3). I do too."),
        ("He calls it “a necessary evil.” I do too.", "He calls it “a necessary evil.” (p. 3) I do too."),
    ],
)
def test_a_quotation_put_right_or_its_page_is_evidence_from_the_book(old: str, new: str) -> None:
    [change] = changes(FIRST + f"\n{new}\n", FIRST + f"\n{old}\n")

    assert (change.kind, change.book, change.exact) == (ChangeKind.BOOK, "Common Sense", True)
    assert in_words(next(story_of(Revision("id", (change,))))) == "A changed sentence quotes Common Sense word for word."


@pytest.mark.parametrize(
    ("new", "kind"),
    [
        ("According to a survey of the guild, people in many towns want more rules.", ChangeKind.ELSEWHERE),
        ("In our town 340 families want more rules than others.", ChangeKind.ELSEWHERE),
        ("62% of people want more rules than others do.", ChangeKind.ELSEWHERE),
        ("I am 100% certain that people want more rules.", ChangeKind.WORDING),
    ],
)
def test_a_source_or_figure_in_a_changed_sentence_is_evidence(new: str, kind: ChangeKind) -> None:
    assert kinds(FIRST.replace("Some people want more rules than others do.", new)) == [kind]


def test_a_quotation_that_stays_wrong_is_a_correction() -> None:
    old = "He says it is “but a neccesary evil for us”."

    assert kinds(FIRST + old.replace("neccesary", "necessary"), FIRST + old) == [ChangeKind.SURFACE]


def test_a_german_draft_is_compared_by_its_letters() -> None:
    first = "Ich finde Hausaufgaben gut. Manche Kinder haben aber keinen ruhigen Platz zu Hause."
    second = "Ich finde Hausaufgaben gut. Manche Kinder haben aber keinen ruhigen Plaz zu Hause. Deshalb sind sie ungerecht."

    assert kinds(second, first) == [ChangeKind.SURFACE, ChangeKind.REASONING]


def test_a_priority_of_several_comments_is_answered_when_all_are() -> None:
    def one(number: int, became: CommentState, group: int | None) -> CommentOutcome:
        return CommentOutcome("expressions", number, became, priority=True, group=group)

    right, tried, left = CommentState
    outcomes = (one(1, right, 0), one(2, left, 0), one(3, right, 1), one(4, right, 1), one(5, left, 2))
    stored_before = (one(1, right, None), one(2, left, None))

    assert Revision("id", (), outcomes).priorities == (tried, right, left)
    assert Revision("id", (), stored_before).priorities == (right, left)
    assert in_words(next(story_of(Revision("id", (), outcomes)))) == "1 of 3 priorities answered, 1 tried."


def test_the_story_tells_priorities_first_then_books() -> None:
    revision = Revision(
        "id",
        (Change(ChangeKind.BOOK, book="Common Sense", exact=True), Change(ChangeKind.SURFACE)),
        (
            CommentOutcome("content", 1, CommentState.RESOLVED, priority=True),
            CommentOutcome("content", 2, CommentState.RESOLVED, priority=True),
            CommentOutcome("content", 3, CommentState.UNTOUCHED, priority=True),
        ),
    )

    assert [in_words(one) for one in story_of(revision)] == [
        "2 of 3 priorities answered.",
        "A sentence of Common Sense added, correctly quoted.",
        "Spelling, marks or endings corrected in a sentence.",
    ]
    assert in_words(next(story_of(revision)), "de") == "2 von 3 wichtigsten Hinweisen beantwortet."
