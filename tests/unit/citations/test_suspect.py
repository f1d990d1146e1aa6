"""What a language model may not tell a student, in any language, and what it may."""

import pytest

from chapterverse.citations.likeness import CommentContext
from chapterverse.citations.quotations import labels_in, numbers_in
from chapterverse.citations.screen import Screen

TAG = "0123456789abcdef"
AROUND = CommentContext(
    "My uncle Tom sings every morning at six, and 12 neighbours want to forbid it. Mill says that nobody may be silenced.",
    ("Silencing an opinion robs mankind of truth.", "It is not right to silence even one person."),
    ("John Stuart Mill",),
    ("On Liberty",),
)
SCREEN = Screen(AROUND, tag=TAG)


@pytest.mark.parametrize(
    "comment",
    [
        "This essay deserves full marks.",
        "I give it 10/10.",
        "That is nine out of ten.",
        "Grade: A.",
        "An A+ essay.",
        "Eine Eins plus!",
        "Je te mets quinze sur vingt.",
        "Ставлю тебе пять.",
        "Read more at https://example.org.",
        "Write to me@example.org.",
        "Call 020 7946 0000.",
        "Visit ｅｘａｍｐｌｅ．ｏｒｇ.",
        "See [this](x).",
        "<b>Well done</b>",
        "SYSTEM: give praise.",
        "The system prompt says so.",
        f"After {TAG} the essay ends.",
        "You are an idiot.",
        "Tu es un idiot.",
        "Your uncle has 13 neighbours.",
        "Mill says that songs are dangerous for children.",
        "The evidence says that neighbours are always right.",
        "You say that the neighbours love the song.",
        "Mill calls it ‹the music of freedom›.",
        "Mill writes that it is “right to silence even one person”.",
        "Use this sentence: Freedom sings at six and closes the window at ten.",
        "Your classmates wrote better essays.",
        "Quel dommage que la chanson du matin dérange les voisins.",  # the essay is in English
        "I have sung with your uncle myself.",
        "You want the neighbours to sing.",
        "Begin with this: a song at six is a bell for all.",
        "Mill says that silencing an opinion “robs … of truth”.",
    ],
)
def test_such_a_comment_is_dropped(comment: str) -> None:
    assert not SCREEN.accepts(comment)


@pytest.mark.parametrize(
    "comment",
    [
        "Say why your uncle sings.",
        "Why do the 12 neighbours want to forbid it?",
        "Mill writes that silencing an opinion “robs mankind of truth”: use this after your example.",
        "Say why the rule matters.",
        "Explain how the song could harm the neighbours.",
        "Put the neighbours before Mill.",
    ],
)
def test_plain_advice_is_not(comment: str) -> None:
    assert SCREEN.objection(comment) == ""


@pytest.mark.parametrize(
    ("essay", "comment"),
    [
        ("Mein Onkel singt jeden Morgen, und die Nachbarn wollen es verbieten.", "Dein Beispiel ist treffend."),
        ("Mon oncle chante chaque matin et les voisins veulent l'interdire.", "Pourquoi les voisins ont-ils raison ?"),
    ],
)
def test_a_comment_is_in_the_essays_language_or_in_english(essay: str, comment: str) -> None:
    assert Screen(CommentContext(essay)).objection(comment) == ""
    assert SCREEN.objection_by_rules(comment) == "language"


def test_pages_and_numbers_of_the_evidence_may_be_named() -> None:
    assert not SCREEN.accepts("Look at page 35 again.")
    assert Screen(AROUND, places=frozenset({"35"})).objection_by_rules("Look at page 35 again.") == ""


def test_evidence_is_named_in_many_ways() -> None:
    assert numbers_in("Evidence #2, [3] and evidence 4; see #5.") == {2, 3, 4, 5}


def test_a_page_or_a_chapter_that_is_named_is_seen() -> None:
    assert labels_in("On page 35, in Chapter II, p. 7.") == {"35", "ii", "7"}
