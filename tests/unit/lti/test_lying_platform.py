"""A platform that lies, or somebody who plays it, in any mixture: a launch or notice is taken only where nothing is wrong with
it."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.lies import BELIEVED, Claims, Lie, any_lies, one_lie
from tests.support.lti import Course, course
from tests.support.lti_platform.model import CLIENT, LTI, new_key
from tests.support.web import Site

OTHERS: dict[str, Claims] = {
    "audience": {"aud": "another-tool"},
    "audiences": {"aud": [CLIENT, "another-tool"]},
    "party": {"aud": [CLIENT, "another-tool"], "azp": "another-tool"},
    "issuer": {"iss": "https://another.example"},
    "nonce": {"nonce": "of another launch"},
    "deployment": {f"{LTI}deployment_id": "another"},
    "version": {f"{LTI}version": "1.1"},
}
NEEDED = ("iss", "aud", "sub", "iat", "exp", "nonce", f"{LTI}deployment_id", f"{LTI}message_type", f"{LTI}version")
KEYS = [new_key() for _ in range(3)]


FORMS = ([*OTHERS.values()], NEEDED)
SIGNED_BY = {
    "honest": (KEYS[1].kid, KEYS[1].private),
    "stranger": (KEYS[1].kid, KEYS[2].private),
    "old key": (KEYS[0].kid, KEYS[0].private),
}


@pytest.fixture
def english(library: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Course]:
    """A platform that rotated its key before: KEYS[0] is no longer published."""
    monkeypatch.setattr("chapterverse.lti.messages.MAX_AGE", 0.0)
    with course(library) as running:
        running.platform.keys = [KEYS[1]]
        yield running


def people(course: Course) -> list[Any]:
    return list(course.site.parts.sign_in.people.of_school("school"))


def launched(english: Course, lie: Lie) -> None:
    """Launch with the lie: let in only if nothing is wrong with it."""
    browser, before = english.browser(), people(english)
    state, nonce = english.begin(browser, "u-1")
    token = lie.token(english.platform.claims("u-1", "link-1", nonce), SIGNED_BY, CLIENT)
    if lie.is_replayed:
        english.come_back(browser, state, token)
        before = people(english)

    page = english.come_back(browser, state, token)

    is_believed = page.status_code == 200 and lie.odd and lie.odd[0] in BELIEVED
    assert is_believed or page.status_code == (401 if lie.is_one else 200), (lie, page.text)
    if page.status_code == 401:
        assert people(english) == before
        assert 'name="link"' not in page.text


@settings(max_examples=2 * settings.default.max_examples, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lie=st.one_of(one_lie(*FORMS), st.builds(Lie, is_replayed=st.just(True)), any_lies(*FORMS, is_replayed=st.booleans())))
def test_a_launch_is_let_in_only_if_nothing_is_wrong_with_it(english: Course, lie: Lie) -> None:
    launched(english, lie)


OF_A_NOTICE = ("notice", "for_user", "assetreport", "assetservice", "activity", "submission", "deployment_id", "version")
NEEDED_OF_IT = ("iss", "aud", "iat", "exp", "nonce", *(f"{LTI}{name}" for name in OF_A_NOTICE))
NEVER_COMPARED = ("nonce", *BELIEVED)
LIES_IN_NOTICES = one_lie([other for name, other in OTHERS.items() if name != "nonce"], NEEDED_OF_IT)


@settings(max_examples=2 * settings.default.max_examples, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lie=LIES_IN_NOTICES)
def test_a_notice_is_taken_only_if_nothing_is_wrong_with_it(english: Course, lie: Lie) -> None:
    if not english.platform.processor:
        english.attached()
    english.platform.hand_in("u-1", [("essay.txt", "text/plain", b"Essay.")])
    file = list(english.platform.handed_in.values())[-1]

    answer = english.send(lie.token(english.platform.notice([file]), SIGNED_BY, CLIENT))

    known = {each.file.asset_id for each in english.site.parts.lti.store.waiting_hand_ins()}
    assert (answer.status_code == 202) == (file.id in known), (lie, answer.text)
    is_believed = answer.status_code == 202 and lie.odd and lie.odd[0] in NEVER_COMPARED
    assert is_believed or (answer.status_code in {400, 401} if lie.is_one else answer.status_code == 202), (lie, answer.text)
