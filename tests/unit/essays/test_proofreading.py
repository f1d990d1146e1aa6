from collections.abc import Sequence
from time import monotonic

from chapterverse.core.errors import ProofreaderUnavailable
from chapterverse.essays.model import Dimension
from chapterverse.essays.writing.proofreaders import LanguageTool
from chapterverse.essays.writing.review import FAILED, GERMAN_CHECKED, Proof, proofread, write_reviews
from chapterverse.essays.writing.writing import BY_GERMAN, Mistake, Writing
from tests.support.essays import a_subject, found_on
from tests.support.languagetool_server import languagetool

SUBJECT = a_subject("# Speech\n\nI has an opinion. My uncle sings.")


def away(paragraphs: Sequence[str], seconds: float) -> list[Mistake]:
    raise ProofreaderUnavailable("Away.")


def test_without_a_grammar_checker_nothing_is_proofread() -> None:
    assert proofread(SUBJECT, Writing(), up=1.0) is None


def test_it_has_its_own_time_and_no_more_than_is_left() -> None:
    given: list[float] = []
    writing = Writing(
        proofreader=lambda paragraphs, seconds: given.append(seconds) or [], proof_seconds=2.0, clock=lambda: 10.0
    )

    proofread(SUBJECT, writing, up=15.0)
    proofread(SUBJECT, writing, up=11.0)

    assert given == [2.0, 1.0]


def test_an_essay_in_another_language_is_not_proofread_as_english() -> None:
    german = a_subject("Mein Onkel singt sehr gerne am Abend. Wir haben keine Zeit, und er has eine Meinung dazu.")

    assert proofread(german, Writing(proofreader=lambda paragraphs, seconds: []), up=1.0) is None


def test_a_german_essay_is_checked_by_a_school_own_languagetool_and_says_what_was_not() -> None:
    german = a_subject(
        "# Zeit\n\nMein Onkel singt sehr gerne am Abend. Wir haben keine Zeit, und er ist ein Mann mit Meinungen."
    )
    with languagetool(words={"Abend": ("Morgen", "misspelling")}) as server:
        writing = Writing(german=LanguageTool(server.url, "de-DE"), proof_seconds=20, seconds=30)
        reviews = {one.dimension: one for one in write_reviews(found_on(german), "school", writing, monotonic())}

    expressions = reviews[Dimension.EXPRESSIONS]
    assert [one.instead for one in expressions.comments] == ["Morgen"]
    assert (expressions.checked, expressions.notes) == ((BY_GERMAN[Dimension.EXPRESSIONS],), (GERMAN_CHECKED,))
    assert server.asked[0]["language"] == "de-DE"


def test_one_that_is_away_costs_only_its_own_words() -> None:
    assert proofread(SUBJECT, Writing(proofreader=away), up=1.0) == Proof(failed=True)


def test_feedback_has_what_a_school_own_languagetool_finds() -> None:
    with languagetool(words={"My uncle": ("Our uncle", "grammar")}) as server:
        writing = Writing(proofreader=LanguageTool(server.url, "en"), proof_seconds=20, seconds=30)
        reviews = {one.dimension: one for one in write_reviews(found_on(SUBJECT), "school", writing, monotonic())}

    assert ("“My uncle” is wrong here.", "Our uncle") in [
        (one.text, one.instead) for one in reviews[Dimension.EXPRESSIONS].comments
    ]
    assert "grammar, by LanguageTool" in reviews[Dimension.EXPRESSIONS].checked


def test_feedback_without_its_grammar_checker_says_so() -> None:
    reviews = list(write_reviews(found_on(SUBJECT), "school", Writing(proofreader=away), monotonic()))

    assert [FAILED in one.notes for one in reviews] == [False, True, False]
