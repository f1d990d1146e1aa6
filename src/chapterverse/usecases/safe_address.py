"""Where secrets may go: over https, or to this machine, where nobody listens in between."""

from typing import Any
from urllib.parse import urlsplit

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def is_safe(address: Any) -> bool:
    """Whether it is such an address; what others tell may be anything."""
    if not isinstance(address, str):
        return False
    at = urlsplit(address)
    return at.scheme == "https" or (at.scheme == "http" and at.hostname in LOOPBACK)
