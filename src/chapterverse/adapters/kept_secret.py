"""A secret of this machine, made once and kept in a file that only its user reads."""

import secrets
from os import O_CREAT, O_EXCL, O_WRONLY
from os import open as os_open
from pathlib import Path

BYTES = 32


def kept_secret(path: Path) -> bytes:
    """The bytes kept there; of several that ask at once for the first time, all get the same."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        with open(os_open(fresh, O_CREAT | O_EXCL | O_WRONLY, 0o600), "wb") as file:
            file.write(secrets.token_bytes(BYTES))
        path.hardlink_to(fresh)  # whole, and only if there is none
    except FileExistsError:
        pass
    finally:
        fresh.unlink(missing_ok=True)
    return path.read_bytes()
