"""An answer from the textbooks as JSON: what the command line prints with --json and the web answers."""

from typing import Any

from chapterverse.evidence.numbering import Passage
from chapterverse.usecases.answers.answer import Answer, Cited
from chapterverse.usecases.answers.answer_json import answer_json, seen_json
from chapterverse.usecases.answers.sources import Findings


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
