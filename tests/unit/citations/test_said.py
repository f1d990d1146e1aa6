from chapterverse.citations.model import ClaimPair, Evidence, claim_pair
from chapterverse.core.hits import Passage
from tests.support.made import a_sentence


def test_a_claim_stands_beside_the_sentence_its_neighbours_and_the_title() -> None:
    passage = Passage("Walden", a_sentence("It stands."), a_sentence("Before."), None, "")

    said = claim_pair("It stands there.", Evidence(1, passage, 0.8, ()))

    assert said == ClaimPair("It stands there.", "It stands.", "Before.", "", "Walden")
    assert said.around.split() == ["Before.", "Walden"]
