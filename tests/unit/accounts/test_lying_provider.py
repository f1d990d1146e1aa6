"""A school's sign-in that lies, or somebody who plays it: a token is believed only where nothing is wrong with it."""

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
from chapterverse.accounts.oidc import MAX_AGE, OidcProvider
from chapterverse.core.errors import SignInRefused
from tests.support.oidc import CLIENT, SECRET, School, _new_key, a_school

BACK = "https://school.example/sign-in/school/lessing/back"
FLOW = Flow("a secret of the browser", "lessing", "/")
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


def of_another(claims: Claims) -> str:
    """Signed for one, and changed to be another's."""
    (head, _, mac), (_, body, _) = (signed(each).split(".") for each in (claims, claims | {"sub": "the head"}))
    return f"{head}.{body}.{mac}"


FORGED: dict[str, Callable[[Claims], str]] = {
    "unsigned": lambda claims: PyJWS().encode(json.dumps(claims).encode(), None, "none", headers={"kid": "now"}),
    "by the public key": lambda claims: by_secret(claims, NOW.as_pem(private=False)),
    "by the client's secret": lambda claims: by_secret(claims, SECRET.encode()),
    "cut": lambda claims: signed(claims).rpartition(".")[0] + ".",
    "changed": of_another,
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
}
NEEDED = ("iss", "aud", "sub", "exp", "iat", "nonce")
ODD = st.sampled_from([None, "", "x", "9" * 400, "\0", True, -1, 0, 10**30, *map(float, ("inf", "-inf", "nan")), [], {}, [1]])


@pytest.fixture(scope="module")
def school() -> Iterator[School]:
    with a_school() as school:
        yield school


@pytest.fixture(scope="module")
def provider(school: School) -> OidcProvider:
    """One that signed with OLD when it was asked first, and has long signed with NOW."""
    seconds, school.key = iter([0.0]), NOW
    registered = Provider("lessing", "school", "Lessing", school.issuer, CLIENT)
    return OidcProvider(registered, SECRET, lambda: next(seconds, 3 * MAX_AGE))


def believed(provider: OidcProvider, school: School, token: Callable[[Claims], str]) -> Claims | None:
    """What is believed of a token made of good claims; None if it is refused."""

    def of_flow(nonce: str) -> str:
        now = int(time.time())
        return token({"iss": school.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce, **school.who})

    school._token = of_flow
    there = requests.get(provider.begin(FLOW, BACK), allow_redirects=False, timeout=5)
    code = parse_qs(urlsplit(there.headers["Location"]).query)["code"][0]
    try:
        return dict(provider.finish(FLOW, code, BACK))
    except SignInRefused:
        return None


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
def test_what_the_provider_has_not_signed_is_refused(
    provider: OidcProvider, school: School, forged: Callable[[Claims], str]
) -> None:
    assert believed(provider, school, forged) is None


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_what_is_of_or_for_another_is_refused(provider: OidcProvider, school: School, other: Claims) -> None:
    assert believed(provider, school, lambda claims: signed(claims | other)) is None


@pytest.mark.parametrize("missing", NEEDED)
def test_what_lacks_a_claim_is_refused(provider: OidcProvider, school: School, missing: str) -> None:
    assert believed(provider, school, lambda claims: signed({n: each for n, each in claims.items() if n != missing})) is None


@pytest.mark.parametrize(("seconds", "is_good"), [(-3600, False), (-330, True), (30, True), (120, False)])
def test_clocks_may_differ_by_half_a_minute(provider: OidcProvider, school: School, seconds: int, is_good: bool) -> None:
    def of_a_clock(claims: Claims) -> str:
        return signed(claims | {name: claims[name] + seconds for name in ("iat", "exp")})

    assert (believed(provider, school, of_a_clock) is not None) is is_good


@given(st.sampled_from(NEEDED), ODD)
def test_a_claim_with_a_value_that_no_honest_one_has_is_refused(
    provider: OidcProvider, school: School, name: str, odd: object
) -> None:
    claims = believed(provider, school, lambda claims: signed(claims | {name: odd}))

    assert claims is None or name in ("sub", "iat", "exp")  # on which nothing depends here
