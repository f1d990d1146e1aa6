"""An answer as JSON: what the command line prints with --json and the web answers.

An answer from the textbooks as JSON: what the command line prints with --json and the web answers."""

from dataclasses import asdict
from typing import Any

from chapterverse.citations.model import cite
from chapterverse.citations.passages import passage_json, verdict_json
from chapterverse.core.book import Sentence
from chapterverse.core.hits import Passage
from chapterverse.questions.answers import Answer, Cited, Claim, Findings, Source


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
            "answerable": asdict(confidence.judgement) if confidence.judgement else None,
        },
        "disclaimer": answer.disclaimer or None,
        "nothing": answer.nothing,
        "intent": answer.asking and {"name": answer.asking.intent.value, "score": answer.asking.score},
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
        "department": source.department,
        "score": source.score,
        "text": source.text,
        "citation": cite(source.passages[0]),
        **seen_json(sentence),
    }


def seen_json(sentence: Sentence) -> dict[str, Any]:
    """What is needed to show a sentence where it stands: its pages, or for what has none its url."""
    address = sentence.address
    pages = [{"page_index": place.page_index, "page_label": place.page_label} for place in address.places]
    return {"book": address.book, "sentence_id": sentence.id, "pages": pages, "url": address.url}


def _citation_json(cited: Cited) -> dict[str, Any]:
    told = {**passage_json(cited.passage), **verdict_json(cited.verdict)}
    return {"number": cited.source.number, **told, **seen_json(cited.passage.sentence)}


def chat_json(answer: Answer, findings: Findings) -> dict[str, Any]:
    """All of it; sections: where each source that is cited stands, at the first sentence cited of it, by number."""
    cited = [each for claim in answer.claims for each in claim.citations]
    first = {each.source.number: each for each in reversed(cited)}
    sections = [section_json(first[number]) for number in sorted(first)]
    near = [related_json(*each) for each in zip(findings.related, findings.near, strict=False)]
    return {**answer_json(answer), "sections": sections, "related_topics": list(findings.related), "related": near}


def related_json(title: str, passage: Passage) -> dict[str, Any]:
    """A section that is near the question, and where it is read."""
    sentence = passage.sentence
    return {"title": title, "paragraph_id": sentence.address.paragraph_id, **seen_json(sentence)}


def section_json(cited: Cited) -> dict[str, Any]:
    """Where it stands, as a link."""
    address = cited.passage.sentence.address
    headings = (address.chapter.module, address.chapter.name, *address.section_path)
    return {
        "number": cited.source.number,
        "section": " > ".join(filter(None, headings)),
        "module": address.chapter.module,
        "chapter": address.chapter.name,
        "heading": address.section_path[-1] if address.section_path else None,
        "file": address.chapter.file,
        **seen_json(cited.passage.sentence),
        "page_label": address.places[0].page_label if address.places else None,
        "relevance": cited.source.score,
    }
