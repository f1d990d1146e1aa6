import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.auth import crypt, jwt
from google.auth.exceptions import TransportError
from google.auth.transport import Response

from chapterverse.core.errors import CertsUnavailable, Forbidden, Unauthenticated
from chapterverse.web.auth import MAX_AGE, SIGNATURE_REMOVED, CachedRequests, ServiceAuthenticator

AUDIENCE, CALLER, CERTS = "https://embedder.example", "tasks@project.example", "https://certs.example"


class Keys:
    """An issuer's key, and the answer of the address that tells its public half."""

    def __init__(self) -> None:
        key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()
        )
        public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        self.signer = crypt.RSASigner.from_string(private, "key-1")
        self.certs = f'{{"key-1": {public.decode()!r}}}'.replace("'", '"').encode()
        self.asked = 0

    def __call__(self, _url: str, *_rest: Any, **_how: Any) -> Response:
        self.asked += 1
        return plain(self.certs)


def plain(data: bytes, status: int = 200) -> Response:
    """A plain answer of a server."""
    return cast(Response, SimpleNamespace(status=status, headers={}, data=data))


@pytest.fixture(scope="module")
def keys() -> Keys:
    return Keys()


@pytest.fixture
def door(keys: Keys) -> ServiceAuthenticator:
    return ServiceAuthenticator(AUDIENCE, frozenset({CALLER}), CERTS, CachedRequests(keys))


@pytest.fixture
def token(keys: Keys) -> Callable[..., str]:
    """The Authorization header of a caller; claims: what is not as it should be."""

    def signed(signer: Any = None, **claims: Any) -> str:
        now = int(time.time())
        good = {"iss": "https://accounts.google.com", "aud": AUDIENCE, "email": CALLER, "email_verified": True}
        times = {"iat": now, "exp": now + 3600}
        return f"Bearer {jwt.encode(signer or keys.signer, good | times | claims).decode()}"

    return signed


def test_what_is_no_token_or_one_for_or_of_somebody_else_or_of_yesterday_is_refused(
    door: ServiceAuthenticator, token: Callable[..., str]
) -> None:
    nonsense = ["", "Bearer", "Bearer ", "Basic YTpi", "Bearer a.b.c", "Bearer cv_key_secret"]
    of_others = [{"aud": "https://other.example"}, {"iss": "https://evil.example"}, {"exp": 1, "iat": 0}]
    unsigned = [token(signer=Keys().signer), without_signature(token())]
    for header in (*nonsense, *(token(**claims) for claims in of_others), *unsigned):
        with pytest.raises(Unauthenticated):
            door.admit(header)
    for claims in ({"email": "other@project.example"}, {"email_verified": False}, {"email": None}):
        with pytest.raises(Forbidden):
            door.admit(token(**claims))


def without_signature(header: str) -> str:
    """As Cloud Run hands on a token that it has verified."""
    return f"{header.rpartition('.')[0]}.{SIGNATURE_REMOVED}"


def test_behind_cloud_run_a_token_without_its_signature_is_let_in(keys: Keys, token: Callable[..., str]) -> None:
    door = ServiceAuthenticator(AUDIENCE, frozenset({CALLER}), CERTS, transport=CachedRequests(keys), verified=True)

    assert door.admit(without_signature(token())) == CALLER
    with pytest.raises(Forbidden):
        door.admit(without_signature(token(email="other@project.example")))
    for claims in ({"aud": "https://other.example"}, {"iss": "https://evil.example"}):
        with pytest.raises(Unauthenticated):
            door.admit(without_signature(token(**claims)))
    with pytest.raises(Unauthenticated):  # a signature that is there is verified
        door.admit(token(signer=Keys().signer))


def test_the_issuers_keys_are_asked_for_now_and_then_only(token: Callable[..., str]) -> None:
    clock, keys = [0.0], Keys()
    door = ServiceAuthenticator(AUDIENCE, frozenset({CALLER}), CERTS, CachedRequests(keys, lambda: clock[0]))

    for seconds in (0.0, MAX_AGE / 2, MAX_AGE + 1):
        clock[0] = seconds
        assert door.admit(token(signer=keys.signer)) == CALLER

    assert keys.asked == 2


def test_while_the_issuers_keys_cannot_be_had_the_caller_is_to_come_again(token: Callable[..., str]) -> None:
    def away(*_: Any, **__: Any) -> Response:
        raise TransportError("no route")

    for answer in (away, lambda *_, **__: plain(b"", 500)):
        with pytest.raises(CertsUnavailable):
            ServiceAuthenticator(AUDIENCE, frozenset({CALLER}), CERTS, CachedRequests(answer)).admit(token())
