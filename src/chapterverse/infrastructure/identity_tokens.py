"""Identity tokens of this program's account, for calls to other services."""

from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
from typing import Any

from google.auth.exceptions import GoogleAuthError
from google.auth.transport.requests import Request
from google.oauth2.id_token import fetch_id_token_credentials

from chapterverse.core.errors import EmbedderUnavailable


@dataclass(frozen=True)
class IdTokens:
    """Tokens for one audience, the address of the called service; each is used until it expires, after about an hour."""

    audience: str
    _one_at_a_time: Lock = field(default_factory=Lock)

    def __call__(self) -> str:
        """A valid token. Raises EmbedderUnavailable."""
        try:
            with self._one_at_a_time:
                if not self._credentials.valid:
                    self._credentials.refresh(Request())
                return str(self._credentials.token)
        except GoogleAuthError as error:
            raise EmbedderUnavailable("embedder_no_token") from error

    @cached_property
    def _credentials(self) -> Any:
        return fetch_id_token_credentials(self.audience, Request())  # type: ignore[no-untyped-call]
