"""A school's sign-in that lies, or somebody who plays it, in any mixture: it is believed only where nothing is wrong."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from hypothesis import given, settings
from hypothesis import strategies as st

from chapterverse.accounts.model import Flow, Provider
from chapterverse.accounts.oidc import MAX_AGE, OidcProvider
from chapterverse.core.errors import SignInRefused
from tests.support.lies import BELIEVED, FORGERIES, ODD, SKEWS, Claims, by_secret, is_bearable, signed, skewed
from tests.support.oidc import CLIENT, SECRET, School, _new_key, a_school

BACK = "https://school.example/sign-in/school/lessing/back"
FLOW = Flow("a secret of the browser", "lessing", "/")
OTHERS = {
    "audience": {"aud": "another-client"},
    "audiences": {"aud": [CLIENT, "another-client"]},
    "party": {"aud": [CLIENT, "another-client"], "azp": "another-client"},
    "party of another audience": {"aud": "another-client", "azp": CLIENT},
    "issuer": {"iss": "https://another.example"},
    "nonce": {"nonce": "of another sign-in"},
}
NEEDED = ("iss", "aud", "sub", "exp", "iat", "nonce")
OLD, NOW, STRANGER = _new_key("old"), _new_key("now"), _new_key("now")
SIGNERS = ("honest", "client secret", "stranger", "old key", *FORGERIES)


@dataclass(frozen=True)
class Lie:
    """What is wrong with a token; nothing by default."""

    skew: int = 0
    other: str | None = None
    missing: str | None = None
    odd: tuple[str, Any] | None = None
    signer: str = "honest"

    @property
    def is_one(self) -> bool:
        """Whether anything is wrong."""
        return not is_bearable(self.skew) or self.signer != "honest" or any((self.other, self.missing, self.odd))

    def token(self, claims: Claims) -> str:
        """The token with what is wrong in it."""
        claims = skewed(claims, self.skew) | (OTHERS[self.other] if self.other else {})
        claims = {name: value for name, value in claims.items() if name != self.missing}
        claims |= {self.odd[0]: self.odd[1]} if self.odd else {}
        if self.signer == "client secret":
            return by_secret(claims, "now", SECRET.encode())
        key = {"stranger": STRANGER, "old key": OLD}.get(self.signer, NOW)
        private = key.private_key
        assert isinstance(private, RSAPrivateKey)
        if self.signer in FORGERIES:
            return FORGERIES[self.signer](claims, "now", private)
        return signed(claims, str(key.kid), private)


ALONE = [
    *(Lie(other=other) for other in OTHERS),
    *(Lie(missing=name) for name in NEEDED),
    *(Lie(signer=signer) for signer in SIGNERS[1:]),
]
ONE_LIE = st.one_of(
    st.builds(Lie, skew=SKEWS),
    st.builds(Lie, other=st.sampled_from(list(OTHERS))),
    st.builds(Lie, missing=st.sampled_from(NEEDED)),
    st.builds(Lie, odd=st.tuples(st.sampled_from(NEEDED), ODD)),
    st.builds(Lie, signer=st.sampled_from(SIGNERS)),
)
LIES = st.builds(
    Lie,
    skew=st.one_of(st.just(0), SKEWS),
    other=st.one_of(st.none(), st.sampled_from(list(OTHERS))),
    missing=st.one_of(st.none(), st.sampled_from(NEEDED)),
    odd=st.one_of(st.none(), st.tuples(st.sampled_from(NEEDED), ODD)),
    signer=st.sampled_from(SIGNERS),
)


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
        return lie.token({"iss": school.issuer, "aud": CLIENT, "iat": now, "exp": now + 300, "nonce": nonce, **school.who})

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
@given(lie=st.one_of(ONE_LIE, LIES))
def test_a_token_is_believed_only_if_nothing_is_wrong_with_it(provider: OidcProvider, school: School, lie: Lie) -> None:
    claims = signed_in(provider, school, lie)

    if claims is None or not (lie.odd and lie.odd[0] in BELIEVED):
        assert (claims is None) == lie.is_one, lie
    assert claims is None or lie.odd or claims["sub"] == school.who["sub"]
