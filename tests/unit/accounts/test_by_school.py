"""There and back: signing in by the account that a school gave."""

from collections.abc import Iterator
from dataclasses import replace
from urllib.parse import urlsplit

import pytest
import requests
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from chapterverse.accounts.model import Provider
from chapterverse.accounts.sign_in import register
from tests.support.browsers import OURS
from tests.support.oidc import CLIENT, School, a_school
from tests.support.web import Site


@pytest.fixture
def school(library: Site) -> Iterator[School]:
    with a_school() as school:
        lessing = Provider("lessing", "school", 'Lessing "<b>', school.issuer, CLIENT, domains=("lessing.example",))
        register(lessing, library.parts.schools)
        register(replace(lessing, id="goethe", title="Goethe"), library.parts.schools)
        yield school


def over_there(browser: FlaskClient, path: str = "/sign-in/school/lessing?next=/essay%3Fa%3Db") -> str:
    """Where somebody comes back to who begins in this browser and is signed in there."""
    begun = browser.get(path)
    assert begun.status_code == 303
    back = urlsplit(requests.get(begun.location, allow_redirects=False, timeout=5).headers["Location"])
    assert f"{back.scheme}://{back.netloc}" == "https://school.example"
    return f"{back.path}?{back.query}"


def come_back(browser: FlaskClient, path: str) -> TestResponse:
    """As the provider's page sends a browser."""
    return browser.get(path, headers={"Sec-Fetch-Site": "cross-site"})


def test_who_is_let_in_there_is_in_here_on_the_page_they_wanted_and_may_leave_both(library: Site, school: School) -> None:
    browser = library.app.test_client()

    entered = come_back(browser, back := over_there(browser))

    assert (entered.status_code, entered.location) == (303, "/essay?a=b")
    cookies = entered.headers.getlist("Set-Cookie")
    session = next(each for each in cookies if each.startswith("chapterverse="))
    assert all(part in session for part in ("HttpOnly", "SameSite=Lax", "Path=/"))
    assert any(each.startswith("chapterverse-flow=;") for each in cookies)
    assert "Anna Berg" in browser.get("/essay").text
    assert come_back(browser, back).status_code == 403  # a way back is good once

    left = browser.post("/sign-out", headers=OURS)  # who is asked about the school's account
    assert f'href="{school.issuer}/leave?client_id={CLIENT}' in left.text
    assert browser.get("/essay").status_code == 303
    assert browser.post("/sign-out", headers=OURS).location == "/sign-in"


def test_nobody_comes_in_by_what_another_browser_began(library: Site, school: School) -> None:
    back = over_there(library.app.test_client())
    victim = library.app.test_client()

    assert "started in another window" in come_back(victim, back).text
    over_there(victim)
    assert come_back(victim, back).status_code == 403
    assert victim.get("/essay").status_code == 303
    assert school.asked.count("/token") == 0


def test_what_one_provider_answers_is_not_taken_for_anothers(library: Site, school: School) -> None:
    browser = library.app.test_client()
    assert come_back(browser, over_there(browser).replace("lessing", "goethe")).status_code == 403
    wrong = over_there(browser).replace("iss=http", "iss=https")
    assert "something we couldn’t read" in come_back(browser, wrong).text
    assert school.asked.count("/token") == 0


def test_who_is_refused_is_told_why(library: Site, school: School) -> None:
    browser = library.app.test_client()
    school.lets_in = False
    assert "sign-in refused access" in come_back(browser, over_there(browser)).text
    school.lets_in = True
    school.who["email"] = "anna@elsewhere.example"
    assert "isn’t a school account" in come_back(browser, over_there(browser)).text
    school.who |= {"email": "anna@lessing.example", "email_verified": False}
    assert "confirmed your e-mail address" in come_back(browser, over_there(browser)).text


def test_a_sign_in_that_is_away_is_no_defect_of_ours(library: Site) -> None:
    away = Provider("away", "school", "Away", "http://127.0.0.1:9", CLIENT, domains=("lessing.example",))
    register(away, library.parts.schools)

    page = library.anybody("GET", "/sign-in/school/away")

    assert (page.status_code, "isn’t responding" in page.text) == (403, True)
    assert library.anybody("GET", "/sign-in/school/nobody").status_code == 403


def test_the_way_there_leads_where_the_settings_say_whatever_the_request_says(library: Site, school: School) -> None:
    begun = library.anybody("GET", "/sign-in/school/lessing", base_url="https://evil.example")

    assert "redirect_uri=https%3A%2F%2Fschool.example%2Fsign-in%2Fschool%2Flessing%2Fback" in begun.location
    assert begun.headers["Set-Cookie"].startswith("__Host-chapterverse-flow=")
