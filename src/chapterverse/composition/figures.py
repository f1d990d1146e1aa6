"""Plans and limits with the figures of the settings."""

from __future__ import annotations

import math
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

from chapterverse.composition.collections import BOOKS, COLLECTIONS

if TYPE_CHECKING:
    from chapterverse.model import Collection, Limits
    from chapterverse.retrieval.plan import RetrievalPlan
    from chapterverse.settings import Settings
    from chapterverse.usecases.overnight.night import NightLimits
    from chapterverse.usecases.textbook_chat import ChatPlan
    from chapterverse.web.parts import Figures


def limits(s: Settings, collection: Collection | None = None) -> Limits:
    """What one school may store in that collection and one PDF may cost."""
    from chapterverse.model import Limits

    return Limits(
        books=COLLECTIONS[collection or BOOKS].most(s),
        bytes=s.max_book_bytes,
        pages=s.max_book_pages,
        words=s.max_book_words,
        seconds=s.parse_seconds,
        megabytes=s.parse_megabytes,
    )


def night_limits(s: Settings) -> NightLimits:
    """What a batch of essays may be, and how long it may take."""
    from chapterverse.usecases.overnight.night import NightLimits

    return NightLimits(
        essays=s.max_batch_essays,
        essay_words=s.max_essay_words,
        window=timedelta(hours=s.batch_hours),
        attempts=s.task_attempts,
    )


def figures(s: Settings) -> Figures:
    """The limits of the HTTP interface."""
    from chapterverse.web.parts import Figures

    return Figures(
        essay_words=s.max_essay_words,
        body_bytes=s.max_body_bytes,
        requests_per_minute=s.requests_per_minute,
        open_requests=s.max_open_requests,
        upload_url_seconds=s.upload_url_seconds,
        batch_bytes=s.max_batch_bytes,
        question_characters=s.max_question_characters,
        open_streams=s.max_open_streams,
        segments_per_minute=s.segments_per_minute,
    )


def essay_plan(s: Settings) -> RetrievalPlan:
    """S1's plan with the figures of the settings."""
    from chapterverse.retrieval.plan import ESSAY_FEEDBACK

    return replace(
        ESSAY_FEEDBACK,
        sentences=s.max_essay_sentences,
        evidence_seconds=s.evidence_seconds,
        key_sentences=s.key_sentences,
        key_sentence_seconds=s.key_sentence_seconds,
        candidates_per_query=s.candidates_per_query,
        max_similarity=s.max_similarity,
        min_score=s.min_score,
        reranked=s.rerank_candidates,
        rerank_seconds=s.rerank_seconds,
    )


def patient_essay_plan(s: Settings) -> RetrievalPlan:
    """The same where nobody waits: however long an essay is, all of it is looked up."""
    return replace(essay_plan(s), evidence_seconds=math.inf)


def chat_plan(s: Settings) -> ChatPlan:
    """How a question to the textbooks is looked up and answered (S4)."""
    from chapterverse.retrieval.plan import TEXTBOOK_CHAT
    from chapterverse.usecases.answers.style import TEXTBOOK_CHAT as STYLE
    from chapterverse.usecases.textbook_chat import ChatPlan

    return ChatPlan(
        plan=replace(TEXTBOOK_CHAT, limit=s.textbook_candidates, hits_per_query=s.textbook_candidates),
        kept=s.textbook_sections,
        boost=s.textbook_boost,
        least=s.textbook_least,
        style=STYLE.with_least({"high": s.textbook_sure}),
    )
