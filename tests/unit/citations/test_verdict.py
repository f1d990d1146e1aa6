import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.citations.model import ClaimPair, Evidence, VerdictKind
from chapterverse.citations.verdicts import MAX_CLAIM_WORDS, Likeness, judge, judge_by_reading, judge_vectors, judge_words
from chapterverse.core.hits import Passage
from chapterverse.core.ports import Chances, Read
from tests.support.made import a_sentence

SUPPORTS, PARTLY, CONTRADICTS, NOT_FOUND = VerdictKind
SENTENCE = "In autumn thirty geese fly south over the house."
CLOSE, FAR = Likeness(about=0.8, negated=-0.09), Likeness(about=0.1, negated=-0.09)
WHO = ("geese", "kings", "soldiers", "ships", "children", "opinions")
DOES = ("leave", "fear", "follow", "help", "honour")
WHOM = ("the town", "the law", "a stranger", "their friends", "the teacher")

sentences = st.builds("{} {} {}.".format, st.sampled_from(WHO), st.sampled_from(DOES), st.sampled_from(WHOM))


@given(sentences)
def test_the_sentence_itself_is_borne_out(sentence: str) -> None:
    assert judge_vectors(ClaimPair(sentence, sentence), Likeness(1.0, -0.5)).kind is SUPPORTS
    assert judge_words(ClaimPair(sentence, sentence)).kind in {SUPPORTS, PARTLY}


@given(st.sampled_from(WHO), st.sampled_from(DOES), st.sampled_from(WHOM))
def test_a_not_turns_the_verdict(who: str, does: str, whom: str) -> None:
    said = ClaimPair(f"{who} do not {does} {whom}.", f"{who} {does} {whom}.")

    assert judge_words(said).kind is CONTRADICTS
    assert judge_vectors(said, Likeness(0.9, 0.0)).kind is CONTRADICTS


@given(st.integers(2, 5000), st.integers(2, 5000), st.floats(-1, 1), st.floats(-1, 1))
def test_a_changed_number_is_never_borne_out(ours: int, theirs: int, about: float, negated: float) -> None:
    said = ClaimPair(f"There were {ours} ships in the harbour.", f"There were {theirs} ships in the harbour.")

    by_vectors = judge_vectors(said, Likeness(about, negated))

    assert by_vectors.kind is not SUPPORTS or ours == theirs
    assert (judge_words(said).kind is CONTRADICTS) == (ours != theirs)


@given(st.text(), st.text(), st.text(), st.floats(-1, 1))
def test_every_text_gets_a_verdict_with_a_reason(claim: str, sentence: str, around: str, about: float) -> None:
    said = ClaimPair(claim, sentence, around, around, around)

    verdicts = (
        judge_words(said),
        judge_vectors(said, Likeness(about, 0.0)),
    )

    assert all(str(verdict.reason).endswith(".") for verdict in verdicts)


def test_evidence_is_judged_by_its_words() -> None:
    evidence = Evidence(1, Passage("Birds", a_sentence(SENTENCE), None, None, ""), 0.8, ())

    verdict = judge("Twenty geese fly over the house.", evidence)

    assert (verdict.kind, str(verdict.reason)) == (CONTRADICTS, "You say “Twenty”, and the book says “thirty”.")


def test_a_claim_about_something_else_is_not_found() -> None:
    assert judge_words(ClaimPair("Phones are loud.", SENTENCE)).kind is NOT_FOUND
    assert judge_vectors(ClaimPair("Phones are not loud.", SENTENCE), FAR).kind is NOT_FOUND


def test_vectors_that_stand_against_a_check_leave_a_doubt() -> None:
    said = ClaimPair("Geese never stay in autumn.", SENTENCE)

    assert judge_vectors(said, Likeness(0.8, negated=0.0)).kind is CONTRADICTS
    assert judge_vectors(said, Likeness(0.8, negated=-0.3)).kind is PARTLY


def test_vectors_see_an_opposite_that_no_word_tells() -> None:
    assert (
        judge_vectors(ClaimPair("Geese spend the cold months at home.", SENTENCE), Likeness(0.6, negated=0.2)).kind
        is CONTRADICTS
    )


def test_a_claim_that_is_only_near_is_borne_out_in_part() -> None:
    assert judge_vectors(ClaimPair("Birds travel.", SENTENCE), Likeness(0.4, -0.09)).kind is PARTLY
    assert judge_vectors(ClaimPair("Birds travel.", SENTENCE), CLOSE).kind is SUPPORTS


def test_nothing_speaks_against_a_whole_paragraph() -> None:
    paragraph = "Geese never fly in autumn. " * MAX_CLAIM_WORDS

    assert judge_words(ClaimPair(paragraph, SENTENCE)).kind is PARTLY


def read_as(chances: Chances) -> Read:
    """A reader that finds the same in every pair."""
    return lambda pairs, _deadline: [chances for _ in pairs]


@pytest.mark.parametrize(
    ("chances", "kind"),
    [
        (Chances(useful=0.9, supports=0.95, contradicts=0.05), SUPPORTS),
        (Chances(useful=0.9, supports=0.05, contradicts=0.95), CONTRADICTS),
        (Chances(useful=0.9, supports=0.8, contradicts=0.1), NOT_FOUND),
        (Chances(useful=0.9, supports=0.1, contradicts=0.8), NOT_FOUND),
    ],
)
def test_the_reader_speaks_only_where_it_is_sure(chances: Chances, kind: VerdictKind) -> None:
    [verdict] = judge_by_reading([ClaimPair("Birds travel in autumn.", SENTENCE)], read_as(chances))

    assert verdict.kind is kind


def test_the_reader_does_not_overrule_a_number() -> None:
    said = ClaimPair("Twenty geese fly south.", SENTENCE)

    [verdict] = judge_by_reading([said], read_as(Chances(useful=0.9, supports=0.95, contradicts=0.0)))

    assert verdict.kind is CONTRADICTS
