"""Conversations and entries as JSON: what the command line prints with --json and the web answers."""

import json
from typing import Any

from chapterverse.questions.helpdesk import Reply
from chapterverse.questions.json import answer_json
from chapterverse.questions.model import Conversation, FaqEntry, Speaker, Turn

LONGEST_BEGINNING = 200  # characters


def reply_json(reply: Reply) -> dict[str, Any]:
    """S5, 5.6: reply, sources, no_relevant_info; and all of the answer. The sources are those that the reply cites."""
    return _told(reply.id, answer_json(reply.answer)) | {"with_agent": reply.held}


def replied_json(turn: Turn) -> dict[str, Any]:
    """The same of an answer that is kept."""
    assert turn.answer  # noqa: S101  # the assistant's
    return _told(turn.id or "", json.loads(turn.answer)) | {"with_agent": False}


def _told(id: str, answer: dict[str, Any]) -> dict[str, Any]:
    cited = {one["number"] for claim in answer["claims"] for one in claim["citations"]}
    sources = [_source_json(source) for source in answer["sources"] if source["number"] in cited]
    return {"id": id, "reply": answer["text"], "sources": sources, "no_relevant_info": answer["nothing"], "answer": answer}


def _source_json(source: dict[str, Any]) -> dict[str, Any]:
    """With S5's names (2, "Data Sources & Metadata"). page: its printed number."""
    page = source["pages"][0]["page_label"] if source["pages"] else None
    seeds = {"source_type": source["type"], "source_id": source["id"], "department_id": source["department"], "page": page}
    return {**source, **seeds}


def conversation_json(told: Conversation) -> dict[str, Any]:
    """All that was said, oldest first."""
    return {
        "id": told.id,
        "user": told.user,
        "department": told.department,
        "created": told.created.isoformat(),
        **hand_off_json(told),
        "turns": [_turn_json(turn) for turn in told.turns],
    }


def hand_off_json(told: Conversation) -> dict[str, Any]:
    """Where it stands with the agents."""
    return {
        "hand_off": told.hand_off and told.hand_off.value,
        "waiting": told.waiting.isoformat() if told.waiting else None,
        "closed": told.closed.isoformat() if told.closed else None,
        "agent_name": told.agent and told.agent.name,
    }


def summary_json(told: Conversation, agent: str = "") -> dict[str, Any]:
    """What a list tells of it: begins: what was asked first; mine: whether that agent has it."""
    asked = [turn.text for turn in told.turns if turn.speaker is Speaker.STUDENT]
    return {
        "id": told.id,
        "user": told.user,
        "department": told.department,
        "created": told.created.isoformat(),
        **hand_off_json(told),
        "mine": bool(told.agent and told.agent.id == agent),
        "begins": asked[0][:LONGEST_BEGINNING] if asked else "",
        "messages": len(told.turns),
        "last": (told.turns[-1].at if told.turns else told.created).isoformat(),
        "last_by": told.turns[-1].speaker.value if told.turns else None,
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
        "archived": entry.archived.isoformat() if entry.archived else None,
    }


def _turn_json(turn: Turn) -> dict[str, Any]:
    answer = json.loads(turn.answer) if turn.answer else None
    told = {"speaker": turn.speaker.value, "text": turn.text, "at": turn.at.isoformat()}
    return {**told, "id": turn.id, "answer": answer}
