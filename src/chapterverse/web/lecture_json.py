"""Lectures and their citations as JSON."""

from typing import Any
from urllib.parse import quote

from chapterverse.model import Citation, LectureSession, WindowResult
from chapterverse.usecases.lectures.sessions import AttachedBook
from chapterverse.web.lecture_schemas import RagCitation
from chapterverse.web.links import page_links
from chapterverse.web.operations import PREFIX

SLOW = 2000.0  # milliseconds after which a page may say that citations are being looked for (S3, "Slow Query")


def session_json(session: LectureSession) -> dict[str, Any]:
    """All but its documents."""
    at = f"{PREFIX}/sessions/{session.id}"
    places = {name: f"{at}/{name}" for name in ("segments", "events", "windows")}
    return {"id": session.id, "created_at": session.created, **places}


def document_json(book: AttachedBook) -> dict[str, Any]:
    """A document beside a lecture."""
    return {
        "document_id": book.document,
        "document_name": book.title,
        "document": book.attached.book,
        "collection": book.attached.shelf.value,
        "state": book.state.value,
        "progress": {"done": book.done, "total": book.total},
        "reason": book.reason,
        "message": book.message,
    }


def rag_json(result: WindowResult) -> dict[str, Any]:
    """S3's answer to a window."""
    stages = {name: getattr(result.stages, name) for name in ("keywords", "embed", "search", "rerank")}
    return {
        "window_index": result.window.index,
        "citations": [citation_json(citation) for citation in result.citations],
        "query_metadata": {
            "keywords": result.query.keywords,
            "expanded_concepts": result.query.concepts,
            "processing_time_ms": round(result.total),
            "stages_ms": stages,
            "failed": result.failed,
        },
    }


def window_json(result: WindowResult) -> dict[str, Any]:
    """A window that was looked up, as an event."""
    return {
        "window_index": result.window.index,
        "start": result.window.start,
        "end": result.window.end,
        "segments": list(result.window.segments),
        "citations": [
            RagCitation.model_validate(citation_json(citation)).model_dump(mode="json") for citation in result.citations
        ],
        "processing_time_ms": round(result.total),
        "slow": result.total > SLOW,
        "failed": result.failed,
    }


def citation_json(citation: Citation) -> dict[str, Any]:
    """All that is known of a citation but its paragraph."""
    return {
        "id": citation.id,
        "citation_id": citation.id,
        "session_id": citation.session,
        "transcript_id": citation.transcript,
        "chunk_id": citation.chunk,
        "document_id": citation.document,
        "document": citation.attached.book,
        "collection": citation.attached.shelf.value,
        "document_name": citation.document_name,
        "window_index": citation.window_index,
        "rank": citation.rank,
        "page_number": citation.page_number,
        "page_label": citation.page_label,
        "section_heading": citation.section_heading,
        "snippet": citation.snippet,
        "relevance_score": citation.relevance_score,
        "created_at": citation.created,
        "sentence_id": citation.sentence_id,
        "sentence": f"{PREFIX}/evidence/{quote(citation.sentence_id, safe='')}",
        "image": _image(citation),
    }


def _image(citation: Citation) -> str | None:
    """The page with the sentence lit; only what has a label has pages."""
    if not citation.page_label:
        return None
    page = {"page_index": citation.page_number - 1, "page_label": citation.page_label}
    (link,) = page_links(citation.attached.shelf, citation.attached.book, citation.sentence_id, [page])
    return str(link["image"])
