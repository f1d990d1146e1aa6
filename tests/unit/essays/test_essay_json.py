from dataclasses import replace
from typing import Any

from chapterverse.citations.model import Relation, number_evidence
from chapterverse.core.hits import Passage
from chapterverse.essays.model import EssayEvidence, Paragraph, ParagraphEvidence
from chapterverse.essays.records import EssayEvidenceResponse
from tests.support.made import a_found, a_sentence

PASSAGE = Passage("On Liberty", a_sentence("It stands."), None, a_sentence("After."), "It stands. After.")
PARAGRAPHS = (
    ParagraphEvidence(Paragraph("I say so.", ("I say so.",)), (1,)),
    ParagraphEvidence(Paragraph("My phone is empty.", ("My phone is empty.",)), ()),
)
FOUND = EssayEvidence("Title", PARAGRAPHS, tuple(number_evidence([(a_found("a", (0, 0.81239)), PASSAGE)])))


def essay_evidence_json(found: EssayEvidence) -> dict[str, Any]:
    return EssayEvidenceResponse.of(found).model_dump(mode="json")


def test_a_paragraph_says_which_evidence_bears_on_it_or_that_nothing_does() -> None:
    assert essay_evidence_json(FOUND)["paragraphs"] == [
        {"number": 1, "text": "I say so.", "evidence": [1], "message": None},
        {
            "number": 2,
            "text": "My phone is empty.",
            "evidence": [],
            "message": "We found nothing in your books for this paragraph.",
        },
    ]


def test_evidence_has_its_sentence_its_context_and_its_reason() -> None:
    [evidence] = essay_evidence_json(FOUND)["evidence"]

    assert evidence.pop("sentence")["text"] == "It stands."
    assert evidence == {
        "number": 1,
        "score": 0.8124,
        "book_title": "On Liberty",
        "citation": "(On Liberty, Chapter II, Page 35)",
        "previous": None,
        "next": "After.",
        "further_reading": "It stands. After.",
        "relation": None,
        "label": None,
        "quotation": None,
    }


def test_evidence_says_what_it_does_for_the_point() -> None:
    [one] = FOUND.evidence
    read = replace(FOUND, evidence=(replace(one, relation=Relation.CONTRADICTS),))

    [evidence] = essay_evidence_json(read)["evidence"]

    assert (evidence["relation"], evidence["label"]) == ("contradicts", "Contradicts your point")
