from chapterverse.citations.model import Verdict, VerdictKind
from chapterverse.essays.model import Citation, Comment, in_order, worst_verdicts
from chapterverse.essays.quoted import claim_of
from chapterverse.messages import plain
from tests.support.essays import a_subject, evidence_on

AGAINST = Citation(evidence_on(1), Verdict(VerdictKind.CONTRADICTS, plain("It says no.")))
FOR = Citation(evidence_on(0), Verdict(VerdictKind.SUPPORTS, plain("It says so.")))


def test_contradictions_come_first_then_paragraph_after_paragraph_and_the_whole_last() -> None:
    whole, first, second = Comment(None, "whole"), Comment(0, "first", citations=(FOR,)), Comment(1, "no", citations=(AGAINST,))

    assert in_order([whole, first, second]) == (second, first, whole)


def test_a_quotation_is_the_books_own_sentence() -> None:
    assert FOR.quote == "Silencing an opinion robs mankind of truth."


def test_evidence_belongs_to_the_paragraphs_whose_queries_found_it() -> None:
    subject = a_subject()

    assert [one.number for one in subject.on(0)] == [1]
    assert subject.on(1) == []


def test_the_claim_is_the_key_sentence_that_found_the_evidence() -> None:
    found = evidence_on(0, key="My uncle sings every morning.")

    assert claim_of(a_subject().essay, 0, found, ()) == "My uncle sings every morning."


def test_where_the_whole_paragraph_found_it_the_claim_is_the_sentence_nearest_to_it() -> None:
    assert claim_of(a_subject().essay, 0, evidence_on(0), ()) == "Silencing opinion robs us of truth."


def test_of_several_verdicts_on_a_piece_of_evidence_the_most_serious_counts() -> None:
    no_and_yes = [Comment(0, "no", citations=(AGAINST,)), Comment(1, "yes", citations=(FOR,)), Comment(1, "uncited")]

    assert worst_verdicts(no_and_yes) == worst_verdicts(reversed(no_and_yes)) == {1: AGAINST.verdict}
