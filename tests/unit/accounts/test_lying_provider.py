"""A school's sign-in that lies, or somebody who plays it, in any mixture: it is believed only where nothing is wrong."""

import time
from collections.abc import Iterator
from typing import cast
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from chapterverse.accounts.model import Flow, Provider
from chapterverse.accounts.oidc import MAX_AGE, OidcProvider
from chapterverse.core.errors import SignInRefused
from tests.support.lies import BELIEVED, SIGNERS, Claims, Lie, any_lies, one_lie
from tests.support.oidc import CLIENT, SECRET, School, _new_key, a_school

BACK = "https://school.example/sign-in/school/lessing/back"
FLOW = Flow("a secret of the browser", "lessing", "/")
OTHERS: dict[str, Claims] = {
    "audience": {"aud": "another-client"},
    "audiences": {"aud": [CLIENT, "another-client"]},
    "party": {"aud": [CLIENT, "another-client"], "azp": "another-client"},
    "party of another audience": {"aud": "another-client", "azp": CLIENT},
    "issuer": {"iss": "https://another.example"},
    "nonce": {"nonce": "of another sign-in"},
}
NEEDED = ("iss", "aud", "sub", "exp", "iat", "nonce")
OLD, NOW, STRANGER = _new_key("old"), _new_key("now"), _new_key("now")


FORMS = ([*OTHERS.values()], NEEDED)
SIGNED_BY = {
    signer: (str(key.kid), cast(RSAPrivateKey, key.private_key))
    for signer, key in {"honest": NOW, "stranger": STRANGER, "old key": OLD}.items()
}
ALONE = [
    *(Lie(other=other) for other in OTHERS.values()),
    *(Lie(missing=name) for name in NEEDED),
    *(Lie(signer=signer) for signer in SIGNERS),
]


@pytest.fixture(scope="module")
def school() -> Iterator[School]:
    with a_school() as school:
        yield school


@pytest.fixture(scope="module")
def provider(school: School) -> OidcProvider:
    """One that signed with OLD when it was asked first, and has long signed with NOW."""
    seconds = iter([0.0])
    provider = OidcProvider(
        Provider("lessing", "school", "Lessing", school.issuer, CLIENT), SECRET, lambda: next(seconds, 3 * MAX_AGE)
    )
    school.key = NOW
    return provider


def signed_in(provider: OidcProvider, school: School, lie: Lie) -> Claims | None:
    """What is believed of the token; None if it is refused."""

    def token(nonce: str) -> str:
        now = int(time.time())
        claims = {"iss": school.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce, **school.who}
        return lie.token(claims, SIGNED_BY, SECRET)

    school._token = token  # type: ignore[method-assign]
    there = requests.get(provider.begin(FLOW, BACK), allow_redirects=False, timeout=5)
    code = parse_qs(urlsplit(there.headers["Location"]).query)["code"][0]
    try:
        claims = dict(provider.finish(FLOW, code, BACK))
    except SignInRefused:
        claims = {}
    with pytest.raises(SignInRefused):  # a code is good once, whatever came of it
        provider.finish(FLOW, code, BACK)
    return claims or None


@pytest.mark.parametrize("lie", ALONE, ids=str)
def test_one_thing_that_is_wrong_is_enough(provider: OidcProvider, school: School, lie: Lie) -> None:
    assert signed_in(provider, school, lie) is None


@settings(max_examples=2 * settings.default.max_examples)
@given(lie=st.one_of(one_lie(*FORMS), any_lies(*FORMS)))
def test_a_token_is_believed_only_if_nothing_is_wrong_with_it(provider: OidcProvider, school: School, lie: Lie) -> None:
    claims = signed_in(provider, school, lie)

    if claims is None or not (lie.odd and lie.odd[0] in BELIEVED):
        assert (claims is None) == lie.is_one, lie
    assert claims is None or lie.odd or claims["sub"] == school.who["sub"]
