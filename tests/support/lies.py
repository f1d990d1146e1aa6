"""What a platform or a sign-in that lies puts into a token, and how it signs it."""

import base64
import hmac
import json
from collections.abc import Callable
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
    [
        None,
        "",
        "x",
        -1,
        0,
        10**30,
        float("inf"),
        float("-inf"),
        float("nan"),
        True,
        [],
        {},
        [1],
        ["", 2],
        {"a": []},
        "9" * 400,
        "\0",
    ]
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
