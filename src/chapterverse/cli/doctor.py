"""`chapterverse doctor`: is everything there that the other commands need?"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer

from chapterverse.cli.checks import CHECKS, CHECKS_AT_HOME, Check, State
from chapterverse.cli.outcome import told
from chapterverse.cli.session import settings
from chapterverse.cli.terminal import print_json, print_table
from chapterverse.errors import ChapterverseError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from chapterverse.settings import Settings


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at; message says what was found, or what to do."""

    name: str
    state: State
    message: str


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """Look at all that the settings choose, and say what to do where something is amiss. Exit code 1 if anything fails."""
    settings()  # one that is wrong is said once, not by every check
    findings = look_at_all()
    if as_json:
        print_json([asdict(finding) for finding in findings])
    else:
        print_table(("", "", ""), [(finding.state, finding.name, finding.message) for finding in findings])
    if any(finding.state is State.FAIL for finding in findings):
        raise typer.Exit(1)


def look_at_all() -> list[Finding]:
    """Where there is no home, what would be in it is not looked at: each would only say the same again."""
    findings = [look(name, check) for name, check in CHECKS.items()]
    if any(finding.name == "home" and finding.state is State.FAIL for finding in findings):
        return findings
    return findings + [look(name, check) for name, check in CHECKS_AT_HOME.items()]


def look(name: str, check: Check) -> Finding:
    """The check's result; whatever it raises is a failure, and doctor goes on to the next."""
    try:
        return Finding(name, *check(settings()))
    except (ChapterverseError, OSError, ImportError) as error:
        said = told(error)
    except Exception as error:  # a library's own, e.g. of Google's without credentials
        said = f"{type(error).__name__}: {error}"
    return Finding(name, State.FAIL, without_secrets(said, settings()))


def without_secrets(message: str, s: Settings) -> str:
    """The message with nothing in it that a setting keeps secret."""
    for secret in sorted(secrets_in(s), key=len, reverse=True):
        message = message.replace(secret, "***")
    return message


def secrets_in(s: Settings) -> Iterator[str]:
    """Secret values, and the passwords of secret addresses."""
    from pydantic import SecretStr

    values = (
        value.get_secret_value()
        for value in (getattr(s, name) for name in type(s).model_fields)
        if isinstance(value, SecretStr)
    )
    for value in filter(None, values):
        yield value
        if password := urlsplit(value).password:
            yield password
