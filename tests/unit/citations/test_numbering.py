from chapterverse.citations.model import number_evidence
from chapterverse.core.hits import Passage
from tests.support.made import a_found, a_sentence

PASSAGE = Passage("On Liberty", a_sentence(), None, None, "A sentence.")


def test_evidence_is_numbered_from_one_in_the_order_found_and_keeps_the_queries_that_found_it() -> None:
    found = [a_found("a", (2, 0.8), (0, 0.6)), a_found("b", (1, 0.7))]

    evidence = number_evidence([(one, PASSAGE) for one in found])

    assert [(one.number, one.score, one.found_by) for one in evidence] == [
        (1, 0.8, found[0].found_by),
        (2, 0.7, found[1].found_by),
    ]
