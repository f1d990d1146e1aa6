"""Lists of questions and answers, and of tickets, taken in as entries."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from chapterverse.core.errors import BadBook, TooLarge
from chapterverse.core.hits import Vectors
from chapterverse.questions.faq import MAX_ENTRIES, ImportResult, approve_entries, import_entries
from chapterverse.questions.helpdesk import HelpdeskContext, begin, say
from chapterverse.questions.model import EntryType
from tests.support.word_embedder import WordEmbedder

FEE = {"id": "fee", "question": "What is the fee of a late project?", "answer": "The fee of a late project is 25 euros."}
MAIL = {"id": "mail", "question": "How do I reach the registry?", "answer": "Mail registry@uni.example.org to reach it."}


def imported(desk: HelpdeskContext, *entries: dict[str, Any], approved: bool = True, **how: Any) -> ImportResult:
    return import_entries(json.dumps(entries).encode(), "school", desk, approved=approved, **how)


def found(desk: HelpdeskContext, question: str, department: str | None = None) -> list[str]:
    answer = say("school", begin("school", "u-1", desk, department).id, question, desk).answer
    return [claim.text for claim in answer.claims]


def indexed(desk: HelpdeskContext) -> int:
    """Chunks of all sources."""
    return sum(book.active.sentences or 0 for book in desk.services.catalog.books("school") if book.active)


def test_the_same_list_again_changes_nothing(desk: HelpdeskContext) -> None:
    first, again = imported(desk, FEE, MAIL), imported(desk, FEE, MAIL, approved=False)

    assert (again.added, again.changed, again.entries) == (0, 0, first.entries)
    assert (indexed(desk), found(desk, FEE["question"])) == (2, [FEE["answer"]])


def test_an_entry_that_says_something_else_takes_the_place_of_the_one_of_its_id_and_is_found_if_approved(
    desk: HelpdeskContext,
) -> None:
    imported(desk, FEE, MAIL)

    taken = imported(desk, FEE | {"answer": "The fee of a late project is 30 euros."}, MAIL)

    assert (taken.changed, len(taken.entries), indexed(desk)) == (1, 2, 2)
    assert found(desk, FEE["question"]) == ["The fee of a late project is 30 euros."]
    imported(desk, FEE | {"answer": "The fee of a late project is 35 euros."}, approved=False)
    assert (indexed(desk), found(desk, FEE["question"])) == (1, [])


def test_it_is_cited_by_the_lists_own_id_and_a_ticket_of_that_id_is_another(desk: HelpdeskContext) -> None:
    imported(desk, FEE)
    imported(desk, FEE, tickets=True)

    answer = say("school", begin("school", "u-1", desk).id, FEE["question"], desk).answer

    assert {(source.source_type, source.source_id) for source in answer.sources} == {("faq", "fee"), ("resolved_query", "fee")}


def test_tickets_name_nobody_and_are_approved_one_by_one(desk: HelpdeskContext) -> None:
    ticket = {
        "id": 7,
        "source_type": "resolved_query",
        "student": {"name": "Ada Lovelace", "nr": 5},
        "agent": ["Will Smith"],
        "question": "I am Ada Lovelace (s1234567): what is the fee?",
        "answer": "Dear Ada, it is 25 euros. Mail me, will@uni.example.org. Will Smith",
    }

    resolved, mail = imported(desk, ticket, MAIL).entries

    assert (resolved.type, mail.type) == (EntryType.RESOLVED, EntryType.FAQ)
    assert (resolved.question, resolved.answer) == (
        "I am <PERSON> (<ID>): what is the fee?",
        "Dear <PERSON>, it is 25 euros. Mail me, <EMAIL_ADDRESS>. <PERSON>",
    )
    assert mail.answer == MAIL["answer"]
    assert (resolved.approved, bool(mail.approved)) == (None, True)
    assert approve_entries("school", [resolved.id, mail.id], True, desk)[0].approved is None
    assert approve_entries("school", [resolved.id], True, desk)[0].approved is None
    assert approve_entries("school", [resolved.id], True, desk, read=True)[0].approved
    kept = b"".join(desk.services.bucket.read(name) for name in desk.services.bucket.names(""))
    assert b"Dear <PERSON>" in kept
    assert b"Ada" not in kept


def test_a_department_is_that_of_the_entry_or_of_the_list(desk: HelpdeskContext) -> None:
    imported(desk, FEE, MAIL | {"department": "registry"}, department="physics")

    assert found(desk, FEE["question"], "physics") == [FEE["answer"]]
    assert found(desk, FEE["question"], "registry") == []
    assert found(desk, MAIL["question"], "registry") == [MAIL["answer"]]
    imported(desk, FEE, department="chemistry")  # it moves
    assert found(desk, FEE["question"], "physics") == []
    assert found(desk, FEE["question"], "chemistry") == [FEE["answer"]]
    assert indexed(desk) == 2


@dataclass
class Telling(WordEmbedder):
    """Notes the passages, too."""

    passages: list[str] = field(default_factory=list)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.passages += texts
        return super().embed_passages(texts)


def test_only_what_is_new_is_embedded(desk: HelpdeskContext) -> None:
    telling = Telling()
    desk = replace(desk, services=replace(desk.services, embedder=telling))
    imported(desk, *(FEE | {"id": n, "question": f"Question {n}?", "answer": f"It is {n}."} for n in range(20)))
    telling.passages.clear()

    imported(desk, MAIL)

    assert telling.passages
    assert [text for text in telling.passages if "registry" not in text] == []
    assert indexed(desk) == 21
    assert found(desk, "Question 3?") == ["It is 3."]


def test_a_list_at_fault_or_too_long_leaves_everything_as_it_was(desk: HelpdeskContext) -> None:
    with pytest.raises(BadBook, match="answer is missing"):
        imported(desk, FEE, {"question": "Why?"})
    with pytest.raises(TooLarge, match="Split it"):
        imported(desk, *({"question": f"Why {number}?", "answer": "So."} for number in range(MAX_ENTRIES + 1)))
    assert desk.faq.of_school("school") == []
