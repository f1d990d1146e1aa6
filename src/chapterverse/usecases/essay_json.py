"""Essay evidence as JSON: what the command line prints with --json and the web answers."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from chapterverse.evidence.citation import cite
from chapterverse.evidence.numbering import Evidence, Passage
from chapterverse.evidence.verdict import Verdict
from chapterverse.model import FoundBy
from chapterverse.sentence_json import sentence_json
from chapterverse.usecases.closer_look import CloserLook
from chapterverse.usecases.essay_feedback import EssayEvidence, ParagraphEvidence

Verdicts = Mapping[int, Verdict]
PLACE = ("book", "chapter_number", "chapter", "page_label")  # of the sentence, once more where it is looked for first
NO_VERDICTS: Verdicts = MappingProxyType({})


def essay_evidence_json(found: EssayEvidence, verdicts: Verdicts = NO_VERDICTS) -> dict[str, Any]:
    """Paragraphs and evidence both count from 1; a paragraph without evidence has a "message" that says so. verdicts: on the
    evidence, by its number; "verdict" and "reason" are null for what has none (yet). notes: what
    of the essay was not looked up."""
    return {
        "title": found.title,
        "paragraphs": [paragraph_json(number, one) for number, one in enumerate(found.paragraphs, start=1)],
        "evidence": [evidence_json(one, verdicts.get(one.number)) for one in found.evidence],
        "reranked": reranked_json(found.reranked) if found.reranked else None,
        "notes": list(found.notes),
    }


def reranked_json(look: CloserLook) -> dict[str, Any]:
    """How many candidates a model read together with their query, of those where that might change what is shown."""
    return {"model": look.model, "candidates": look.judged, "of": look.worth}


def paragraph_json(number: int, found: ParagraphEvidence) -> dict[str, Any]:
    """One paragraph of the essay."""
    return {
        "number": number,
        "text": found.paragraph.text,
        "evidence": list(found.numbers),
        "message": found.message,
    }


def evidence_json(evidence: Evidence, verdict: Verdict | None) -> dict[str, Any]:
    """One sentence of a book with its address, its context and why it is here; scores are re-scored cosines."""
    passage = passage_json(evidence.passage)
    return {
        "number": evidence.number,
        "score": round(evidence.score, 4),
        **passage,
        **{name: passage["sentence"][name] for name in PLACE},
        **verdict_json(verdict),
        "found_by": [found_by_json(one) for one in evidence.found_by],
    }


def verdict_json(verdict: Verdict | None) -> dict[str, Any]:
    """Whether a book bears out what a student says, and why."""
    return {"verdict": verdict.kind.value if verdict else None, "reason": verdict.reason if verdict else None}


def passage_json(passage: Passage) -> dict[str, Any]:
    """A sentence with its address and its context."""
    return {
        "book_title": passage.book_title,
        "citation": cite(passage),
        "sentence": sentence_json(passage.sentence),
        "previous": passage.previous.text if passage.previous else None,
        "next": passage.next.text if passage.next else None,
        "further_reading": passage.paragraph,
    }


def found_by_json(found_by: FoundBy) -> dict[str, Any]:
    """One query: where in the essay it comes from, and how well the sentence answers it."""
    query = found_by.query
    return {
        "kind": query.kind.value,
        "paragraph": query.paragraph + 1,
        "text": query.text,
        "score": round(found_by.score, 4),
    }
