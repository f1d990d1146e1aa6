"""What is handed in at a learning platform gets its feedback and its report, without a click."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import pytest

from chapterverse.accounts.model import KeyScope
from chapterverse.core.errors import NotFound
from chapterverse.essays.history import find_feedback
from chapterverse.infrastructure.local_queue import LocalQueue
from chapterverse.lti.hand_ins import hand_in_task, resume_hand_ins, run_hand_in
from chapterverse.lti.model import HandInState
from chapterverse.operations.batch_app import run_essay_task
from tests.support.lti import OURS, TOOL, Course
from tests.support.serving import eventually
from tests.support.web import ESSAY, WITHIN

TYPED = "text/html", "".join(f"<p>{part}</p>" for part in ESSAY.split("\n\n")).encode()
FILE = ("essay.txt", "text/plain", ESSAY.encode())
REVISED = ("essay.txt", "text/plain", f"{ESSAY}\n\nSo I think that everybody should be heard.".encode())


@pytest.fixture
def at_work(english: Course) -> Iterator[Course]:
    """An assignment is attached, and tasks are done."""
    english.attached()
    started(english)
    yield english
    queue_of(english).close()


def queue_of(english: Course) -> LocalQueue:
    return english.site.parts.batches.queue


def started(english: Course) -> None:
    parts = english.site.parts
    queue_of(english).start(partial(run_essay_task, batches=parts.batches, hand_ins=parts.hand_ins))


def done(english: Course) -> None:
    queue_of(english).wait_until_idle(WITHIN)


def attached(english: Course) -> str:
    """The assignment's id."""
    return str(english.platform.processor["custom"]["chapterverse_assignment"])


def released(english: Course, assignment: str, is_released: bool) -> None:
    teacher = english.site.caller(KeyScope.TEACHER)
    path = f"/api/v1/assignments/{assignment}/release"
    assert teacher("POST", path, {"feedback": None, "released": is_released}).status_code == 200


def test_a_file_gets_feedback_and_a_report_that_its_student_opens_and_no_other(at_work: Course) -> None:
    assignment = attached(at_work)

    [file] = at_work.hand_in("u-1", FILE)
    done(at_work)

    assert [each["processingProgress"] for each in file.reports] == ["Processing", "Processed"]
    assert file.report["visibleToOwner"] is True
    assert "comments" in file.report["result"].lower()
    browser, address = at_work.signed_in("u-1", f"report/{file.id}")
    assert address.startswith("/essay/mine/")
    feedback = address.rpartition("/")[2]
    assert browser.get(f"/api/v1/feedback/{feedback}/versions", base_url=TOOL, headers=OURS).status_code == 200
    other, _ = at_work.signed_in("u-2", f"report/{file.id}")
    assert other.get(f"/api/v1/feedback/{feedback}/versions", base_url=TOOL, headers=OURS).status_code == 404
    _, desk = at_work.signed_in("u-9", f"report/{file.id}")
    assert desk.startswith(f"/essay/assignments/{assignment}/essays/")


def test_a_revised_essay_replaces_the_first_and_is_its_next_version(at_work: Course) -> None:
    assignment = attached(at_work)
    [first] = at_work.hand_in("u-1", FILE)
    done(at_work)

    [second] = at_work.hand_in("u-1", REVISED)
    done(at_work)

    teacher = at_work.site.caller(KeyScope.TEACHER)
    students = teacher("GET", f"/api/v1/assignments/{assignment}/students").get_json()["students"]
    [anna] = [each for each in students if each["student"] == "u-1"]
    assert anna["essay_version"] == 2
    assert at_work.signed_in("u-9", f"report/{second.id}")[1].endswith(anna["feedback"])
    assert not at_work.signed_in("u-9", f"report/{first.id}")[1].endswith(anna["feedback"])


def test_a_first_essay_whose_feedback_comes_late_does_not_replace_the_revised_one(english: Course) -> None:
    english.attached()
    parts = english.site.parts
    english.send(*(english.platform.hand_in("u-1", [file]) for file in (FILE, REVISED)))

    for each in reversed(parts.lti.store.waiting_hand_ins()):
        run_hand_in(hand_in_task(each, "a test"), 1, parts.hand_ins)

    [shown] = parts.lti.store.hand_ins_with("school", [feedback_of(english)])
    assert english.platform.handed_in[shown.file.asset_id].data == REVISED[2]


def test_the_same_notice_again_writes_nothing_again_and_a_teacher_who_asks_again_gets_the_report_again(at_work: Course) -> None:
    notice = at_work.platform.hand_in("u-1", [("Text entry", *TYPED)])
    [file] = at_work.platform.handed_in.values()
    for _ in range(3):
        assert at_work.send(notice).status_code == 202
    done(at_work)

    assert at_work.send(at_work.platform.signed(at_work.platform.notice([file]))).status_code == 202
    done(at_work)

    assert [each["processingProgress"] for each in file.reports] == ["Processing", "Processed", "Processed"]
    assert "<p>" not in find_feedback("school", feedback_of(at_work), at_work.site.parts.essays.history).answer


def test_feedback_that_waits_for_a_teacher_is_hidden_until_it_is_released(at_work: Course) -> None:
    at_work.site.parts.school_settings.change("school", {"approval": True}, "", at_work.site.parts.now())
    assignment = attached(at_work)
    [file] = at_work.hand_in("u-1", FILE)
    done(at_work)
    assert file.report["visibleToOwner"] is False

    released(at_work, assignment, True)
    done(at_work)
    assert file.report["visibleToOwner"] is True

    released(at_work, assignment, False)
    done(at_work)
    assert file.report["visibleToOwner"] is False


def test_a_file_that_is_no_essay_is_reported_with_what_to_do(at_work: Course) -> None:
    for kind, data, code in (
        ("application/zip", b"PK\x03\x04 no document", "UNSUPPORTED_ASSET_TYPE"),
        ("image/png", b"\x89PNG\r\n\x1a\n" + b"\0" * 90, "UNSUPPORTED_ASSET_TYPE"),
        ("text/plain", b"   ", "UNSUPPORTED_ASSET_TYPE"),
        ("text/plain", b"word " * 2_200_000, "ASSET_TOO_LARGE"),
    ):
        file = at_work.hand_in("u-1", ("file", kind, data))[-1]
        done(at_work)

        report = file.report
        assert (report["processingProgress"], report["errorCode"]) == ("Failed", code)
        assert report["comment"]
        assert "{" not in report["comment"]


@pytest.mark.parametrize("away", [False, True], ids=["a file that changed on its way", "a platform that is away"])
def test_what_cannot_be_read_or_reported_is_tried_again_later(at_work: Course, away: bool) -> None:
    notice = at_work.platform.hand_in("u-1", [FILE])
    [file] = at_work.platform.handed_in.values()
    if away:
        at_work.platform.broken = 503
    else:
        file.data = b"Something else."

    at_work.send(notice)
    with pytest.raises(TimeoutError):
        queue_of(at_work).wait_until_idle(0.5)

    assert away or eventually(lambda: file.report)["processingProgress"] == "Processing"
    at_work.platform.broken, file.data = 0, FILE[2]
    done(at_work)

    assert file.report["processingProgress"] == "Processed"


def test_what_was_given_up_can_be_sent_again_by_the_teacher(at_work: Course) -> None:
    """Canvas offers that where a report is PendingManual, not where it is Failed for a reason of ours."""
    [file] = at_work.hand_in("u-1", FILE)
    done(at_work)
    stored = at_work.site.parts.lti.store.hand_ins_with("school", [feedback_of(at_work)])[0]
    at_work.site.parts.lti.store.keep_hand_in(replace(stored, state=HandInState.WAITING, feedback=None))

    run_hand_in(hand_in_task(stored, "later"), at_work.site.parts.batches.limits.attempts + 1, at_work.site.parts.hand_ins)

    assert (file.report["processingProgress"], "errorCode" in file.report) == ("PendingManual", False)
    at_work.send(at_work.platform.signed(at_work.platform.notice([file])))
    done(at_work)
    assert file.report["processingProgress"] == "Processed"


def test_what_a_platform_leaves_behind_is_nothing_of_its_own(at_work: Course) -> None:
    assignment = attached(at_work)
    at_work.answer_terms("u-1", "no")
    at_work.hand_in("u-2", FILE)
    done(at_work)
    lti, admin = at_work.site.parts.lti, at_work.site.caller(KeyScope.ADMIN)
    [platform] = lti.store.platforms("school")

    assert admin("DELETE", f"/api/v1/setup/platforms/{platform.id}").status_code == 200

    assert lti.store.platforms("school") == []
    assert (lti.store.guests(platform.id), lti.store.waiting_hand_ins()) == ([], [])
    assert not lti.store.has_declined(platform.id, "u-1")
    with pytest.raises(NotFound):
        lti.assignments.assignment("school", assignment)
    assert at_work.send(at_work.platform.hand_in("u-1", [FILE])).status_code == 401


def feedback_of(english: Course) -> str:
    """Of the only file."""
    teacher = english.site.caller(KeyScope.TEACHER)
    students = teacher("GET", f"/api/v1/assignments/{attached(english)}/students").get_json()["students"]
    return str(next(each["feedback"] for each in students if each["feedback"]))


def test_what_a_killed_process_left_is_done_by_the_next(english: Course) -> None:
    english.attached()
    [file] = english.hand_in("u-1", FILE)
    assert file.report is None
    fresh = LocalQueue()  # the next process has an empty one
    parts = english.site.parts
    object.__setattr__(parts.batches, "queue", fresh)

    resume_hand_ins(parts.hand_ins)
    started(english)
    done(english)
    fresh.close()

    assert file.report["processingProgress"] == "Processed"


def test_a_student_who_does_not_agree_gets_no_feedback(at_work: Course) -> None:
    at_work.answer_terms("u-1", "no")
    assert at_work.platform.agreements["u-1"]["accepted"] is False

    [file] = at_work.hand_in("u-1", FILE)
    done(at_work)
    assert (file.report["processingProgress"], file.report["errorCode"]) == ("Failed", "EULA_NOT_ACCEPTED")

    at_work.answer_terms("u-1", "yes")
    at_work.send(at_work.platform.signed(at_work.platform.notice([file])))
    done(at_work)
    assert file.report["processingProgress"] == "Processed"


def test_a_platform_without_notices_is_told_to_use_a_link(at_work: Course) -> None:
    page = at_work.launch("u-9", "processor", **{"https://purl.imsglobal.org/spec/lti/claim/platformnotificationservice": None})

    assert page.status_code == 400
    assert "link" in page.text
