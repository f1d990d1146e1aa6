"""Drafts and entries that are found, and lists of questions and answers, and of tickets, taken in as entries."""

import json
from typing import Any

import pytest

from chapterverse.core.errors import BadBook, NotFound, TooLarge
from chapterverse.questions import faq
from chapterverse.questions.helpdesk import HelpdeskContext, begin, say
from chapterverse.questions.model import EntryText, EntryType
from tests.support.desk import answered

FEE = EntryText(question="What is the fee of a late project?", answer="The fee of a late project is 25 euros.")
NOISE = EntryText(question="When does the library close?", answer="The library closes at ten.")


def found(desk: HelpdeskContext, question: str, department: str | None = None) -> list[str]:
    """The texts of what is found on it."""
    answer = say("school", begin("school", "u-1", desk, department).id, question, desk).answer
    return [claim.text for claim in answer.claims]


def test_a_draft_is_found_by_nobody_until_it_is_approved_which_again_changes_nothing(desk: HelpdeskContext) -> None:
    draft = faq.add_entry("school", FEE, desk)
    assert found(desk, FEE.question) == []

    approved = faq.approve_entries("school", [draft.id], True, desk, read=True)
    assert found(desk, FEE.question) == [FEE.answer]
    assert faq.approve_entries("school", [draft.id], True, desk, read=True) == approved
    assert found(desk, FEE.question) == [FEE.answer]

    faq.approve_entries("school", [draft.id], False, desk, read=True)
    assert found(desk, FEE.question) == []


def test_what_is_changed_is_a_draft_again_may_move_and_once_removed_is_gone_and_the_others_stay(desk: HelpdeskContext) -> None:
    answered(desk, NOISE.question, NOISE.answer)
    entry = answered(desk, FEE.question, FEE.answer)
    of_physics = {"answer": "The fee of a late project is 30 euros.", "department": "physics"}

    faq.change_entry("school", entry.id, FEE.model_copy(update=of_physics), desk)
    assert found(desk, FEE.question) == []
    assert found(desk, NOISE.question) == [NOISE.answer]

    faq.approve_entries("school", [entry.id], True, desk, read=True)
    assert found(desk, FEE.question) == ["The fee of a late project is 30 euros."]
    assert {book.department for book in desk.services.catalog.books("school")} == {None, "physics"}

    faq.remove_entry("school", entry.id, desk)
    assert found(desk, FEE.question) == []
    assert [book.department for book in desk.services.catalog.books("school")] == [None]
    with pytest.raises(NotFound):
        faq.remove_entry("school", entry.id, desk)


def test_what_was_approved_and_not_published_is_with_the_next_start(desk: HelpdeskContext) -> None:
    draft = faq.add_entry(
        "school", EntryText(question="Where do quokkas sleep?", answer="In the stable.", department="zoo"), desk
    )
    desk.faq.save([draft.model_copy(update={"approved": desk.now()})])  # and then it was killed
    assert desk.services.catalog.books("school") == []

    faq.publish_all("school", desk)
    faq.publish_all("school", desk)

    assert [book.department for book in desk.services.catalog.books("school")] == ["zoo"]
    desk.faq.remove("school", draft.id)
    faq.publish_all("school", desk)
    assert desk.services.catalog.books("school") == []


LISTED = {"id": "fee", "question": "What is the fee of a late project?", "answer": "The fee of a late project is 25 euros."}
OTHER_LISTED = {"id": "mail", "question": "How do I reach the registry?", "answer": "Mail registry@uni.example.org for it."}


def imported(desk: HelpdeskContext, *entries: dict[str, Any], approved: bool = True, **how: Any) -> faq.ImportResult:
    return faq.import_entries(json.dumps(entries).encode(), "school", desk, approved=approved, **how)


def indexed(desk: HelpdeskContext) -> int:
    """Chunks of all sources."""
    return sum(book.active.sentences or 0 for book in desk.services.catalog.books("school") if book.active)


def test_an_entry_that_says_something_else_replaces_the_one_of_its_id_and_is_found_if_approved(desk: HelpdeskContext) -> None:
    imported(desk, LISTED, OTHER_LISTED)

    taken = imported(desk, LISTED | {"answer": "The fee of a late project is 30 euros."}, OTHER_LISTED)

    assert (taken.changed, len(taken.entries), indexed(desk)) == (1, 2, 2)
    assert found(desk, LISTED["question"]) == ["The fee of a late project is 30 euros."]
    imported(desk, LISTED | {"answer": "The fee of a late project is 35 euros."}, approved=False)
    assert (indexed(desk), found(desk, LISTED["question"])) == (1, [])


def test_it_is_cited_by_the_lists_own_id_and_a_ticket_of_that_id_is_another(desk: HelpdeskContext) -> None:
    imported(desk, LISTED)
    imported(desk, LISTED, tickets=True)

    answer = say("school", begin("school", "u-1", desk).id, LISTED["question"], desk).answer

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

    resolved, mail = imported(desk, ticket, OTHER_LISTED).entries

    assert (resolved.type, mail.type) == (EntryType.RESOLVED, EntryType.FAQ)
    assert (resolved.question, resolved.answer) == (
        "I am <PERSON> (<ID>): what is the fee?",
        "Dear <PERSON>, it is 25 euros. Mail me, <EMAIL_ADDRESS>. <PERSON>",
    )
    assert mail.answer == OTHER_LISTED["answer"]
    assert (resolved.approved, bool(mail.approved)) == (None, True)
    assert faq.approve_entries("school", [resolved.id, mail.id], True, desk)[0].approved is None
    assert faq.approve_entries("school", [resolved.id], True, desk)[0].approved is None
    assert faq.approve_entries("school", [resolved.id], True, desk, read=True)[0].approved
    kept = b"".join(desk.services.bucket.read(name) for name in desk.services.bucket.names(""))
    assert b"Dear <PERSON>" in kept
    assert b"Ada" not in kept


def test_a_department_is_that_of_the_entry_or_of_the_list(desk: HelpdeskContext) -> None:
    imported(desk, LISTED, OTHER_LISTED | {"department": "registry"}, department="physics")

    assert found(desk, LISTED["question"], "physics") == [LISTED["answer"]]
    assert found(desk, LISTED["question"], "registry") == []
    assert found(desk, OTHER_LISTED["question"], "registry") == [OTHER_LISTED["answer"]]
    imported(desk, LISTED, department="chemistry")  # it moves
    assert found(desk, LISTED["question"], "physics") == []
    assert found(desk, LISTED["question"], "chemistry") == [LISTED["answer"]]
    assert indexed(desk) == 2


def test_only_what_is_new_is_embedded(desk: HelpdeskContext) -> None:
    imported(desk, *(LISTED | {"id": n, "question": f"Question {n}?", "answer": f"It is {n}."} for n in range(20)))
    embedded = desk.services.embedder.embedded
    embedded.clear()

    imported(desk, OTHER_LISTED)

    assert embedded
    assert [text for texts in embedded for text in texts if "registry" not in text] == []
    assert indexed(desk) == 21
    assert found(desk, "Question 3?") == ["It is 3."]


def test_an_entry_or_a_list_that_cannot_be_taken_in_leaves_everything_as_it_was(desk: HelpdeskContext) -> None:
    with pytest.raises(BadBook):
        faq.add_entry("school", EntryText(question="x" * 3000, answer="So."), desk)
    with pytest.raises(BadBook, match="answer is missing"):
        imported(desk, LISTED, {"question": "Why?"})
    with pytest.raises(TooLarge, match="Split it"):
        imported(desk, *({"question": f"Why {number}?", "answer": "So."} for number in range(faq.MAX_ENTRIES + 1)))
    assert desk.faq.of_school("school") == []
