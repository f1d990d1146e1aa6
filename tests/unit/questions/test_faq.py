"""Drafts and entries that are found, and lists of questions and answers, and of tickets, taken in as entries."""

import pytest

from chapterverse.core.errors import NotFound
from chapterverse.questions.faq import add_entry, approve_entries, change_entry, publish_all, remove_entry
from chapterverse.questions.helpdesk import HelpdeskContext, begin, say
from chapterverse.questions.model import EntryText
from tests.support.desk import answered

FEE = EntryText(question="What is the fee of a late project?", answer="The fee of a late project is 25 euros.")
NOISE = EntryText(question="When does the library close?", answer="The library closes at ten.")


def found(desk: HelpdeskContext, question: str, department: str | None = None) -> list[str]:
    """The texts of what is found on it."""
    answer = say("school", begin("school", "u-1", desk, department).id, question, desk).answer
    return [claim.text for claim in answer.claims]


def test_a_draft_is_found_by_nobody_until_it_is_approved_which_again_changes_nothing(desk: HelpdeskContext) -> None:
    draft = add_entry("school", FEE, desk)
    assert found(desk, FEE.question) == []

    approved = approve_entries("school", [draft.id], True, desk, read=True)
    assert found(desk, FEE.question) == [FEE.answer]
    assert approve_entries("school", [draft.id], True, desk, read=True) == approved
    assert found(desk, FEE.question) == [FEE.answer]

    approve_entries("school", [draft.id], False, desk, read=True)
    assert found(desk, FEE.question) == []


def test_what_is_changed_is_a_draft_again_may_move_and_is_found_no_more_once_removed_and_the_others_stay(
    desk: HelpdeskContext,
) -> None:
    answered(desk, NOISE.question, NOISE.answer)
    entry = answered(desk, FEE.question, FEE.answer)
    of_physics = {"answer": "The fee of a late project is 30 euros.", "department": "physics"}

    change_entry("school", entry.id, FEE.model_copy(update=of_physics), desk)
    assert found(desk, FEE.question) == []
    assert found(desk, NOISE.question) == [NOISE.answer]

    approve_entries("school", [entry.id], True, desk, read=True)
    assert found(desk, FEE.question) == ["The fee of a late project is 30 euros."]
    assert {book.department for book in desk.services.catalog.books("school")} == {None, "physics"}

    remove_entry("school", entry.id, desk)
    assert found(desk, FEE.question) == []
    assert [book.department for book in desk.services.catalog.books("school")] == [None]
    with pytest.raises(NotFound):
        remove_entry("school", entry.id, desk)


def test_schools_have_entries_of_their_own(desk: HelpdeskContext) -> None:
    entry = answered(desk, FEE.question, FEE.answer)

    with pytest.raises(NotFound):
        approve_entries("another", [entry.id], False, desk, read=True)
    assert say("another", begin("another", "u", desk).id, FEE.question, desk).answer.nothing


def test_what_was_approved_and_not_published_is_with_the_next_start(desk: HelpdeskContext) -> None:
    draft = add_entry("school", EntryText(question="Where do quokkas sleep?", answer="In the stable.", department="zoo"), desk)
    desk.faq.save([draft.model_copy(update={"approved": desk.now()})])  # and then it was killed
    assert desk.services.catalog.books("school") == []

    publish_all("school", desk)
    publish_all("school", desk)

    assert [book.department for book in desk.services.catalog.books("school")] == ["zoo"]
    desk.faq.remove("school", draft.id)
    publish_all("school", desk)
    assert desk.services.catalog.books("school") == []
