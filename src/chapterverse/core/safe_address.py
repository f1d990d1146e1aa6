"""Check addresses that receive secrets: https, or http on this machine."""

import re
from typing import Any
from urllib.parse import urlsplit

_HOST = re.compile(r"([a-z0-9._-]+|\[[0-9a-f:.]+\])(:\d{1,5})?", re.ASCII | re.IGNORECASE)
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def is_safe(address: Any) -> bool:
    """Whether a value of any type is such an address. It may then stand in a header, because its host is only a host name."""
    if not isinstance(address, str) or " " in address or not address.isprintable():
        return False
    try:
        at = urlsplit(address)
    except ValueError:
        return False
    if not _HOST.fullmatch(at.netloc):
        return False
    return at.scheme == "https" or (at.scheme == "http" and at.hostname in LOOPBACK)
