"""Conversations and entries as JSON: what the command line prints with --json and the web answers."""

import json
from typing import Any

from chapterverse.model import Conversation, FaqEntry, Turn
from chapterverse.usecases.answers.answer_json import answer_json, source_json
from chapterverse.usecases.answers.sources import Source
from chapterverse.usecases.helpdesk.talk import Reply


def reply_json(reply: Reply) -> dict[str, Any]:
    """S5, 5.6: reply, sources, no_relevant_info; and all of the answer. The sources are those that the reply cites."""
    answer, told = reply.answer, answer_json(reply.answer)
    cited = {one.source.number for claim in answer.claims for one in claim.citations}
    sources = [_source_json(source) for source in answer.sources if source.number in cited]
    return {"id": reply.id, "reply": answer.text, "sources": sources, "no_relevant_info": answer.nothing, "answer": told}


def _source_json(source: Source) -> dict[str, Any]:
    """With S5's names (2, "Data Sources & Metadata"). page: its printed number."""
    told = source_json(source)
    page = told["pages"][0]["page_label"] if told["pages"] else None
    seeds = {"source_type": told.pop("type"), "source_id": told.pop("id"), "department_id": source.department, "page": page}
    return {**told, **seeds}


def conversation_json(told: Conversation) -> dict[str, Any]:
    """All that was said, oldest first."""
    return {
        "id": told.id,
        "user": told.user,
        "department": told.department,
        "created": told.created.isoformat(),
        "waiting": told.waiting.isoformat() if told.waiting else None,
        "turns": [_turn_json(turn) for turn in told.turns],
    }


def entry_json(entry: FaqEntry) -> dict[str, Any]:
    """An entry, whether it is found or not."""
    return {
        "id": entry.id,
        "question": entry.question,
        "answer": entry.answer,
        "department": entry.department,
        "type": entry.type.value,
        "source_id": entry.source_id,
        "conversation": entry.conversation,
        "created": entry.created.isoformat(),
        "approved": entry.approved.isoformat() if entry.approved else None,
    }


def _turn_json(turn: Turn) -> dict[str, Any]:
    answer = json.loads(turn.answer) if turn.answer else None
    return {"speaker": turn.speaker.value, "text": turn.text, "at": turn.at.isoformat(), "answer": answer}
