"""The keys that learning platforms sign with: remembered, and fetched anew when one is unknown."""

import time
from dataclasses import dataclass, field
from typing import Any

import jwt
import requests
from pylti1p3.exception import LtiException

from chapterverse.errors import PlatformUnavailable
from chapterverse.messages import message

ALGORITHM = "RS256"  # the one that every platform has (Security Framework 1.0, 5.1.1): so no message chooses its own
WITHIN = 10.0  # seconds that keys may take
KEPT = 3600.0  # seconds that a platform's keys are believed
AGAIN = 30.0  # seconds before keys are fetched again for a key that is unknown: who makes ids up makes no work


@dataclass
class KeySets:
    """The public keys of platforms, as each was told last."""

    session: requests.Session = field(default_factory=requests.Session)
    _sets: dict[str, tuple[float, dict[str, dict[str, Any]]]] = field(default_factory=dict)

    def find(self, url: str, kid: str) -> jwt.PyJWK:
        """The key of that id; a set without it is asked for again, and an old one, of which keys may have been withdrawn.

        Raises LtiException, PlatformUnavailable."""
        when, keys = self._sets.get(url, (float("-inf"), {}))
        age = time.monotonic() - when
        if age > KEPT or (kid not in keys and age > AGAIN):
            keys = self._fetch(url)
            self._sets[url] = time.monotonic(), keys
        if kid not in keys:
            raise LtiException(message("lms_unknown_key"))
        try:
            return jwt.PyJWK.from_dict(keys[kid], ALGORITHM)
        except (jwt.PyJWTError, ValueError, TypeError, AttributeError) as error:
            raise LtiException(message("lms_unreadable_key")) from error

    def _fetch(self, url: str) -> dict[str, dict[str, Any]]:
        try:
            answer = self.session.get(url, timeout=WITHIN)
            answer.raise_for_status()
            return {str(key["kid"]): key for key in answer.json()["keys"] if key.get("kty") == "RSA" and "kid" in key}
        except (requests.RequestException, KeyError, TypeError, AttributeError) as error:
            raise PlatformUnavailable("lms_keys_away") from error
