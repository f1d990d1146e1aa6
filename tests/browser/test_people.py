"""People come in by their school's account, and an admin invites and removes them, in a real browser (make web-test)."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from playwright.sync_api import Browser, expect
from werkzeug.serving import make_server

from chapterverse.accounts.model import KeyScope, Provider
from chapterverse.accounts.sign_in import address_of, link_for, register
from chapterverse.web.app import create_app
from tests.browser.conftest import PATIENT, Running, expect_accessible
from tests.support.oidc import CLIENT, School, a_school
from tests.support.serving import at_work


@pytest.fixture
def school(running: Running) -> Iterator[tuple[School, str]]:
    """A school's sign-in, and the address of an app that it leads back to."""
    server = make_server("127.0.0.1", 0, running.site.app, threaded=True)
    address = f"http://127.0.0.1:{server.server_port}"
    parts = running.site.parts
    server.app = create_app(replace(parts, sign_in=replace(parts.sign_in, site=address)))
    with at_work(server), a_school() as school:
        lessing = Provider("lessing", "school", "Lessing-Gymnasium", school.issuer, CLIENT, domains=("lessing.example",))
        register(lessing, parts.schools)
        yield school, address


def test_a_student_comes_in_by_the_schools_account_and_leaves(school: tuple[School, str], chromium: Browser) -> None:
    provider, address = school
    page = chromium.new_context().new_page()
    page.set_default_timeout(PATIENT)
    page.goto(f"{address}/essay")
    expect_accessible(page, "people-sign-in")

    provider.lets_in = False
    page.get_by_role("link", name="Sign in with Lessing-Gymnasium").click()
    expect(page.get_by_role("alert")).to_contain_text("refused access")
    expect_accessible(page, "people-refused")
    provider.lets_in = True
    page.goto(f"{address}/essay")
    page.get_by_role("link", name="Sign in with Lessing-Gymnasium").click()

    page.wait_for_url(f"{address}/essay")
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("link", name="Sign out of the school account too")).to_be_visible()
    expect_accessible(page, "people-signed-out")
    page.get_by_role("link", name="Sign out of the school account too").click()
    page.wait_for_url(f"{address}/sign-in")


def test_an_admin_invites_changes_and_removes_people(running: Running) -> None:
    page = running.signed_in("/settings/people", KeyScope.ADMIN)
    people = page.locator("#people")
    expect(people.get_by_role("listitem")).to_have_count(1)
    expect_accessible(page, "people-alone")

    page.get_by_label("E-mail address").fill("ben@school.example")
    page.get_by_label("Name", exact=True).fill("Ben <b>Huber")
    page.get_by_role("button", name="Send a link", exact=True).first.click()
    expect(page.get_by_role("status")).to_contain_text("We’ve sent a link to ben@school.example")
    page.get_by_label("E-mail address").fill("dora@school.example")
    page.get_by_role("button", name="Send a link", exact=True).first.click()
    expect(people.get_by_role("listitem")).to_have_count(3)
    expect_accessible(page, "people-all")

    page.get_by_label("Role of Ben <b>Huber").select_option("teacher")
    expect(page.get_by_role("status")).to_contain_text("Ben <b>Huber’s role is now Teacher.")
    page.on("dialog", lambda dialog: dialog.accept())
    page.get_by_role("button", name="Remove Ben <b>Huber").click()
    expect(people.get_by_role("listitem")).to_have_count(2)
    page.get_by_role("searchbox").fill("dora")
    expect(people.get_by_role("listitem")).to_have_count(1)


def test_without_a_mail_server_every_link_stays_on_the_page_to_be_copied(running: Running) -> None:
    page = running.signed_in("/settings/people", KeyScope.ADMIN)
    page.route(
        "**/api/v1/people",
        lambda route: (
            route.continue_()
            if route.request.method == "GET"
            else route.fulfill(json={**route.fetch().json(), "sent": False, "link": f"{running.address}/sign-in/link#link=x"})
        ),
    )
    for email in ("ben@school.example", "cem@school.example"):
        page.get_by_label("E-mail address").fill(email)
        page.get_by_role("button", name="Send a link", exact=True).first.click()
        expect(page.get_by_label(f"Link for {email}", exact=True)).to_be_visible()

    expect(page.locator("#link-list").get_by_role("button", name="Copy the link for ben@school.example")).to_be_visible()
    expect_accessible(page)


def test_what_was_typed_is_back_after_a_session_that_ended_in_the_tab_of_the_letter(running: Running) -> None:
    site = running.site
    page = running.signed_in("/essay?sample=1")
    page.get_by_label("Paste your essay").fill("Silencing an opinion robs mankind.")
    site.parts.sign_in.people.forget(site.parts.now() + timedelta(days=1))

    page.get_by_role("button", name="Get feedback").click()

    page.wait_for_url("**/sign-in?next=%2Fessay%3Fsample%3D1&ended=1")  # and back to the same address
    expect(page.get_by_text("Your session has ended.")).to_be_visible()
    expect(page.get_by_text("What you typed is saved in this browser.")).to_be_visible()
    expect_accessible(page, "session-ended")
    anna = site.parts.sign_in.people.find("school", "anna@school.example")
    tab = page.context.new_page()
    tab.goto(address_of(link_for(anna, site.parts.sign_in, site.parts.now()), running.address, "/essay?sample=1"))
    tab.get_by_role("button", name="Sign in now").click()
    expect(tab.get_by_label("Paste your essay")).to_have_value("Silencing an opinion robs mankind.")


def test_pages_of_errors_are_accessible(running: Running) -> None:
    page = running.signed_in("/essay", KeyScope.TEACHER)
    gone = ("/nowhere", "/essay/assignments/gone", "/books/gone/1", "/sentences/gone", "/textbook/gone")
    for path, title in (*((path, "Page not found") for path in gone), ("/settings/people", "This page is for admins")):
        page.goto(f"{running.address}{path}")
        expect(page.get_by_role("heading", name=title)).to_be_visible()
        expect(page.get_by_role("link", name="Ask")).to_be_visible()
        expect_accessible(page, path.strip("/").replace("/", "-"))
