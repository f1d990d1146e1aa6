"""`chapterverse lti keys`: the keys that Chapterverse signs with."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

import typer

from chapterverse import composition
from chapterverse.accounts.cli import now
from chapterverse.cli.session import at_home, settings
from chapterverse.cli.terminal import Json, print_found, print_line

app = typer.Typer(
    name="lti", help="Keys for learning platforms, Moodle and Canvas; the page Setup connects them.", no_args_is_help=True
)

KEY_DAYS = 7  # that a replaced key stays published


@app.command("keys")
def list_keys(
    *,
    rotate: Annotated[
        bool, typer.Option("--rotate", help="Sign with a new key from now on; the one before stays published for seven days.")
    ] = False,
    print_new: Annotated[
        bool, typer.Option("--print-new", help="Print a new value of CHAPTERVERSE_LTI_KEYS, which is secret; store nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List the keys that Chapterverse signs with, newest first: their public part only."""
    from chapterverse.lti.messages import as_secret, rotated

    tool, seconds = composition.lti(at_home()), timedelta(days=KEY_DAYS).total_seconds()
    if print_new and rotate:
        raise typer.BadParameter("--print-new stores nothing, and --rotate stores a key: use one of them.")
    if print_new:
        known = tool.keys.all() if settings().lti_keys.get_secret_value() else ()
        print_line(as_secret(rotated(known, now(), seconds)))
        return
    keys = tool.keys.rotate(now(), seconds) if rotate else tool.keys.all()
    states = [f"since {key.retired:%Y-%m-%d} published only" if key.retired else "signs" for key in keys]
    rows = [(str(key.public["kid"]), state) for key, state in zip(keys, states, strict=True)]  # nothing secret
    print_found([{"key": key, "state": state} for key, state in rows], ("key", "state"), rows, as_json=as_json)
