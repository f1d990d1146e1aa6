"""Messages that a learning platform has signed and that are odd all the same: what is no name, no address or no key."""

from typing import Any

import pytest

from tests.support.lti import IN_A_FRAME, Course, hidden
from tests.support.lti_platform.model import DL, LTI, Key


@pytest.mark.parametrize("said", ["Anna\0 Berg", "Anna\ud800 Berg", "\x1b Anna\r\nBerg"])
def test_a_name_is_kept_as_a_database_takes_it(english: Course, said: str) -> None:
    assert english.launch("u-1", name=said).status_code == 200

    assert [person.name for person in english.site.parts.sign_in.people.of_school("school")] == ["Anna Berg"]


def test_what_is_wrong_is_told_in_the_browsers_language(english: Course) -> None:
    page = english.launch("u-1", headers={**IN_A_FRAME, "Accept-Language": "de"}, sub="u\0one")

    assert "nicht geprüft werden: sub fehlt oder ist ungültig" in page.text


def test_a_name_is_text_and_as_long_as_names_are(english: Course) -> None:
    page = english.launch("u-1", name="<script>alert(1)</script>" * 100)

    assert "<script>alert" not in page.text
    [person] = english.site.parts.sign_in.people.of_school("school")
    assert len(person.name) == 200


ODD: dict[str, dict[str, Any]] = {
    "person": {"sub": "u\0one"},
    "link": {f"{LTI}resource_link": {"id": "a\0b"}},
    "deployment": {f"{LTI}deployment_id": "a\0b"},
}


@pytest.mark.parametrize("changed", ODD.values(), ids=ODD.keys())
def test_an_id_that_no_database_takes_is_refused(english: Course, changed: dict[str, Any]) -> None:
    page = english.launch("u-1", **changed)

    assert page.status_code == 401
    assert "missing or invalid (LTI 1.3)" in page.text


RETURNS = [
    "javascript:alert(1)",
    "https://a.example; script-src-elem *",
    "https://a.example\r\nSet-Cookie: a=b",
    "https://a.example' 'unsafe-inline'",
    "https://ä.example/",
    "https://somebody@a.example/",
    "https://",
    "http://[::1",
    "http://moodle.example/",
]


@pytest.mark.parametrize("address", RETURNS)
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
