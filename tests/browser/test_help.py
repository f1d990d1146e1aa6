"""The help desk in a real browser (make web-test): a student's chat, the agents' inbox, answers for all."""

from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from chapterverse.accounts.model import KeyScope
from chapterverse.library.intake import add_book
from chapterverse.library.services import parsed
from chapterverse.questions.helpdesk import ask_for_agent, begin, say
from tests.browser.conftest import Running, expect_accessible, take_picture
from tests.support.books import LIMITS
from tests.support.desk import answered
from tests.support.pdfs import a_pdf

RULES = "A late project is handed in at the registry. Whoever is late pays a fee of twenty euros there."
QUESTION, ANSWER = "When does the library <script>close?", 'The library "closes" at nine & not before.'
UNKNOWN = "Where do quokkas sleep?"


def ready(running: Running) -> None:
    """A document of a department, and an entry for everybody."""
    desk = running.site.parts.helpdesk
    services = replace(desk.services, parser=parsed)
    add_book(a_pdf(RULES), "rules.pdf", "school", services, replace(LIMITS, megabytes=2048), department="physics")
    answered(desk, QUESTION, ANSWER)


def write(page: Page, text: str) -> None:
    page.get_by_label("Your message").fill(text)
    page.keyboard.press("Enter")


def waits(running: Running, asks: str = UNKNOWN) -> str:
    """A conversation of another student that waits for a person."""
    desk = running.site.parts.helpdesk
    id = begin("school", "ada@school.example", desk, names=["Ada Lovelace"]).id
    say("school", id, asks, desk)
    return ask_for_agent("school", id, desk, "It is for Ada Lovelace's essay.").id


def test_a_question_is_answered_with_its_sources_one_click_away(running: Running) -> None:
    ready(running)
    page = running.signed_in("/help")
    expect_accessible(page, "help-empty")

    write(page, "A late project is handed in at the registry.")

    document = page.get_by_role("button", name="Document: Rules")
    expect(document).to_contain_text("physics")
    expect(page.locator("#announcement")).to_contain_text("handed in at the registry.")
    expect(page.get_by_label("Your message")).to_be_focused()
    document.click()
    picture = page.locator("dialog img")
    expect(picture).to_have_js_property("complete", True)
    assert picture.evaluate("image => image.naturalWidth") > 0
    page.keyboard.press("Escape")

    write(page, QUESTION)
    page.get_by_role("button", name="School answer").click()
    expect(page.get_by_role("dialog")).to_contain_text(ANSWER)
    expect_accessible(page)
    page.keyboard.press("Escape")
    take_picture(page, "help-answered")


def test_where_nothing_is_found_a_person_is_asked_for_and_answers_in_the_same_chat(running: Running) -> None:
    ready(running)
    student = running.signed_in("/help")
    write(student, UNKNOWN)
    student.locator("#turns").get_by_role("button", name="Talk to a person").click()
    expect_accessible(student, "help-ask-human")
    student.get_by_label("Anything else they should know?").fill("For my essay on marsupials.")
    student.locator("#ask-human").get_by_role("button", name="Send").click()
    expect(student.locator("#person")).to_contain_text("We’ve asked a person to answer.")
    expect(student.locator("#turns")).to_contain_text("marsupials")
    take_picture(student, "help-waiting")

    agent = running.signed_in("/help/inbox", KeyScope.TEACHER, email="teach@school.example", name="Thea Teach")
    agent.get_by_role("button", name=UNKNOWN).click()
    expect(agent.locator("#turns")).to_contain_text("marsupials")
    expect_accessible(agent, "help-inbox-open")
    agent.get_by_role("button", name="Assign to me").click()
    agent.get_by_label("Your answer").fill("In the stable, says Thea Teach.")
    agent.keyboard.press("Enter")
    expect(agent.locator("#turns")).to_contain_text("In the stable")
    take_picture(agent, "help-inbox-mine")

    expect(student.locator("#person")).to_contain_text("Thea Teach is now answering you here.")
    expect(student.locator("#turns")).to_contain_text("In the stable")
    expect(student.locator("#announcement")).to_contain_text("In the stable")
    write(student, "Which stable?")
    expect(student.locator("#turns > li").last).to_contain_text("Which stable?")
    expect(agent.locator("#turns")).to_contain_text("Which stable?")
    expect_accessible(student, "help-person")

    agent.get_by_role("button", name="Close and propose as an answer").click()
    agent.wait_for_url("**/help/inbox#answer=*")
    expect(agent.get_by_role("textbox", name="Answer", exact=True)).to_have_value("In the stable, says <PERSON>.")
    expect(agent.get_by_text("Personal data was removed. Rewrite the sentence so it isn’t needed.")).to_be_visible()
    expect_accessible(agent, "help-answers-draft")
    agent.get_by_role("textbox", name="Answer", exact=True).fill("Quokkas sleep in the stable.")
    agent.get_by_role("button", name="Save and approve").click()
    expect(agent.locator("#answers .state")).to_contain_text("The answer is live now.")

    student.get_by_role("button", name="New conversation").click()
    write(student, UNKNOWN)
    expect(student.locator("#turns")).to_contain_text("Quokkas sleep in the stable.")
    student.locator("#conversations button").nth(1).click()
    expect(student.locator("#turns")).to_contain_text("Which stable?")
    take_picture(student, "help-earlier")


def test_two_agents_do_not_take_the_same(running: Running) -> None:
    id = waits(running)
    one, other = (
        running.signed_in("/help/inbox", KeyScope.TEACHER, email=f"{name}@school.example", name=name) for name in ("Uma", "Udo")
    )
    for page in (one, other):
        page.get_by_role("button", name=UNKNOWN).click()
        expect(page.get_by_role("button", name="Assign to me")).to_be_visible()

    one.get_by_role("button", name="Assign to me").click()
    expect(one.get_by_label("Your answer")).to_be_visible()
    answer = other.request.put(f"{running.address}/api/v1/conversations/{id}/agent")

    assert (answer.status, answer.json()["detail"]) == (409, "Uma is already handling this conversation. Choose another one.")
    expect(other.get_by_role("button", name="Assign to me")).to_have_count(0)
    other.get_by_role("button", name="Assigned to others 1").click()
    expect(other.locator("#conversation-list")).to_contain_text("Uma")

    one.get_by_label("Your answer").fill("In the stable.")
    one.keyboard.press("Enter")
    expect(one.locator("#turns")).to_contain_text("In the stable.")
    one.get_by_role("button", name="Return to queue").click()
    other.get_by_role("button", name="Assign to me").click()
    other.get_by_label("Your answer").fill("In the st")
    other.reload()
    expect(other.locator(".turn.agent .who")).to_contain_text("Uma")  # it is open again
    expect(other.get_by_label("Your answer")).to_have_value("In the st")


def test_a_lost_connection_loses_no_message_and_says_none_twice(running: Running) -> None:
    ready(running)
    page = running.signed_in("/help")
    write(page, "The library closes when?")
    expect(page.locator("#conversations button")).to_have_count(1)
    lost = []

    def after_it_arrived(route: Route) -> None:
        if lost:
            route.continue_()
            return
        lost.append(route.fetch())
        route.abort()

    page.route("**/messages", after_it_arrived)
    write(page, "Is that said twice?")
    expect(page.locator("#state")).to_contain_text("Your message will be sent as soon as it is back.")

    expect(page.locator("#state")).to_be_empty()
    expect(page.locator("#turns > .student")).to_have_count(2)
    page.reload()
    expect(page.locator("#turns > li")).to_have_count(4)


def test_what_is_too_long_or_too_often_is_said_and_stays(running: Running) -> None:
    page = running.signed_in("/help")

    write(page, "x" * 4001)

    expect(page.locator("#state")).to_contain_text("4,001 characters (limit: 4,000)")
    expect(page.get_by_label("Your message")).to_have_value("x" * 4001)
    page.get_by_label("Your message").fill("")
    page.route("**/messages", lambda route: route.fulfill(status=429, json={"detail": "…"}))
    write(page, "Hello?")
    expect(page.locator("#state")).to_contain_text("We’ll send yours in a moment")
    expect(page.locator(".unsent")).to_contain_text("Hello?")


def test_answers_are_written_approved_and_withdrawn(running: Running, tmp_path: Path) -> None:
    page = running.signed_in("/help/inbox", KeyScope.TEACHER)
    page.get_by_text("Answers and documents", exact=True).click()
    expect_accessible(page, "help-answers-empty")
    page.get_by_role("button", name="Write an answer").click()
    page.get_by_label("Question", exact=True).fill(QUESTION)
    page.reload()
    expect(page.get_by_label("Question", exact=True)).to_have_value(QUESTION)
    page.get_by_label("Answer", exact=True).fill(ANSWER)
    page.get_by_role("button", name="Save as proposal").click()
    expect(page.locator("#entries")).to_contain_text(ANSWER)

    page.get_by_role("button", name="Approve: When").click()
    expect(page.locator("#answers .state")).to_contain_text("The answer is live now.")
    expect(page.locator("#entries")).to_contain_text(ANSWER)
    page.get_by_role("button", name="Withdraw").click()
    expect(page.locator("#answers .state")).to_contain_text("Withdrawn")
    expect(page.get_by_text("Proposed 1")).to_be_visible()

    faq = tmp_path / "faq.csv"
    faq.write_text("question,answer,department\nWho pays?,Whoever is late.,physics\nWhere is it?,On the second floor.,\n")
    page.get_by_label("Choose files").set_input_files(faq)
    expect(page.locator("#uploads")).to_contain_text("faq.csv: 2 new")
    page.locator("#department-filter").select_option("physics")
    expect(page.locator("#entries li:not([hidden])")).to_have_count(1)
    expect_accessible(page, "help-answers")


def test_a_document_is_sent_to_a_department_and_removed(running: Running, tmp_path: Path) -> None:
    running.reading()
    (tmp_path / "rules.pdf").write_bytes(a_pdf(RULES))
    page = running.signed_in("/help/inbox", KeyScope.TEACHER)
    page.get_by_text("Answers and documents", exact=True).click()

    page.locator("#department-field").fill("physics")
    page.get_by_label("Choose files").set_input_files(tmp_path / "rules.pdf")

    expect(page.locator("#documents")).to_contain_text("Rules")
    expect(page.locator("#documents")).to_contain_text("physics")
    page.on("dialog", lambda dialog: dialog.accept())
    expect(page.locator("#documents progress")).to_have_count(0)
    page.get_by_role("button", name="Remove Rules").click()
    expect(page.locator("#documents > li")).to_have_count(0)


@pytest.mark.parametrize("how", ["reload", "anew"])
def test_a_message_that_had_not_arrived_is_sent_to_its_conversation_when_the_page_is_back(running: Running, how: str) -> None:
    ready(running)
    page = running.signed_in("/help")
    page.route("**/messages", lambda route: route.abort())
    write(page, "A late project is handed in at the registry.")
    expect(page.get_by_role("button", name="Send again")).to_be_visible()
    if how == "anew":
        page.goto(f"{running.address}/essay")
    page.unroute_all()

    page.get_by_role("link", name="Help", exact=True).click() if how == "anew" else page.reload()

    expect(page.get_by_role("button", name="Document: Rules")).to_be_visible()
    expect(page.locator("#turns li.student")).to_have_count(1)
