"""Encryption of secrets that are stored in the database, and hosts that secrets may be sent to."""

import socket
from contextlib import suppress
from hashlib import sha256
from hmac import new as hmac
from ipaddress import ip_address

from joserfc import jwe
from joserfc.errors import JoseError
from joserfc.jwe import JWERegistry
from joserfc.jwk import OctKey

from chapterverse.core.errors import BadRequest
from chapterverse.core.names import fingerprint

_ALGORITHMS = ["dir", "A256GCM"]
_PURPOSE = b"what admins set up on the page"


class Seal:
    """Encrypts texts by AES-256-GCM (RFC 7516, compact). A text opens only for the subject that it was sealed for, so that rows
    of the database cannot be exchanged."""

    def __init__(self, secret: bytes) -> None:
        self._key = OctKey.import_key(hmac(secret, _PURPOSE, sha256).digest())
        self._registry = JWERegistry(algorithms=_ALGORITHMS, strict_check_header=False)

    def seal(self, text: str, *subject: str) -> str:
        header = {"alg": "dir", "enc": "A256GCM", "sub": fingerprint(*subject, digits=32)}
        return jwe.encrypt_compact(header, text.encode(), self._key, registry=self._registry)

    def open(self, sealed: str, *subject: str) -> str:
        """The text. Raises BadRequest if it was sealed by another key or for another subject."""
        with suppress(JoseError, ValueError):
            opened = jwe.decrypt_compact(sealed, self._key, registry=self._registry)
            if opened.headers().get("sub") == fingerprint(*subject, digits=32) and opened.plaintext is not None:
                return opened.plaintext.decode()
        raise BadRequest("setup_unreadable")


def refuse_private(host: str) -> None:
    """Raises BadRequest if the host is not found, or stands in a private network: there an admin of one school could reach
    servers of the operator."""
    try:
        found = {each[4][0] for each in socket.getaddrinfo(host, None)}
    except OSError as error:
        raise BadRequest("host_not_found", host=host) from error
    if not all(ip_address(str(each).partition("%")[0]).is_global for each in found):
        raise BadRequest("host_private", host=host)
