"""An answer as JSON: what the command line prints with --json and the web answers."""

from typing import Any

from chapterverse.evidence.citation import cite
from chapterverse.sentence_json import sentence_json
from chapterverse.usecases.answers.answer import Answer, Cited, Claim
from chapterverse.usecases.answers.sources import Source
from chapterverse.usecases.essay_json import passage_json, verdict_json


def answer_json(answer: Answer) -> dict[str, Any]:
    """The whole answer; its sources count from 1, and each claim names those that it rests on."""
    confidence = answer.confidence
    return {
        "text": answer.text,
        "claims": [claim_json(claim) for claim in answer.claims],
        "sources": [source_json(source) for source in answer.sources],
        "confidence": {
            "best": confidence.best,
            "mean": confidence.mean,
            "band": confidence.band,
            "relevance": confidence.relevance,
        },
        "disclaimer": answer.disclaimer or None,
        "nothing": answer.nothing,
        "by": answer.by,
        "notes": list(answer.notes),
    }


def claim_json(claim: Claim) -> dict[str, Any]:
    """A claim and the sentences that it rests on."""
    return {"text": claim.text, "citations": [_citation_json(cited) for cited in claim.citations]}


def source_json(source: Source) -> dict[str, Any]:
    """What was found, without all of its sentences; citation: where its first one stands."""
    sentence = source.passages[0].sentence
    return {
        "number": source.number,
        "title": source.title,
        "headings": list(source.headings),
        "type": source.type,
        "id": source.id,
        "score": source.score,
        "text": source.text,
        "citation": cite(source.passages[0]),
        "url": sentence_json(sentence).get("url"),
    }


def _citation_json(cited: Cited) -> dict[str, Any]:
    return {"number": cited.source.number, **passage_json(cited.passage), **verdict_json(cited.verdict)}
