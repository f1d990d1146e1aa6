"""Browsers of people who have signed in."""

from flask.testing import FlaskClient

from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.sign_in import enrol, link_for
from tests.support.web import Site

OURS = {"Sec-Fetch-Site": "same-origin"}


def link_to(site: Site, email: str, role: KeyScope = KeyScope.STUDENT, school: str = "school", name: str = "") -> str:
    """The link of a letter to somebody who is enrolled with that address."""
    now, sign_in = site.parts.now(), site.parts.sign_in
    return link_for(enrol(school, email, name, role, sign_in=sign_in, now=now), sign_in, now)


def browser_of(
    site: Site, email: str = "anna@school.example", role: KeyScope = KeyScope.STUDENT, school: str = "school", name: str = ""
) -> FlaskClient:
    """Of somebody of that address, who has followed a link."""
    link = link_to(site, email, role, school, name)
    browser = site.app.test_client()
    assert browser.post("/sign-in/link", data={"link": link, "next": "/essay"}, headers=OURS).status_code == 303
    return browser
