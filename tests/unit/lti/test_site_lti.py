"""Launches from a learning platform: who is let in, as whom, and what is refused. The platform is a server that follows the
specifications (tests/support/lti_platform.py)."""

from typing import Any

import jwt
import pytest

from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.sign_in import enrol, who_is
from chapterverse.core.errors import BadBook, BadRequest, Unauthenticated
from tests.support.lti import IN_A_FRAME, IN_A_TAB, OURS, TOOL, Course, hidden, known
from tests.support.lti_platform.model import DL, INSTRUCTOR, LEARNER, LTI, Key, new_key
from tests.support.lti_platform.server import lti_platform
from tests.support.pdfs import a_pdf
from tests.support.web import Site, shelve_pdf

ASSISTANT = "http://purl.imsglobal.org/vocab/lis/v2/membership/Instructor#TeachingAssistant"
ADMIN = "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Administrator"


def role_of(site: Site, email: str) -> KeyScope:
    return site.parts.sign_in.people.find("school", email).role


def test_a_platform_that_opens_a_tab_signs_in_at_once_and_the_session_before_is_over(english: Course) -> None:
    browser = english.browser()
    assert english.launch("u-1", browser=browser, headers=IN_A_TAB).status_code == 303
    before = browser.get_cookie("__Host-chapterverse", TOOL.partition("://")[2])

    english.launch("u-9", browser=browser, headers=IN_A_TAB)

    with pytest.raises(Unauthenticated):
        who_is(before.value, english.site.parts.sign_in, english.site.parts.now())
    assert "Dr Stein" in browser.get("/books", base_url=TOOL).text


def test_the_cookie_of_a_login_is_for_this_host_and_that_platform_alone(english: Course) -> None:
    answer = english.browser().post("/lti/login", data=english.platform.initiation("u-1"), base_url=TOOL)

    [cookie] = answer.headers.getlist("Set-Cookie")
    assert cookie.startswith("__Host-")
    assert {"Secure", "HttpOnly", "SameSite=None", "Partitioned", "Path=/"} <= set(cookie.split("; "))


def test_a_browser_that_keeps_no_cookie_in_frames_begins_again_in_a_tab(english: Course) -> None:
    state, nonce = english.begin(english.browser(), "u-1")
    token = english.platform.signed(english.platform.claims("u-1", "link-1", nonce))

    page = english.come_back(english.browser(), state, token)  # another browser: the login of one is no good in another

    assert page.status_code == 409
    assert 'href="/lti/login?iss=' in page.text
    assert "link=" not in page.text


def test_a_message_is_good_once(english: Course) -> None:
    state, nonce = english.begin(browser := english.browser(), "u-1")
    token = english.platform.signed(english.platform.claims("u-1", "link-1", nonce))

    assert [english.come_back(browser, state, token).status_code for _ in range(2)] == [200, 401]


@pytest.mark.parametrize("state", ["", "state-of-nobody", "\ud800", "a\0b"])
def test_a_state_that_nobody_began_with_is_refused(english: Course, state: str) -> None:
    assert english.come_back(english.browser(), state.encode("utf-8", "replace").decode(), "x.y.z").status_code == 401


def test_a_new_key_is_asked_for_and_ids_that_are_made_up_make_no_work(english: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [english.launch("u-1").status_code for _ in range(2)] == [200, 200]
    for _ in range(3):
        browser = english.browser()
        state, nonce = english.begin(browser, "u-1")
        claims = english.platform.claims("u-1", "link-1", nonce)
        token = jwt.encode(claims, new_key().private, "RS256", headers={"kid": "made-up"})
        assert english.come_back(browser, state, token).status_code == 401
    assert english.platform.fetched_keys == 1

    monkeypatch.setattr("chapterverse.lti.messages.REFETCH_AFTER", 0.0)
    english.platform.rotate()

    assert english.launch("u-1").status_code == 200
    assert english.platform.fetched_keys == 2


def test_a_platform_that_is_not_known_is_told_so(library: Site) -> None:
    answer = library.anybody("POST", "/lti/login", data={"iss": "https://other.example", "login_hint": "1"})

    assert answer.status_code == 401
    assert "Ask an admin at your school to register it" in answer.text


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ([LEARNER], KeyScope.STUDENT),
        ([INSTRUCTOR], KeyScope.TEACHER),
        ([INSTRUCTOR, ASSISTANT], KeyScope.STUDENT),
        ([LEARNER, ADMIN], KeyScope.TEACHER),
        (["http://purl.imsglobal.org/vocab/lis/v2/institution/person#Instructor", LEARNER], KeyScope.STUDENT),
        ([], KeyScope.STUDENT),
    ],
)
def test_a_role_in_the_course_is_a_role_here_and_at_most_teacher(english: Course, roles: list[str], expected: KeyScope) -> None:
    english.launch("u-1", **{f"{LTI}roles": roles})

    assert role_of(english.site, "anna@school.example") is expected
    english.launch("u-1", **{f"{LTI}roles": [LEARNER]})  # who teaches no more
    assert role_of(english.site, "anna@school.example") is KeyScope.STUDENT


def test_by_a_platform_an_admin_is_signed_in_as_a_teacher_and_who_was_made_a_teacher_as_one(english: Course) -> None:
    parts = english.site.parts
    english.launch("u-9")
    enrol("school", "stein@school.example", "Dr Stein", KeyScope.ADMIN, sign_in=parts.sign_in, now=parts.now())

    for _ in range(2):
        browser, _ = english.signed_in("u-9")

    assert browser.get("/settings/people", base_url=TOOL).status_code == 403
    assert browser.get("/books", base_url=TOOL).status_code == 200
    others = [person.email for person in parts.sign_in.people.of_school("school") if person.role is KeyScope.TEACHER]
    assert [email.rpartition(".")[2] for email in others] == ["invalid"]
    assert role_of(english.site, "stein@school.example") is KeyScope.ADMIN
    english.launch("u-1")
    enrol("school", "anna@school.example", "Anna Berg", KeyScope.TEACHER, sign_in=parts.sign_in, now=parts.now())
    assert english.signed_in("u-1")[0].get("/books", base_url=TOOL).status_code == 200


def test_an_address_alone_makes_nobody_an_admin_or_another_of_the_course(english: Course) -> None:
    parts = english.site.parts
    enrol("school", "head@school.example", "The head", KeyScope.ADMIN, sign_in=parts.sign_in, now=parts.now())

    english.launch("u-9", email="head@school.example")

    others = [person for person in parts.sign_in.people.of_school("school") if person.email != "head@school.example"]
    assert [(person.name, person.role) for person in others] == [("Dr Stein", KeyScope.TEACHER)]
    assert others[0].email.endswith(".invalid")
    english.launch("u-1")
    english.launch("u-2", email="anna@school.example")
    assert len(parts.sign_in.people.of_school("school")) == 4


def test_a_person_of_one_school_is_none_of_another(english: Course) -> None:
    with pytest.raises(BadRequest):
        known(english.site, english.platform, school="another")

    with lti_platform(TOOL, dict) as other:
        known(english.site, other, school="another")
        Course(english.site, other).launch("u-1")
    english.launch("u-1")

    people = english.site.parts.sign_in.people
    assert [person.school for person in people.with_email("anna@school.example")] == ["another", "school"]


def test_books_that_cannot_be_searched_are_not_offered(english: Course) -> None:
    services = english.site.parts.services
    shelve_pdf(services, a_pdf("Silencing an opinion robs mankind of truth."))
    with pytest.raises(BadBook):
        shelve_pdf(services, a_pdf(""), "A scan")

    page = english.launch("u-9", "choice").text

    assert 'value="on-principle"' in page
    assert [book.id for book in services.catalog.books("school") if f'value="{book.id}"' not in page] == ["a-scan"]


def test_a_choice_comes_back_signed_and_once_and_a_course_that_is_copied_has_an_assignment_of_its_own(english: Course) -> None:
    with pytest.raises(AssertionError, match="of-another"):
        english.chosen(books="../of-another")
    assignment = english.chosen(books="on-liberty")

    kept = english.site.parts.assignments.assignment("school", assignment)
    assert (kept.title, kept.instructions, kept.books, kept.most) == ("On liberty", "Take a side.", ("on-liberty",), 20.0)
    [column] = english.platform.line_items.values()
    assert (column["label"], column["scoreMaximum"], column["resourceId"]) == ("On liberty", 20.0, assignment)
    english.signed_in("u-1")
    known = english.site.parts.assignments.assignment("school", assignment).services
    english.launch("u-1", **{"https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice": None})
    assert known == english.site.parts.assignments.assignment("school", assignment).services
    english.platform.links["link-2"] = english.platform.links["link-1"]
    _, goal = english.signed_in("u-1", "link-2")
    assert goal.startswith("/essay?assignment=")
    assert goal != f"/essay?assignment={assignment}"


def test_a_choice_is_good_once_and_bad_figures_are_told(english: Course) -> None:
    form = hidden(english.launch("u-9", "choice").text) | {"title": "One", "most": "many"}
    browser = english.browser()

    bad = browser.post("/lti/choose", data=form, headers=OURS, base_url=TOOL)
    gone = browser.post("/lti/choose", data=form | {"most": "10", "books": "removed"}, headers=OURS, base_url=TOOL)
    good = browser.post("/lti/choose", data=form | {"most": "10,5"}, headers=OURS, base_url=TOOL)
    again = browser.post("/lti/choose", data=form | {"most": "10"}, headers=OURS, base_url=TOOL)
    elsewhere = browser.post("/lti/choose", data=form, headers={"Sec-Fetch-Site": "cross-site"}, base_url=TOOL)

    assert [each.status_code for each in (bad, gone, good, again, elsewhere)] == [400, 404, 200, 401, 403]
    assert english.launch("u-1", "choice").status_code == 401  # students choose nothing
    assert english.platform.address in bad.headers["Content-Security-Policy"]


def test_a_graded_link_that_was_not_chosen_here_is_an_assignment_too(english: Course) -> None:
    english.platform.links["link-3"] = {"title": "By hand", "line_item": f"{english.platform.address}/AGS/lineItems/1"}

    browser, goal = english.signed_in("u-1", "link-3")

    assert "By hand" in browser.get(goal, base_url=TOOL).text
    assert english.signed_in("u-1", "link-3")[1] == goal


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        *((said, "Anna Berg") for said in ("Anna\0 Berg", "Anna\ud800 Berg", "\x1b Anna\r\nBerg")),
        ("<script>alert(1)</script>" * 100, ("<script>alert(1)</script>" * 100)[:200]),
    ],
)
def test_a_name_is_text_as_a_database_takes_it_and_as_long_as_names_are(english: Course, said: str, stored: str) -> None:
    page = english.launch("u-1", name=said)

    assert (page.status_code, "<script>alert" in page.text) == (200, False)
    assert [person.name for person in english.site.parts.sign_in.people.of_school("school")] == [stored]


@pytest.mark.parametrize(
    "changed", [{"sub": "u\0one"}, {f"{LTI}resource_link": {"id": "a\0b"}}, {f"{LTI}deployment_id": "a\0b"}]
)
def test_an_id_that_no_database_takes_is_refused_in_the_browsers_language(english: Course, changed: dict[str, Any]) -> None:
    page = english.launch("u-1", headers={**IN_A_FRAME, "Accept-Language": "de"}, **changed)

    assert page.status_code == 401
    assert "fehlt oder ist ungültig" in page.text


@pytest.mark.parametrize(
    "address",
    [
        "javascript:alert(1)",
        "https://a.example; script-src-elem *",
        "https://a.example\r\nSet-Cookie: a=b",
        "https://a.example' 'unsafe-inline'",
        "https://ä.example/",
        "https://somebody@a.example/",
        "https://",
        "http://[::1",
        "http://moodle.example/",
    ],
)
def test_a_choice_goes_back_to_a_safe_address_only(english: Course, address: str) -> None:
    takes = {"accept_types": ["ltiResourceLink"], "accept_presentation_document_targets": ["iframe"]}

    page = english.launch("u-9", "choice", **{f"{DL}deep_linking_settings": {**takes, "deep_link_return_url": address}})

    assert page.status_code == 400
    assert hidden(page.text) == {}
    assert page.headers["Content-Security-Policy"].endswith(f"frame-ancestors {english.platform.address}")


@pytest.mark.parametrize("odd", [{}, {"n": "!", "e": "AQAB"}, {"n": 5, "e": "AQAB"}, {"n": "AQAB", "e": "AQAB"}])
def test_a_key_that_is_none_is_told(english: Course, monkeypatch: pytest.MonkeyPatch, odd: dict[str, Any]) -> None:
    monkeypatch.setattr(Key, "public", lambda key: {"kty": "RSA", "kid": key.kid, **odd})

    page = english.launch("u-1")

    assert page.status_code == 401
    assert "the key of their signature cannot be read" in page.text
