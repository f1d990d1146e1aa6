"""`chapterverse keys`: create, list, rotate, revoke."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chapterverse import composition
from chapterverse.cli.session import settings
from chapterverse.cli.terminal import Json, print_json, print_line, print_table

if TYPE_CHECKING:
    from chapterverse.model import ApiKey
    from chapterverse.usecases import api_keys

app = typer.Typer(name="keys", help="API keys: who may call the HTTP interface, for which school.", no_args_is_help=True)

School = Annotated[str | None, typer.Option("--school", help="The school; else that of CHAPTERVERSE_SCHOOL.")]
Key = Annotated[str, typer.Argument(help="A key's id, as `keys list` shows it.")]
Drawn = Annotated[
    str | None, typer.Option("--drawn", help="What `keys draw` printed beside the secret, which then nobody here is told.")
]
ONCE = "It is shown this once; only its digest is kept."


class Scope(StrEnum):
    """model.KeyScope, which would bring numpy along: whoever asks for help does not wait for it."""

    STUDENT = "student"
    TEACHER = "teacher"
    ADMIN = "admin"


@app.command()
def draw(as_json: Json = False) -> None:
    """Draw a secret, and what `create` and `rotate` are told of it where others read along. Nothing is kept."""
    from chapterverse.usecases.api_keys import draw

    drawn, token = draw()
    if as_json:
        print_json({"secret": token, "drawn": str(drawn)})
        return
    print_line(token)
    print_line(f"It is shown this once. To make it a key: chapterverse keys create --drawn {drawn}")


@app.command()
def create(
    *,
    scope: Annotated[Scope, typer.Option(help="What it may do: each may do what those before it may.")] = Scope.STUDENT,
    note: Annotated[str, typer.Option(help="What it is for.")] = "",
    days: Annotated[int | None, typer.Option(min=1, help="Days that it is good for; else for good.")] = None,
    drawn: Drawn = None,
    school: School = None,
    as_json: Json = False,
) -> None:
    """Make a key, and show its secret this once."""
    from chapterverse.model import KeyScope
    from chapterverse.usecases.api_keys import keep_key

    expires = now() + timedelta(days=days) if days else None
    kept, token = drawn_as(drawn)
    key = keep_key(kept, of(school), KeyScope(scope), note, keys=composition.keys(settings()), now=now(), expires=expires)
    print_secret(key, token, as_json=as_json)


@app.command("list")
def list_all(school: School = None, as_json: Json = False) -> None:
    """All keys of the school, without their secrets."""
    from chapterverse.usecases.api_keys import list_keys

    keys = list_keys(of(school), composition.keys(settings()))
    if as_json:
        print_json([key_json(key) for key in keys])
        return
    print_table(("key", "scope", "note", "created", "state"), [key_row(key) for key in keys])


@app.command()
def rotate(key: Key, drawn: Drawn = None, school: School = None, as_json: Json = False) -> None:
    """Make a key like that one, and show its secret this once. The old one is good for a week more at most."""
    from chapterverse.usecases.api_keys import rotate_key

    kept, token = drawn_as(drawn)
    print_secret(rotate_key(kept, of(school), key, composition.keys(settings()), now()), token, as_json=as_json)


@app.command()
def revoke(key: Key, school: School = None, as_json: Json = False) -> None:
    """Make a key good for nothing, from now on."""
    from chapterverse.usecases.api_keys import revoke_key

    revoked = revoke_key(of(school), key, composition.keys(settings()), now())
    print_json(key_json(revoked)) if as_json else print_line(f"Revoked {revoked.id}.")


def drawn_as(text: str | None) -> tuple[api_keys.Drawn, str | None]:
    """What was drawn elsewhere, or a new one and its secret."""
    from chapterverse.usecases.api_keys import Drawn, draw

    return (Drawn.read(text), None) if text else draw()


def print_secret(key: ApiKey, token: str | None, *, as_json: bool) -> None:
    """The only time that the secret is told, where it is known at all."""
    if as_json:
        print_json({**key_json(key), **({"secret": token} if token else {})})
        return
    if token:
        print_line(token)
    print_line(f"A key of scope {key.scope} for the school {key.school}, {key.id}. {ONCE if token else ''}".rstrip())


def of(school: str | None) -> str:
    """The school meant."""
    return school or settings().school


def now() -> datetime:
    """The moment, with its zone."""
    return datetime.now(UTC)


def state_of(key: ApiKey) -> str:
    """Whether it is good, and until when."""
    if key.revoked:
        return f"revoked {key.revoked:%Y-%m-%d}"
    if key.expires:
        return f"{'expired' if key.expires <= now() else 'good until'} {key.expires:%Y-%m-%d}"
    return "good"


def key_row(key: ApiKey) -> tuple[str, ...]:
    """One line of the list."""
    return key.id, key.scope, key.note, f"{key.created:%Y-%m-%d}", state_of(key)


def key_json(key: ApiKey) -> dict[str, Any]:
    """A key as --json shows it; times are UTC, null for never."""
    times = {"created": key.created, "expires": key.expires, "revoked": key.revoked}
    told = {name: at and at.isoformat() for name, at in times.items()}
    return {"key": key.id, "school": key.school, "scope": key.scope, "note": key.note, **told}
