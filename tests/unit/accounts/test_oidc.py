"""A school's own sign-in is asked, and what it says is believed only where it is signed, for us, and of now."""

import hmac
import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from hypothesis import given
from hypothesis import strategies as st
from joserfc.jwk import RSAKey
from jwt import PyJWS

from chapterverse.accounts.model import Flow, Provider
from chapterverse.accounts.oidc import MAX_AGE, REFETCH_AFTER, OidcProvider
from chapterverse.core.errors import ProviderUnavailable, SignInRefused
from tests.support.made import Clock
from tests.support.oidc import CLIENT, SECRET, School, _new_key, a_school
from tests.support.refusals import refused

BACK = "https://school.example/sign-in/school/lessing/back"
FLOW = Flow("a secret of the browser", "lessing", "/")


@pytest.fixture
def school() -> Iterator[School]:
    with a_school() as school:
        yield school


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def provider(school: School, clock: Clock) -> OidcProvider:
    return OidcProvider(Provider("lessing", "school", "Lessing", school.issuer, CLIENT), SECRET, clock)


def code_of(provider: OidcProvider, flow: Flow = FLOW) -> str:
    """What somebody who is signed in there comes back with."""
    there = requests.get(provider.begin(flow, BACK), allow_redirects=False, timeout=5)
    return parse_qs(urlsplit(there.headers["Location"]).query)["code"][0]


def test_what_it_says_and_its_keys_are_fetched_once_an_hour(provider: OidcProvider, school: School, clock: Clock) -> None:
    for _ in range(3):
        provider.finish(FLOW, code_of(provider), BACK)
    assert [school.asked.count(path) for path in ("/.well-known/openid-configuration", "/keys")] == [1, 1]

    clock.now += MAX_AGE + 1
    provider.finish(FLOW, code_of(provider), BACK)

    assert [school.asked.count(path) for path in ("/.well-known/openid-configuration", "/keys")] == [2, 2]


def test_new_keys_are_fetched_once_when_an_unknown_one_is_named(provider: OidcProvider, school: School, clock: Clock) -> None:
    provider.finish(FLOW, code_of(provider), BACK)
    school.rotate()
    clock.now += REFETCH_AFTER + 1
    assert provider.finish(FLOW, code_of(provider), BACK)["sub"] == "anna-248289"
    assert school.asked.count("/keys") == 2

    school.header = {"kid": "nobody's"}
    for _ in range(3):
        with pytest.raises(SignInRefused):
            provider.finish(FLOW, code_of(provider), BACK)
    assert school.asked.count("/keys") == 2


def test_a_code_is_good_once_for_a_short_time_and_for_whoever_began(provider: OidcProvider, school: School) -> None:
    code = code_of(provider)
    with pytest.raises(SignInRefused) as refused:
        provider.finish(Flow("another browser's secret", "lessing", "/"), code, BACK)
    assert refused.value.reason == "stale"
    used = code_of(provider)
    provider.finish(FLOW, used, BACK)
    with pytest.raises(SignInRefused):
        provider.finish(FLOW, used, BACK)
    school.code_seconds = 0.0
    with pytest.raises(SignInRefused):
        provider.finish(FLOW, code_of(provider), BACK)


def test_an_address_that_only_userinfo_tells_is_taken_of_the_same_person_only(provider: OidcProvider, school: School) -> None:
    school.who = {"sub": "anna-248289"}
    school.userinfo = {"sub": "anna-248289", "email": "anna@lessing.example", "email_verified": True}
    assert provider.finish(FLOW, code_of(provider), BACK)["email"] == "anna@lessing.example"

    school.userinfo |= {"sub": "somebody else"}
    assert "email" not in provider.finish(FLOW, code_of(provider), BACK)


def test_whoever_calls_itself_otherwise_or_names_unsafe_addresses_is_not_asked(provider: OidcProvider, school: School) -> None:
    school.metadata = {"issuer": "https://evil.example"}
    with refused(ProviderUnavailable, "provider_other_issuer"):
        provider.begin(FLOW, BACK)
    school.metadata = {"authorization_endpoint": "http://evil.example/authorize"}
    with refused(ProviderUnavailable, "provider_url_unsafe"):
        provider.begin(FLOW, BACK)


def test_a_wrong_secret_and_a_sign_in_that_is_away_are_the_operators(school: School) -> None:
    registered = Provider("lessing", "school", "Lessing", school.issuer, CLIENT)
    wrong = OidcProvider(registered, "not it")
    with pytest.raises(ProviderUnavailable, match="secret") as refused:
        wrong.finish(FLOW, code_of(wrong), BACK)
    assert "not it" not in str(refused.value)
    with pytest.raises(ProviderUnavailable):
        OidcProvider(Provider("x", "school", "X", "http://127.0.0.1:9", CLIENT), SECRET).begin(FLOW, BACK)


def test_it_says_where_one_is_signed_out_of_it_if_it_offers_that(provider: OidcProvider, school: School, clock: Clock) -> None:
    there = provider.end("https://school.example/sign-in")

    assert there.startswith(f"{school.issuer}/leave?client_id={CLIENT}&post_logout_redirect_uri=https%3A%2F%2Fschool.example")
    school.metadata = {"end_session_endpoint": None}
    clock.now += MAX_AGE + 1
    assert provider.end("https://school.example/sign-in") is None


OLD, NOW, STRANGER = _new_key("old"), _new_key("now"), _new_key("now")
HEADER = {"alg": "HS256", "kid": "now"}
Claims = dict[str, Any]


def signed(claims: Claims, key: RSAKey = NOW) -> str:
    """As it should be, whatever the claims are."""
    return PyJWS().encode(json.dumps(claims).encode(), key.private_key, "RS256", headers={"kid": key.kid})


def by_secret(claims: Claims, secret: bytes) -> str:
    """With a secret that both sides have; by hand, as no library takes a public key for one."""
    head, body = (urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in (HEADER, claims))
    mac = hmac.digest(secret, head + b"." + body, "sha256")
    return b".".join((head, body, urlsafe_b64encode(mac).rstrip(b"="))).decode()


FORGED: dict[str, Callable[[Claims], str]] = {
    "unsigned": lambda claims: PyJWS().encode(json.dumps(claims).encode(), None, "none", headers={"kid": "now"}),
    "by the public key": lambda claims: by_secret(claims, NOW.as_pem(private=False)),
    "by the client's secret": lambda claims: by_secret(claims, SECRET.encode()),
    "by a stranger": lambda claims: signed(claims, STRANGER),
    "by the old key": lambda claims: signed(claims, OLD),
}
OTHERS: dict[str, Claims] = {
    "audience": {"aud": "another-client"},
    "audiences": {"aud": [CLIENT, "another-client"]},
    "party": {"aud": [CLIENT, "another-client"], "azp": "another-client"},
    "party of another audience": {"aud": "another-client", "azp": CLIENT},
    "issuer": {"iss": "https://another.example"},
    "nonce": {"nonce": "of another sign-in"},
    "access token": {"at_hash": "of another token"},
}
NEEDED = ("iss", "aud", "sub", "exp", "iat", "nonce")
REFUSED = (
    FORGED
    | {f"another {name}": lambda claims, other=other: signed(claims | other) for name, other in OTHERS.items()}
    | {
        f"no {name}": lambda claims, name=name: signed({each: claims[each] for each in claims if each != name})
        for name in NEEDED
    }
)
ODD = st.sampled_from([None, "", "x", "9" * 400, "\0", True, -1, 0, 10**30, *map(float, ("inf", "-inf", "nan")), [], {}, [1]])


@pytest.fixture(scope="module")
def liar() -> Iterator[School]:
    with a_school() as school:
        yield school


@pytest.fixture(scope="module")
def wary(liar: School) -> OidcProvider:
    """One that signed with OLD when it was asked first, and has long signed with NOW."""
    seconds, liar.key = iter([0.0]), NOW
    registered = Provider("lessing", "school", "Lessing", liar.issuer, CLIENT)
    return OidcProvider(registered, SECRET, lambda: next(seconds, 3 * MAX_AGE))


def believed(wary: OidcProvider, liar: School, token: Callable[[Claims], str]) -> Claims | None:
    """What is believed of a token made of good claims; None if it is refused."""

    def of_flow(nonce: str) -> str:
        now = int(time.time())
        return token({"iss": liar.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce, **liar.who})

    liar._token = of_flow
    code = code_of(wary)
    try:
        return dict(wary.finish(FLOW, code, BACK))
    except SignInRefused:
        return None


@pytest.mark.parametrize("token", REFUSED.values(), ids=REFUSED)
def test_what_is_not_signed_or_is_of_another_or_lacks_a_claim_is_refused(
    wary: OidcProvider, liar: School, token: Callable[[Claims], str]
) -> None:
    assert believed(wary, liar, token) is None


@pytest.mark.parametrize(("seconds", "is_good"), [(-3600, False), (-330, True), (30, True), (120, False)])
def test_clocks_may_differ_by_half_a_minute(wary: OidcProvider, liar: School, seconds: int, is_good: bool) -> None:
    def of_a_clock(claims: Claims) -> str:
        return signed(claims | {name: claims[name] + seconds for name in ("iat", "exp")})

    assert (believed(wary, liar, of_a_clock) is not None) is is_good


@given(st.sampled_from(NEEDED), ODD)
def test_a_claim_with_a_value_of_no_honest_one_is_refused(wary: OidcProvider, liar: School, name: str, odd: object) -> None:
    claims = believed(wary, liar, lambda claims: signed(claims | {name: odd}))

    assert claims is None or name in ("sub", "iat", "exp")  # on which nothing depends here
