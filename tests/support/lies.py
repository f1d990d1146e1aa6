"""What a platform or a sign-in that lies puts into a token, and how it signs it."""

import base64
import hmac
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import strategies as st
from jwt import PyJWS

Claims = dict[str, Any]
MINUTE, YEAR = 60, 365 * 24 * 3600
ALLOWED = 45  # seconds of difference between clocks that are let pass for certain
EXPIRES = 300  # seconds after which the tokens of the tests expire

SKEWS = st.one_of(
    st.integers(-ALLOWED, ALLOWED),
    st.integers(2, 90).map(lambda minutes: minutes * MINUTE),
    st.integers(7, 90).map(lambda minutes: -minutes * MINUTE),
    st.integers(1, 60).map(lambda years: years * YEAR),
    st.integers(1, 50).map(lambda years: -years * YEAR),
)
"""Seconds that a clock is fast: a few, minutes, or years, either way."""

ODD = st.sampled_from(
    [None, "", "x", "9" * 400, "\0", True, -1, 0, 10**30, *map(float, ("inf", "-inf", "nan")), [], {}, [1], ["", 2], {"a": []}]
)
"""Values that no claim of an honest one has. Some are believed where nothing depends on them."""
BELIEVED = ("sub", "iat", "exp")


def is_bearable(skew: int) -> bool:
    """Whether a token of a clock that is so many seconds fast is neither of the future nor expired."""
    return -EXPIRES - ALLOWED < skew <= ALLOWED


def skewed(claims: Claims, seconds: int) -> Claims:
    """The claims as a clock makes them that is fast."""
    return claims | {"iat": claims["iat"] + seconds, "exp": claims["exp"] + seconds}


def _json(claims: Claims) -> bytes:
    return json.dumps(claims).encode()


def signed(claims: Claims, kid: str, key: RSAPrivateKey) -> str:
    """As it should be, whatever the claims are."""
    return PyJWS().encode(_json(claims), key, "RS256", headers={"kid": kid})


def unsigned(claims: Claims, kid: str, _: RSAPrivateKey) -> str:
    """Signed by nobody, and it says so."""
    return PyJWS().encode(_json(claims), None, "none", headers={"kid": kid})


def by_public_key(claims: Claims, kid: str, key: RSAPrivateKey) -> str:
    """With the published key as if it were a secret, for whoever lets a token choose how it is checked."""
    pem = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return by_secret(claims, kid, pem)


def by_secret(claims: Claims, kid: str, secret: bytes) -> str:
    """With a secret that both sides have."""
    parts = ({"alg": "HS256", "kid": kid, "typ": "JWT"}, claims)
    signed = b".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in parts)
    mac = base64.urlsafe_b64encode(hmac.digest(secret, signed, "sha256")).rstrip(b"=")
    return (signed + b"." + mac).decode()


def cut(claims: Claims, kid: str, key: RSAPrivateKey) -> str:
    """Signed, with the signature cut off."""
    return signed(claims, kid, key).rpartition(".")[0] + "."


def changed(claims: Claims, kid: str, key: RSAPrivateKey) -> str:
    """Signed for one, and changed to be another's."""
    head, _, mac = signed(claims, kid, key).split(".")
    body = base64.urlsafe_b64encode(json.dumps(claims | {"sub": "the head"}).encode()).rstrip(b"=").decode()
    return f"{head}.{body}.{mac}"


FORGERIES: dict[str, Callable[[Claims, str, RSAPrivateKey], str]] = {
    "none": unsigned,
    "public key as a secret": by_public_key,
    "cut": cut,
    "changed": changed,
}
SIGNERS = (*FORGERIES, "secret", "stranger", "old key")


@dataclass(frozen=True)
class Lie:
    """What is wrong with a token; nothing by default. other: claims of another; signer: one of `keys`, or how it is forged."""

    skew: int = 0
    other: Claims | None = None
    missing: str | None = None
    odd: tuple[str, Any] | None = None
    signer: str = "honest"
    is_replayed: bool = False

    @property
    def is_one(self) -> bool:
        """Whether anything is wrong."""
        honest = is_bearable(self.skew) and self.signer == "honest" and not self.is_replayed
        return not honest or any((self.other, self.missing, self.odd))

    def token(self, claims: Claims, keys: Mapping[str, tuple[str, RSAPrivateKey]], secret: str) -> str:
        """The token with what is wrong in it. keys: the id that is named and the key, by signer; secret: both sides have it."""
        claims = skewed(claims, self.skew) | (self.other or {})
        claims = {name: value for name, value in claims.items() if name != self.missing}
        claims |= {self.odd[0]: self.odd[1]} if self.odd else {}
        if self.signer == "secret":
            return by_secret(claims, keys["honest"][0], secret.encode())
        if self.signer in FORGERIES:
            return FORGERIES[self.signer](claims, *keys["honest"])
        return signed(claims, *keys[self.signer])


def one_lie(others: Sequence[Claims], needed: Sequence[str]) -> st.SearchStrategy[Lie]:
    """One thing is wrong, in any way."""
    return st.one_of(
        st.builds(Lie, skew=SKEWS),
        st.builds(Lie, other=st.sampled_from(others)),
        st.builds(Lie, missing=st.sampled_from(needed)),
        st.builds(Lie, odd=st.tuples(st.sampled_from(needed), ODD)),
        st.builds(Lie, signer=st.sampled_from(SIGNERS)),
    )


def any_lies(others: Sequence[Claims], needed: Sequence[str], **more: st.SearchStrategy[Any]) -> st.SearchStrategy[Lie]:
    """Nothing is wrong, or one thing, or several."""
    return st.builds(
        Lie,
        skew=st.one_of(st.just(0), SKEWS),
        other=st.one_of(st.none(), st.sampled_from(others)),
        missing=st.one_of(st.none(), st.sampled_from(needed)),
        odd=st.one_of(st.none(), st.tuples(st.sampled_from(needed), ODD)),
        signer=st.one_of(st.just("honest"), st.sampled_from(SIGNERS)),
        **more,
    )
