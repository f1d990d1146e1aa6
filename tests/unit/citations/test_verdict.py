import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.citations.model import ClaimPair, Evidence, VerdictKind
from chapterverse.citations.verdicts import (
    MAX_CLAIM_WORDS,
    JudgeByReading,
    judge_by_reading,
    judge_by_words,
    judge_words,
    objection,
)
from chapterverse.core.hits import Passage
from chapterverse.core.ports import Chances, Read
from tests.support.made import a_sentence

SUPPORTS, PARTLY, CONTRADICTS, NOT_FOUND = VerdictKind
SENTENCE = "In autumn thirty geese fly south over the house."
EVIDENCE = Evidence(1, Passage("Birds", a_sentence(SENTENCE), None, None, ""), 0.8, ())
WHO = ("geese", "kings", "soldiers", "ships", "children", "opinions")
DOES = ("leave", "fear", "follow", "help", "honour")
WHOM = ("the town", "the law", "a stranger", "their friends", "the teacher")

sentences = st.builds("{} {} {}.".format, st.sampled_from(WHO), st.sampled_from(DOES), st.sampled_from(WHOM))


@given(sentences)
def test_nothing_speaks_against_the_sentence_itself(sentence: str) -> None:
    assert judge_words(ClaimPair(sentence, sentence)).kind is PARTLY
    assert objection(ClaimPair(sentence, sentence)) is None


@given(st.sampled_from(WHO), st.sampled_from(DOES), st.sampled_from(WHOM))
def test_a_not_turns_the_verdict(who: str, does: str, whom: str) -> None:
    said = ClaimPair(f"{who} do not {does} {whom}.", f"{who} {does} {whom}.")

    assert judge_words(said).kind is CONTRADICTS
    assert objection(said) is not None


@given(st.integers(2, 5000), st.integers(2, 5000))
def test_a_changed_number_is_never_borne_out(ours: int, theirs: int) -> None:
    said = ClaimPair(f"There were {ours} ships in the harbour.", f"There were {theirs} ships in the harbour.")

    assert (judge_words(said).kind is CONTRADICTS) == (objection(said) is not None) == (ours != theirs)


@given(st.text(), st.text(), st.text())
def test_every_text_gets_a_verdict_with_a_reason(claim: str, sentence: str, around: str) -> None:
    assert str(judge_words(ClaimPair(claim, sentence, around, around, around)).reason).endswith(".")


def test_evidence_is_judged_by_its_words() -> None:
    [verdict] = judge_by_words([("Twenty geese fly over the house.", EVIDENCE)])

    assert (verdict.kind, str(verdict.reason)) == (CONTRADICTS, "You say “Twenty”, and the book says “thirty”.")


def test_a_claim_about_something_else_is_not_found() -> None:
    assert judge_words(ClaimPair("Phones are loud.", SENTENCE)).kind is NOT_FOUND


def test_nothing_speaks_against_a_whole_paragraph() -> None:
    paragraph = "Geese never fly in autumn. " * MAX_CLAIM_WORDS

    assert judge_words(ClaimPair(paragraph, SENTENCE)).kind is PARTLY


def read_as(chances: Chances) -> Read:
    """A reader that finds the same in every pair."""
    return lambda pairs, _deadline: [chances for _ in pairs]


FOR, UNSURE = Chances(useful=0.9, supports=0.95, contradicts=0.0), Chances(useful=0.9, supports=0.5, contradicts=0.1)


@pytest.mark.parametrize(
    ("chances", "kind"),
    [
        (FOR, SUPPORTS),
        (Chances(useful=0.9, supports=0.05, contradicts=0.95), CONTRADICTS),
        (Chances(useful=0.9, supports=0.8, contradicts=0.1), NOT_FOUND),
        (Chances(useful=0.9, supports=0.1, contradicts=0.8), NOT_FOUND),
    ],
)
def test_the_reader_speaks_only_where_it_is_sure(chances: Chances, kind: VerdictKind) -> None:
    [verdict] = judge_by_reading([ClaimPair("Birds travel in autumn.", SENTENCE)], read_as(chances))

    assert verdict.kind is kind


def test_a_check_takes_support_back_and_says_no_more_than_that() -> None:
    said = ClaimPair("Twenty geese fly south.", SENTENCE)

    [supported], [unsure] = (judge_by_reading([said], read_as(chances)) for chances in (FOR, UNSURE))

    assert (supported.kind, unsure.kind) == (PARTLY, NOT_FOUND)
    assert str(supported.reason) == "You say “Twenty”, and the book says “thirty”. Check whether you both mean the same."


@pytest.mark.parametrize(("claim", "kind"), [("Twenty geese fly south.", CONTRADICTS), ("Geese fly south.", SUPPORTS)])
def test_a_number_that_a_source_does_not_have_contradicts_an_answer(claim: str, kind: VerdictKind) -> None:
    [verdict] = JudgeByReading(read_as(FOR))([(claim, EVIDENCE)])

    assert verdict.kind is kind
