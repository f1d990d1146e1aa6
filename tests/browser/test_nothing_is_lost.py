"""What is typed or handed in is still there after leaving, Back, reload, a closed tab and a double click (make web-test)."""

import os
from pathlib import Path
from time import monotonic

import pytest
from playwright.sync_api import Dialog, Page, Route, expect
from playwright.sync_api import Error as PlaywrightError

from chapterverse.accounts.model import KeyScope
from chapterverse.assignments.model import Assignment, NewAssignment, Release
from chapterverse.assignments.service import add_names, create_assignment
from chapterverse.essays.history import list_own
from chapterverse.questions.helpdesk import ask_for_agent, begin, say
from tests.browser.conftest import Running, expect_accessible
from tests.support.serving import eventually

ESSAY = "Silencing an opinion robs mankind of truth.\n\nMy uncle sings."


def an_assignment(running: Running, release: Release = Release.BY_TEACHER) -> Assignment:
    """An assignment of a class of Anna's."""
    coursework = running.site.parts.coursework
    of = create_assignment("school", NewAssignment(title="Free speech", class_name="9b", release=release), coursework)
    add_names("school", of.class_id or "", "Anna, anna@school.example", coursework)
    return of


def hand_in(page: Page) -> None:
    page.locator("#essay").fill(ESSAY)
    page.get_by_role("button", name="Hand in", exact=True).dblclick()
    expect(page.locator("#submission-state")).to_contain_text("Handed in at")


def test_an_essay_is_handed_in_at_once_and_stays_when_the_browser_is_closed(running: Running) -> None:
    of = an_assignment(running)
    page = running.signed_in(f"/essay?assignment={of.id}")
    expect_accessible(page)
    began = monotonic()
    hand_in(page)
    assert monotonic() - began < 5  # seconds, with a browser on a busy machine; the request itself takes a fraction of one
    expect(page.get_by_role("button", name="Handed in")).to_be_disabled()
    expect_accessible(page, "handed-in")
    page.context.close()
    home = running.signed_in("/")
    expect(home.locator("#own")).to_contain_text("Your feedback is being written.")

    running.writing().wait_until_idle(120)

    expect(home.locator("#own")).to_contain_text("Waiting for your teacher")  # by itself
    [submission] = running.site.parts.assignments.submissions(of.id)
    history = running.site.parts.essays.history
    assert history.store.find("school", submission.feedback or "").owner == "anna@school.example"
    again = running.signed_in(f"/essay?assignment={of.id}")
    expect(again.locator("#essay")).to_have_value(ESSAY)
    expect(again.get_by_role("button", name="Handed in")).to_be_disabled()
    again.locator("#essay").fill(f"{ESSAY} So it is.")
    expect(again.get_by_role("button", name="Hand in a new version")).to_be_enabled()
    again.goto(f"{running.address}/essay?version_of={submission.feedback}")
    expect(again.locator("#essay")).to_have_value(f"{ESSAY} So it is.")


def test_comments_come_in_for_who_stays_and_are_stored_when_they_leave_meanwhile(running: Running) -> None:
    of = an_assignment(running, Release.AT_ONCE)  # its task waits: the page asks first
    page = running.signed_in(f"/essay?assignment={of.id}")

    hand_in(page)

    expect(page.locator("#result .blocks")).to_contain_text("My uncle sings.")
    expect(page.get_by_role("link", name="Read your feedback")).to_be_visible()
    expect_accessible(page, "comments-come-in")
    page.get_by_role("button", name="Change the essay").click()  # until then, the essay stands there once
    page.locator("#essay").fill(f"{ESSAY} So it is.")
    with page.expect_request("**/essay/feedback"):
        page.get_by_role("button", name="Hand in a new version").click()
    page.context.close()

    store, history = running.site.parts.assignments, running.site.parts.essays.history
    eventually(lambda: list_own("school", "anna@school.example", history)[1:])
    [submission] = store.submissions(of.id)
    assert history.store.find("school", submission.feedback or "").owner == "anna@school.example"


def test_feedback_comes_to_who_stays_while_the_server_is_away(running: Running) -> None:
    of = an_assignment(running, Release.AT_ONCE)
    page = running.signed_in(f"/essay?assignment={of.id}")
    page.route("**/essay/feedback", lambda route: route.abort())  # the server is gone once the essay is handed in
    page.route(
        "**/api/v1/assignments/*/essay", lambda route: route.continue_() if route.request.method == "PUT" else route.abort()
    )

    hand_in(page)

    expect(page.locator("#submission-state")).to_contain_text("Trying again")
    page.unroute_all()
    running.writing()
    expect(page.get_by_role("link", name="Read your feedback")).to_be_visible()
    expect(page.locator("#state")).to_be_empty()


def test_a_hand_in_that_does_not_arrive_is_said_there_in_the_next_tab_and_finished_after_a_reload(running: Running) -> None:
    of = an_assignment(running)
    page = running.signed_in(f"/essay?assignment={of.id}")
    page.context.set_offline(True)
    page.locator("#essay").fill(ESSAY)
    page.get_by_role("button", name="Hand in", exact=True).click()
    expect(page.locator("#state")).to_contain_text("connection was lost")
    page.context.set_offline(False)

    other = page.context.new_page()
    other.goto(f"{running.address}/essay?assignment={of.id}")

    expect(other.locator("#essay")).to_have_value(ESSAY)
    other.get_by_role("button", name="Discard").click()
    expect(other.locator("#essay")).to_have_value("")
    page.reload()
    expect(page.locator("#submission-state")).to_contain_text("Handed in at")


def test_a_draft_from_before_a_hand_in_is_offered_and_not_put_in(running: Running) -> None:
    page = running.signed_in(f"/essay?assignment={an_assignment(running).id}")
    other = page.context.new_page()
    other.goto(page.url)
    other.locator("#essay").fill("A fragment.")
    hand_in(page)

    for tab in (other, page, other):
        tab.reload()
        expect(tab.get_by_role("button", name="Handed in")).to_be_disabled()
        expect(tab.locator("#essay")).to_have_value(ESSAY)
    other.locator("#essay").fill("Something else.")
    other.get_by_role("button", name="Use it").click()
    expect(other.locator("#essay")).to_have_value("A fragment.")
    other.get_by_role("button", name="Undo").click()
    expect(other.locator("#essay")).to_have_value("Something else.")


def test_practice_whose_feedback_waits_for_a_teacher_stays_in_the_editor(running: Running) -> None:
    page = running.signed_in("/essay")
    page.route("**/api/v1/essays/feedback", lambda route: route.fulfill(json={}))
    page.locator("#essay").fill(ESSAY)
    page.get_by_role("button", name="Get feedback").click()
    expect(page.locator("#state")).to_contain_text("Your teacher will read the feedback first.")
    page.reload()
    expect(page.locator("#essay")).to_have_value(ESSAY)


@pytest.mark.parametrize("is_answered", [True, False])
def test_what_is_typed_while_a_hand_in_runs_is_there_after_a_reload(running: Running, is_answered: bool) -> None:
    page = running.signed_in(f"/essay?assignment={an_assignment(running).id}")
    page.route("**/api/v1/assignments/*/essay", lambda route: route.continue_() if is_answered else route.fetch())
    page.locator("#essay").fill(ESSAY)
    page.get_by_role("button", name="Hand in").click()
    page.locator("#essay").fill(f"{ESSAY} More.")
    if is_answered:
        expect(page.locator("#submission-state")).to_contain_text("Handed in at")
    page.unroute_all()
    page.reload()

    expect(page.get_by_role("button", name="Hand in a new version")).to_be_enabled()
    expect(page.locator("#essay")).to_have_value(f"{ESSAY} More.")


@pytest.fixture
def desk(running: Running) -> Page:
    """A teacher's page of an essay that is ready to release."""
    of = an_assignment(running)
    hand_in(running.signed_in(f"/essay?assignment={of.id}"))
    running.writing().wait_until_idle(120)
    page = running.signed_in(f"/essay/assignments/{of.id}", KeyScope.TEACHER, email="okri@school.example", name="Ms Okri")
    page.get_by_role("link", name="Open the essay of Anna").click()
    expect(page.get_by_label("Note to the student")).to_be_visible()
    return page


def test_release_saves_what_is_typed(running: Running, desk: Page) -> None:
    desk.get_by_label("Note to the student").fill("Well done.")
    desk.get_by_role("button", name="Release", exact=True).click()
    expect(desk.get_by_text("Visible to students since")).to_be_visible()

    student = running.signed_in("/")
    student.get_by_role("link", name="Free speech").last.click()

    expect(student.get_by_text("Well done.")).to_be_visible()
    desk.get_by_role("button", name="Take back").click()
    expect(desk.locator("#review-state")).to_have_text("Students can’t see this feedback yet.")
    expect_accessible(desk, "desk-taken-back")


def test_an_upload_asks_before_it_replaces_and_names_the_files_that_a_reload_lets_go_of(running: Running) -> None:
    of = an_assignment(running)
    hand_in(running.signed_in(f"/essay?assignment={of.id}"))
    page = running.signed_in(f"/essay/assignments/{of.id}", KeyScope.TEACHER, email="okri@school.example")
    page.locator("#collect > summary").click()
    essay = {"name": "Anna.txt", "mimeType": "text/plain", "buffer": b"Another essay that says more."}
    asked: list[str] = []

    page.locator("#files").set_input_files(essay)  # type: ignore[arg-type]
    page.reload()
    expect(page.locator("#chosen")).to_contain_text("Nothing was uploaded: Anna.txt")
    page.locator("#files").set_input_files(essay)  # type: ignore[arg-type]
    for answer in (Dialog.dismiss, Dialog.accept):
        assert len(running.site.parts.batches.store.find()) == 1
        page.once("dialog", lambda dialog, answer=answer: (asked.append(dialog.message), answer(dialog)))
        page.get_by_role("button", name="Upload", exact=True).click()
        expect(page.locator("#state")).not_to_have_text("Uploading …")

    expect(page.locator("#state")).to_contain_text("Uploaded: 1.")
    assert ["Anna" in each for each in asked] == [True, True]


WAYS = ["leave", "back", "reload", "close"]


@pytest.mark.parametrize("how", WAYS)
def test_a_note_a_grade_and_a_comment_outlive_the_page(desk: Page, how: str) -> None:
    desk.get_by_label("Note to the student").fill("Well done.")
    desk.locator("#grade").fill("2+")
    comment = desk.locator("article.comment").first
    comment.get_by_role("button", name="Edit").click()
    comment.get_by_role("textbox").fill("Say which page.")
    desk.get_by_text("Add a comment").click()
    desk.get_by_label("Comment", exact=True).fill("A strong beginning.")

    desk = left(desk, how)

    expect(desk.get_by_label("Note to the student")).to_have_value("Well done.")
    expect(desk.locator("#grade")).to_have_value("2+")
    expect(desk.locator("article.comment").first).not_to_contain_text("Say which page.")  # nobody has saved it
    expect(desk.locator("article.comment").first.get_by_role("textbox")).to_have_value("Say which page.")
    desk.get_by_role("button", name="Add", exact=True).dblclick()
    expect(desk.locator("#new-comment")).to_have_value("")
    expect(desk.locator("article", has_text="A strong beginning.")).to_have_count(1)


def test_a_comment_that_is_written_while_the_note_is_stored_outlives_it(desk: Page) -> None:
    comment = desk.locator("article.comment").first
    desk.route("**/edits", lambda route: (comment.get_by_role("textbox").fill("Say which page."), route.continue_()), times=1)
    comment.get_by_role("button", name="Edit").click()
    desk.get_by_label("Note to the student").fill("Well done.")
    expect(desk.locator("#saved")).to_have_text("Saved.")

    expect(comment.get_by_role("textbox")).to_have_value("Say which page.")
    desk.reload()
    expect(comment.get_by_role("textbox")).to_have_value("Say which page.")
    desk.get_by_role("button", name="Release", exact=True).click()
    expect(comment).to_contain_text("Say which page.")


def test_of_two_notes_the_typed_one_stays_and_the_other_is_offered_until_one_chooses(running: Running, desk: Page) -> None:
    other = desk.context.new_page()  # of the same person: each tab keeps its own draft
    other.goto(desk.url)
    note, theirs = desk.get_by_label("Note to the student"), desk.locator("#whole q")
    for page, text in ((other, "Well done."), (desk, "Well done. But see me.")):
        page.get_by_label("Note to the student").fill(text)
        expect(page.locator("#saved" if page is other else "#state")).to_contain_text("aved")
    expect(theirs).to_have_text("Well done.")
    desk.locator("#grade").fill("2+")
    other.get_by_label("Note to the student").fill("Well done!")
    expect(other.locator("#saved")).to_have_text("Saved.")
    for _ in range(2):
        expect(note).to_have_value("Well done. But see me.")
        desk.get_by_role("button", name="Release", exact=True).click()
        expect(desk.locator("#state")).to_contain_text("wasn’t saved")
        desk.reload()
        expect(theirs).to_have_text("Well done!")
    tom = running.signed_in(desk.url.removeprefix(running.address), KeyScope.TEACHER, email="tom@school.example")
    expect(tom.get_by_label("Note to the student")).to_have_value("Well done!")
    expect(tom.locator("#grade")).to_have_value("2+")

    address = desk.url
    desk.close()
    other.goto(address)
    other.get_by_role("button", name="Use mine").click()
    expect(other.locator("#saved")).to_have_text("Saved.")
    tom.reload()
    expect(tom.get_by_label("Note to the student")).to_have_value("Well done. But see me.")


def test_of_two_texts_of_a_comment_the_first_stays_and_the_second_is_offered_beside_it(running: Running, desk: Page) -> None:
    tom = running.signed_in(desk.url.removeprefix(running.address), KeyScope.TEACHER, email="tom@school.example", name="Tom")
    for page, text in ((tom, "Of Tom."), (desk, "Mine.")):
        comment = page.locator("article.comment").first
        comment.get_by_role("button", name="Edit").click()
        comment.get_by_role("textbox").fill(text)
        comment.get_by_role("button", name="Save", exact=True).click()
        expect(comment).to_contain_text("Of Tom.")
    desk.reload()
    comment.get_by_role("button", name="Use mine").click()
    expect(comment.get_by_role("textbox")).to_have_value("Of Tom.\n\nMine.")
    comment.get_by_role("button", name="Save", exact=True).click()
    expect(desk.locator("#saved")).to_have_text("Saved.")
    tom.reload()
    expect(tom.locator("article.comment").first).to_contain_text("Of Tom. Mine.")


def left(page: Page, how: str) -> Page:
    """The page after it was left by an address, by Back, by a reload, or with its tab, and opened again."""
    address = page.url
    if how == "reload":
        page.reload()
    elif how == "close":
        tab = page.context.new_page()
        page.close()
        page = tab
    else:
        page.goto("/".join(address.split("/")[:3]))
    if how == "back":
        page.go_back()
    elif how != "reload":
        page.goto(address)
    return page


def test_what_was_typed_outlives_a_browser_that_is_killed_and_nobody_else_finds_it(running: Running, tmp_path: Path) -> None:
    profile = tmp_path / "profile"

    def opened(whose: str) -> Page:
        cookies = running.signed_in("/essay", email=f"{whose}@school.example").context.cookies()
        start = running.browser.browser_type.launch_persistent_context
        context = start(profile, executable_path=os.environ["CHAPTERVERSE_CHROMIUM"], args=["--no-sandbox"])
        context.add_cookies(cookies)  # type: ignore[arg-type]
        page = context.pages[0]
        page.goto(f"{running.address}/essay")
        return page

    page = opened("anna")
    page.locator("#essay").press_sequentially(ESSAY)
    page.wait_for_timeout(1500)
    with pytest.raises(PlaywrightError):
        page.context.new_cdp_session(page).send("Browser.crash")  # at once, as a kill does
    page.context.close()

    for whose, text in (("anna", ESSAY), ("ben", ""), ("anna", "")):
        page = opened(whose)
        expect(page.locator("#essay")).to_have_value(text)
        page.context.close()


def test_a_duplicate_of_a_tab_leaves_the_first_ones_words(running: Running) -> None:
    first = running.signed_in("/essay")
    first.locator("#essay").fill("One.")
    with first.expect_popup() as opened:
        first.evaluate("open(location.href)")  # with a copy of the session storage, as a duplicate has it
    expect(opened.value.locator("#essay")).to_have_value("One.")
    opened.value.locator("#essay").fill("Two.")
    later = first.context.new_page()
    for tab in (first, opened.value):
        tab.close()

    found = set()
    for _ in range(2):
        later.goto(f"{running.address}/essay")
        later.get_by_role("button", name="Discard").wait_for()
        found.add(later.locator("#essay").input_value())
        later.get_by_role("button", name="Discard").click()
    assert found == {"One.", "Two."}


LEFT = """() => new Promise((done) => {  // drafts and files in this browser
  const count = (files) => done(Object.keys(localStorage).length + files);
  indexedDB.open("unsaved").onsuccess = ({target: {result: database}}) =>
    (database.transaction("files").objectStore("files").count().onsuccess = ({target}) => count(target.result));
})"""


@pytest.mark.parametrize("leaves", ["signs out", "another person comes"])
def test_the_next_person_at_the_same_browser_finds_no_draft_and_no_file(running: Running, leaves: str) -> None:
    page = form_of(running, "book")
    page.route("**/collections/books/sources*", lambda route: route.abort())
    page.get_by_label("Replace with a new file").set_input_files({"name": "Atlas.pdf", "mimeType": "", "buffer": b"%PDF-"})
    expect(page.get_by_role("button", name="Try again: Atlas.pdf")).to_be_visible()
    assert page.evaluate(LEFT) == 2

    if leaves == "signs out":
        page.route("**/sign-out", lambda route: route.fulfill(body="Away"))  # as over plain http, where browsers clear nothing
        page.once("dialog", lambda dialog: dialog.accept() if "1 draft, 1 file." not in dialog.message else dialog.dismiss())
        page.get_by_role("button", name="Sign out").click()
        assert page.evaluate(LEFT) == 2
        page.once("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Sign out").click()
        page.wait_for_url("**/sign-out")
    else:
        page.context.clear_cookies()
        page.context.add_cookies(running.signed_in("/", email="ben@school.example").context.cookies())  # type: ignore[arg-type]
        page.goto(f"{running.address}/essay")

    eventually(lambda: page.evaluate(LEFT) == 0)


TYPED = {  # a form: whose, its page, what opens it, a field, and what is typed
    "students": (KeyScope.TEACHER, "{assignment}", "#class > summary", "#names", "Ada"),
    "essays": (KeyScope.TEACHER, "{assignment}", "#paste summary", "#pasted", "=== Anna\nSo it is."),
    "answer": (KeyScope.TEACHER, "/help/inbox", "#answers > summary + #write", "[name=answer]", "At nine."),
    "message": (KeyScope.STUDENT, "/help", "", "#message", "When is"),
    "remark": (KeyScope.STUDENT, "/help", "#human", "#remark", "It is urgent."),
    "people": (KeyScope.ADMIN, "/settings/people", "", "#invite [type=email]", "ben@school.example"),
    "mail": (KeyScope.ADMIN, "/settings/setup", "", "[data-do='PUT /setup/mail'] [name=server]", "mail.school.example"),
    "book": (KeyScope.TEACHER, "/books/on-principle", "summary >> nth=0", "[name=authors]", "J. S. Mill"),
    "essay": (KeyScope.STUDENT, "/essay", "", "#essay", ESSAY),
    "question": (KeyScope.STUDENT, "/ask", "", "#question", "When is it due?"),
    "assignment": (KeyScope.TEACHER, "/essay/assignments", "#new > summary", "[name=instructions]", "Take a side."),
}


def form_of(running: Running, which: str) -> Page:
    """The page of a form in which that is typed."""
    role, path, _, field, text = TYPED[which]
    page = opened(running.signed_in(path.format(assignment=f"/essay/assignments/{an_assignment(running).id}"), role), which)
    page.locator(field).fill(text)
    return page


def opened(page: Page, which: str) -> Page:
    _, _, opener, field, _ = TYPED[which]
    for each in opener.split(" + ") if opener else ():
        expect(page.locator(each)).to_be_visible()
        page.locator(each).click() if not page.locator(field).is_visible() else None
    expect(page.locator(field)).to_be_visible()
    return page


@pytest.mark.parametrize("which", TYPED)
def test_a_form_is_there_after_all_ways_to_leave_it_and_is_discarded_and_undone(running: Running, which: str) -> None:
    *_, field, text = TYPED[which]
    page = form_of(running, which)

    for how in WAYS:
        page = opened(left(page, how), which)
        expect(page.locator(field)).to_have_value(text)
    page.get_by_role("button", name="Discard").click()
    expect(page.locator(field)).to_have_value("")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(field)).to_have_value(text)


def test_what_is_written_offline_is_saved_later_and_beside_what_a_colleague_wrote(running: Running, desk: Page) -> None:
    desk.context.set_offline(True)
    desk.get_by_label("Note to the student").fill("Well done.")
    comment = desk.locator("article.comment").first
    comment.get_by_role("button", name="Edit").click()
    comment.get_by_role("textbox").fill("Say which page.")
    comment.get_by_role("button", name="Save", exact=True).click()
    expect(desk.locator("#state")).to_contain_text("The connection was lost.")
    desk.context.set_offline(False)
    expect(desk.locator("#saved")).to_have_text("Saved.")

    desk.context.set_offline(True)
    desk.get_by_label("Note to the student").fill("Very well done.")
    address = desk.url
    tab = desk.context.new_page()
    desk.close()
    colleague = running.signed_in(address.removeprefix(running.address), KeyScope.TEACHER, email="kim@school.example")
    expect(colleague.locator("article.comment").first).to_contain_text("Say which page.")
    colleague.get_by_label("Note to the student").fill("See me.")
    expect(colleague.locator("#saved")).to_have_text("Saved.")
    tab.context.set_offline(False)
    tab.goto(address)

    expect(tab.get_by_label("Note to the student")).to_have_value("Very well done.")
    tab.get_by_role("button", name="Use theirs").click()
    expect(tab.get_by_label("Note to the student")).to_have_value("See me.")


def test_an_assignment_that_a_colleague_has_changed_is_not_overwritten_unseen(running: Running) -> None:
    path = f"/essay/assignments/{an_assignment(running).id}?change"
    mine = running.signed_in(path, KeyScope.TEACHER, email="okri@school.example")
    theirs = running.signed_in(path, KeyScope.TEACHER, email="kim@school.example")
    mine.get_by_text("Rubric", exact=True).click()
    mine.locator("#rubric-rows").get_by_label("Criterion").first.fill("Gives reasons")
    mine.locator("#rubric-from").select_option(index=1)
    mine.get_by_role("button", name="Undo").click()
    expect(mine.locator("#rubric-rows").get_by_label("Criterion").first).to_have_value("Gives reasons")
    mine.get_by_role("button", name="Save").click()
    mine.wait_for_url(f"**{path.removesuffix('?change')}")

    theirs.get_by_label("Title").fill("Freedom")
    theirs.get_by_role("button", name="Save").click()

    expect(theirs.locator("#assignment-form p.state")).to_contain_text("Someone else has changed this assignment")


def test_an_assignment_whose_answer_is_lost_is_created_once(running: Running) -> None:
    page = running.signed_in("/essay/assignments?new", KeyScope.TEACHER)
    answers: list[int] = []

    def lose_the_first(route: Route) -> None:
        answers.append(route.fetch().status)
        route.abort()
        page.unroute("**/api/v1/assignments")

    page.route("**/api/v1/assignments", lose_the_first)
    page.get_by_label("Title").fill("Free speech")
    page.get_by_label("Right away").check()
    page.get_by_role("button", name="Create the assignment").click()
    expect(page.locator("#assignment-form p.state")).not_to_be_empty()
    page.reload()
    expect(page.get_by_label("Right away")).to_be_checked()
    page.get_by_role("button", name="Create the assignment").click()
    expect(page.get_by_role("heading", name="Free speech")).to_be_visible()

    store = running.site.parts.assignments
    assert answers == [201]
    assert len(store.assignments("school")) == len(store.classes("school")) == 1
    page.goto(f"{running.address}/essay/assignments?new")
    expect(page.get_by_label("Title")).to_have_value("")


TWICE = {  # of TYPED: the button, what is there once, and what else has to be filled in
    "students": ("#names-form .primary", "#class-rows tr:has-text('Ada')", {}),
    "essays": ("#send", "#rows a", {}),
    "message": ("#message-form .primary", "#turns li.student", {}),
    "people": ("#invite .primary", "#people li:has-text('ben@')", {}),
    "answer": ("#entry-form .primary + button", "#entries li", {"[name=question]": "When?"}),
    "assignment": ("#save", "h1:text('Freedom')", {"[name=title]": "Freedom"}),
}


@pytest.mark.parametrize("which", TWICE)
def test_a_double_click_sends_once(running: Running, which: str) -> None:
    button, once, more = TWICE[which]
    running.writing()
    page = form_of(running, which)
    for field, text in more.items():
        page.locator(field).fill(text)

    page.locator(button).dblclick()

    expect(page.locator(once)).to_have_count(1)
    page.reload()
    expect(page.locator(once)).to_have_count(1)
    assert len(running.site.parts.assignments.assignments("school")) == (2 if which == "assignment" else 1)


def test_what_is_written_of_two_answers_at_the_help_desk_is_there_when_either_is_opened_again(running: Running) -> None:
    desk = running.site.parts.helpdesk
    agent = running.signed_in("/help/inbox", KeyScope.TEACHER, email="teach@school.example", name="Thea Teach")
    for asks in ("Where do quokkas sleep?", "Where do wombats sleep?"):
        id = begin("school", "ada@school.example", desk, names=["Ada Lovelace"]).id
        say("school", id, asks, desk)
        ask_for_agent("school", id, desk, "")
        agent.reload()
        agent.get_by_role("button", name=asks).click()
        agent.get_by_role("button", name="Assign to me").click()
    agent.get_by_label("Your answer").fill("In the stable.")

    for asks, text in (("wombats", "In the stable."), ("quokkas", ""), ("wombats", "In the stable.")):
        agent.get_by_role("button", name=asks).click()
        expect(agent.locator("#conversation-list [aria-current]")).to_contain_text(asks)
        expect(agent.get_by_label("Your answer")).to_have_value(text)
