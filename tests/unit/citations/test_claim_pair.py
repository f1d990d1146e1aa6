from chapterverse.citations.model import ClaimPair, Evidence, claim_pair
from chapterverse.core.hits import Passage
from tests.support.made import a_sentence


def test_a_claim_is_paired_with_the_sentence_its_neighbours_and_the_title() -> None:
    passage = Passage("Walden", a_sentence("It stands."), a_sentence("Before."), None, "")

    pair = claim_pair("It stands there.", Evidence(1, passage, 0.8, ()))

    assert pair == ClaimPair("It stands there.", "It stands.", "Before.", "", "Walden")
    assert pair.around.split() == ["Before.", "Walden"]
