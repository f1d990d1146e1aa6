"""What is written on a class, as JSON lines and pages."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chapterverse.core.errors import EssayBusy, NotFound
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.entries import EssayEntry
from chapterverse.essays.batch.files import JSONL, feedback_id, forget_feedback, pages_of, prediction_folder, results_of
from chapterverse.essays.batch.model import BatchKey
from chapterverse.essays.batch.service import begin_batch, essays_of, submit_batch
from chapterverse.essays.history import feedback_of
from chapterverse.essays.model import Choice, Show
from chapterverse.essays.records import FeedbackResponse
from chapterverse.essays.review import choose
from chapterverse.library.artefacts import load_book
from chapterverse.messages import plain
from tests.support.batches import TRUTH, a_batch_context, begun, entries, lines, queue_of, with_history
from tests.support.intake import Clockwork, Killed, Watched
from tests.support.shelved import shelve
from tests.support.traces import files_with

BAD = EssayEntry(3, "=cleo()", problem=plain("Line 3 has no text."))


def done(context: BatchContext, given: list[EssayEntry]) -> BatchKey:
    batch = begun(context, given)
    queue_of(context).do_all(context)
    return batch.key


def test_when_the_last_essay_has_ended_all_of_them_are_in_one_file(context: BatchContext) -> None:
    key = done(context, [*entries(TRUTH, "My uncle sings."), BAD])

    found = lines(results_of(key, context))

    assert [(one["number"], one["id"], one.get("error")) for one in found] == [
        (1, "ada", None),
        (2, "ben", None),
        (3, "=cleo()", {"code": "bad_request", "message": "Line 3 has no text."}),
    ]
    assert found[0]["comments"]
    kept = [feedback_of(context.history.store.find("school", one["feedback"])) for one in found[:2]]
    comments = [FeedbackResponse.of_feedback(each).model_dump(mode="json")["comments"] for each in kept]
    assert comments == [one["comments"] for one in found[:2]]


def test_what_is_left_is_named_and_has_no_page(context: BatchContext) -> None:
    batch = begun(context, entries(TRUTH, "My uncle sings."))

    assert [one["error"]["code"] for one in lines(results_of(batch.key, context))] == ["left", "left"]
    assert list(pages_of(batch.key, context)) == []


def test_each_student_has_a_page_of_its_own_whatever_the_id(context: BatchContext) -> None:
    twin = EssayEntry(1, "Ada / 7b", None, TRUTH)
    other = EssayEntry(2, "../<b>", None, "My uncle sings.")
    key = done(context, [twin, other, replace(twin, number=3), replace(BAD, number=4)])

    names, pages = zip(*pages_of(key, context), strict=True)

    assert [name[:5] for name in names] == ["0001-", "0002-", "0003-"]
    assert "My uncle sings." in pages[1].decode()


GIVEN = entries(TRUTH, "My uncle sings.", "My aunt dances.")


@pytest.fixture
def key(context: BatchContext) -> BatchKey:
    """A batch that is done."""
    return done(context, GIVEN)


def test_feedback_takes_its_essay_out_of_every_file_and_no_other(context: BatchContext, key: BatchKey, tmp_path: Path) -> None:
    context.results.write(f"{prediction_folder(key)}asked.json", b"My uncle sings.")
    assert files_with("uncle", tmp_path)

    forget_feedback("school", feedback_id(key, 2), context)

    assert files_with("uncle", tmp_path) == files_with('"ben"', tmp_path) == []
    assert [name for name, _ in pages_of(key, context)] == ["0001-ada.html", "0003-cleo.html"]
    told = [(one["id"], one.get("error")) for one in lines(results_of(key, context))]
    error = {"code": "deleted", "message": "A teacher has deleted this essay."}
    assert told == [("ada", None), ("2", error), ("cleo", None)]
    assert [one.id for one in essays_of(key, context)] == ["ada", "2", "cleo"]
    again = submit_batch("school", GIVEN, [], context)
    begin_batch(again.key, context)
    assert (again.key, again.done, again.failed) == (key, 2, 1)  # handed in again it stays forgotten
    assert files_with("uncle", tmp_path) == []


def test_while_somebody_is_at_work_it_is_not_forgotten_and_of_a_lost_batch_alone(context: BatchContext, key: BatchKey) -> None:
    id = feedback_id(key, 1)

    with context.store.claim(key, 1), pytest.raises(EssayBusy):
        forget_feedback("school", id, context)

    assert (context.store.batch(key).done, feedback_id(key, 1)) == (3, id)
    context.store.remove(key)

    forget_feedback("school", id, context)

    with pytest.raises(NotFound):
        forget_feedback("school", id, context)


def test_killed_before_any_of_its_steps_whoever_asks_again_forgets_it_whole(tmp_path: Path) -> None:
    for kill_before in range(1, 5):
        folder = tmp_path / str(kill_before)
        with a_batch_context(folder) as context:
            batch, queue = begun(context, GIVEN), context.queue
            queue.do_all(context)
            id, clockwork = feedback_id(batch.key, 2), Clockwork(kill_before)
            ports: Any = {name: Watched(getattr(context, name), clockwork) for name in ("results", "store")}
            watched = with_history(context, store=Watched(context.history.store, clockwork))
            with pytest.raises(Killed):
                forget_feedback("school", id, replace(watched, **ports))

            forget_feedback("school", id, context)

            assert files_with("uncle", folder) == []


OTHER = "Who silences opinion robs mankind of truth."


def test_what_a_teacher_chooses_is_in_every_file_and_can_be_undone(context: BatchContext) -> None:
    key = done(context, entries(TRUTH, "My uncle sings."))
    other = shelve(context.services, "On Truth", [OTHER]).versions[0].key
    [sentence] = (one for one in load_book(context.services.bucket, other).sentences if one.text == OTHER)

    def files(choice: Choice) -> dict[str, bytes]:
        choose("school", feedback_id(key, 1), choice, context.essays)
        return {JSONL: results_of(key, context), **dict(pages_of(key, context))}

    before, hidden, exchanged = (files(each) for each in (Choice(1), Choice(1, Show.HIDDEN), Choice(1, sentence=sentence.id)))

    assert [one["evidence"] for one in lines(hidden[JSONL])] == [[], []]
    assert lines(hidden[JSONL])[1] == lines(before[JSONL])[1]
    assert [one["sentence"]["text"] for one in lines(exchanged[JSONL])[0]["evidence"]] == [OTHER]
    assert [b"On Liberty" in each["0001-ada.html"] for each in (before, hidden)] == [True, False]
    assert b"On Truth" in exchanged["0001-ada.html"]
    assert files(Choice(1)) == before
