"""Who may do what."""

import time
from collections.abc import Callable, Iterator
from enum import StrEnum
from types import SimpleNamespace
from typing import Any, cast

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from google.auth import crypt, jwt
from google.auth.exceptions import TransportError
from google.auth.transport import Response
from werkzeug.test import TestResponse

from chapterverse.accounts.model import KeyScope
from chapterverse.core.errors import CertsUnavailable, Forbidden, Unauthenticated
from chapterverse.core.requests import PREFIX
from chapterverse.web.app import OPERATIONS
from chapterverse.web.auth import MAX_AGE, SIGNATURE_REMOVED, CachedRequests, ServiceAuthenticator
from chapterverse.web.operations import Operation
from tests.support.web import ESSAY, Caller, Site, site

ALL_SCOPES = list(KeyScope)
BODIES = {
    "essay_evidence": {"essay": ESSAY},
    "essay_feedback": {"essay": ESSAY},
    "choose_evidence": {"show": "hidden"},
    "approval": {"approved": True},
}


def absent(type_: type) -> object:
    """A value of a path parameter that names nothing here, or the first collection."""
    if issubclass(type_, StrEnum):
        return next(iter(type_)).value
    return "none" if type_ is str else 0


def ask(operation: Operation, caller: Caller, **path: Any) -> TestResponse:
    """Do the operation, on things that are not there where none are named."""
    nothing = {name: absent(type_) for name, type_ in operation.path_types.items()}
    return caller(operation.method, PREFIX + operation.path.format(**nothing | path), BODIES.get(operation.id))


@pytest.fixture(scope="module")
def school(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """For all operations in turn: they are asked for things that are not there."""
    with site(tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.id)
def test_each_operation_is_for_keys_of_its_scope_and_wider_ones_and_nothing_is_done_without_one(
    operation: Operation, school: Site
) -> None:
    allowed = [scope for scope in ALL_SCOPES if ask(operation, school.caller(scope)).status_code != 403]
    answer = ask(operation, Caller(school.app, "cv_none_none"))

    assert allowed == ALL_SCOPES[ALL_SCOPES.index(operation.scope) :]
    assert (answer.status_code, answer.get_json()["code"]) == (401, "unauthenticated")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("headers", [{}, {"Authorization": "Basic YTpi"}, {"Authorization": "Bearer "}])
def test_who_sends_no_key_is_told_to_send_one(library: Site, headers: dict[str, str]) -> None:
    answer = library.anybody("GET", "/api/v1/collections/books/sources", headers=headers)

    assert answer.status_code == 401
    assert answer.get_json()["id"] == "key_missing"


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
        return f"Bearer {jwt.encode(signer or keys.signer, good | {'iat': now, 'exp': now + 3600} | claims).decode()}"

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
