"""A platform that lies, or somebody who plays it, in any mixture: a launch or notice is taken only where nothing is wrong with
it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.lies import BELIEVED, FORGERIES, ODD, SKEWS, Claims, by_secret, is_bearable, signed, skewed
from tests.support.lti import Course, course
from tests.support.lti_platform import CLIENT, LTI, Key, new_key
from tests.support.web import Site

OTHERS = {
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


@dataclass(frozen=True)
class Lie:
    """What is wrong with a launch; nothing by default. signer: a forgery, "stranger", "old key", "client id" or "honest"."""

    skew: int = 0
    other: str | None = None
    missing: str | None = None
    odd: tuple[str, Any] | None = None
    signer: str = "honest"
    is_replayed: bool = False

    @property
    def is_one(self) -> bool:
        """Whether anything is wrong."""
        honest = is_bearable(self.skew) and self.signer == "honest" and not self.is_replayed
        return not honest or any((self.other, self.missing, self.odd))

    def in_claims(self, claims: Claims) -> Claims:
        """The claims with what is wrong in them."""
        claims = skewed(claims, self.skew) | (OTHERS[self.other] if self.other else {})
        claims = {name: value for name, value in claims.items() if name != self.missing}
        return claims | ({self.odd[0]: self.odd[1]} if self.odd else {})

    def signed(self, claims: Claims, key: Key, old: Key) -> str:
        """The token."""
        if self.signer in FORGERIES:
            return FORGERIES[self.signer](claims, key.kid, key.private)
        if self.signer == "client id":
            return by_secret(claims, key.kid, CLIENT.encode())
        by = {"stranger": replace(KEYS[2], kid=key.kid), "old key": old}.get(self.signer, key)
        return signed(claims, by.kid, by.private)


SIGNERS = st.sampled_from([*FORGERIES, "client id", "stranger", "old key"])
ALONE = [*(Lie(other=other) for other in OTHERS), *(Lie(missing=name) for name in NEEDED)]
LIES = st.builds(
    Lie,
    skew=st.one_of(st.just(0), SKEWS),
    other=st.one_of(st.none(), st.sampled_from(list(OTHERS))),
    missing=st.one_of(st.none(), st.sampled_from(NEEDED)),
    odd=st.one_of(st.none(), st.tuples(st.sampled_from(NEEDED), ODD)),
    signer=st.one_of(st.just("honest"), SIGNERS),
    is_replayed=st.booleans(),
)
ONE_LIE = st.one_of(
    st.builds(Lie, skew=SKEWS),
    st.builds(Lie, other=st.sampled_from(list(OTHERS))),
    st.builds(Lie, missing=st.sampled_from(NEEDED)),
    st.builds(Lie, odd=st.tuples(st.sampled_from(NEEDED), ODD)),
    st.builds(Lie, signer=SIGNERS),
    st.builds(Lie, is_replayed=st.just(True)),
)


@pytest.fixture
def english(library: Site, monkeypatch: pytest.MonkeyPatch) -> Iterator[Course]:
    """A platform that rotated its key before: KEYS[0] is no longer published."""
    monkeypatch.setattr("chapterverse.lti.keys.MAX_AGE", 0.0)
    with course(library) as running:
        running.platform.keys = [KEYS[1]]
        yield running


def people(course: Course) -> list[Any]:
    return list(course.site.parts.sign_in.people.of_school("school"))


def launched(english: Course, lie: Lie) -> None:
    """Launch with the lie: let in only if nothing is wrong with it."""
    browser, before = english.browser(), people(english)
    state, nonce = english.begin(browser, "u-1")
    token = lie.signed(lie.in_claims(english.platform.claims("u-1", "link-1", nonce)), KEYS[1], KEYS[0])
    if lie.is_replayed:
        english.come_back(browser, state, token)
        before = people(english)

    page = english.come_back(browser, state, token)

    is_believed = page.status_code == 200 and lie.odd and lie.odd[0] in BELIEVED
    assert is_believed or page.status_code == (401 if lie.is_one else 200), (lie, page.text)
    if page.status_code == 401:
        assert people(english) == before
        assert 'name="link"' not in page.text


def test_one_thing_that_is_wrong_is_enough(english: Course) -> None:
    for lie in ALONE:
        launched(english, lie)


@settings(max_examples=2 * settings.default.max_examples, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lie=st.one_of(ONE_LIE, LIES))
def test_a_launch_is_let_in_only_if_nothing_is_wrong_with_it(english: Course, lie: Lie) -> None:
    launched(english, lie)


OF_A_NOTICE = ("notice", "for_user", "assetreport", "assetservice", "activity", "submission", "deployment_id", "version")
NEEDED_OF_IT = ("iss", "aud", "iat", "exp", "nonce", *(f"{LTI}{name}" for name in OF_A_NOTICE))
NEVER_COMPARED = ("nonce", *BELIEVED)
LIES_IN_NOTICES = st.one_of(
    st.builds(Lie, skew=SKEWS),
    st.builds(Lie, other=st.sampled_from([name for name in OTHERS if name != "nonce"])),
    st.builds(Lie, missing=st.sampled_from(NEEDED_OF_IT)),
    st.builds(Lie, odd=st.tuples(st.sampled_from(NEEDED_OF_IT), ODD)),
    st.builds(Lie, signer=SIGNERS),
)


@settings(max_examples=2 * settings.default.max_examples, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lie=LIES_IN_NOTICES)
def test_a_notice_is_taken_only_if_nothing_is_wrong_with_it(english: Course, lie: Lie) -> None:
    if not english.platform.processor:
        english.attached()
    english.platform.hand_in("u-1", [("essay.txt", "text/plain", b"Essay.")])
    file = list(english.platform.handed_in.values())[-1]

    answer = english.send(lie.signed(lie.in_claims(english.platform.notice([file])), KEYS[1], KEYS[0]))

    known = {each.file.asset_id for each in english.site.parts.lti.store.waiting_hand_ins()}
    assert (answer.status_code == 202) == (file.id in known), (lie, answer.text)
    is_believed = answer.status_code == 202 and lie.odd and lie.odd[0] in NEVER_COMPARED
    assert is_believed or (answer.status_code in {400, 401} if lie.is_one else answer.status_code == 202), (lie, answer.text)
