"""`chapterverse lti`: register Moodle and Canvas here, and show what to enter there."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Self

import typer

from chapterverse import composition
from chapterverse.accounts.cli import School, now, of
from chapterverse.accounts.model import KeyScope
from chapterverse.cli.session import HERE, make_home, settings
from chapterverse.cli.terminal import Json, print_json, print_line, print_table
from chapterverse.core.errors import BadRequest
from chapterverse.lti import PlatformKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chapterverse.lti.launching import LtiTool
    from chapterverse.lti.model import Platform, ToolKey
    from chapterverse.lti.registering import PlatformAddresses

app = typer.Typer(
    name="lti", help="Learning platforms, Moodle and Canvas, that open Chapterverse by LTI 1.3.", no_args_is_help=True
)

Id = Annotated[str, typer.Argument(help="A platform's id, as `lti list` shows it.")]
KEY_DAYS = 7  # that a replaced key stays published


@app.command()
def add(
    kind: Annotated[PlatformKind, typer.Argument(help="The kind of platform; for `other`, give all addresses.")],
    *,
    client_id: Annotated[str, typer.Option(help="Our client id at the platform.")],
    deployment: Annotated[list[str] | None, typer.Option(help="A deployment id, as the platform shows it; repeatable.")] = None,
    host: Annotated[str, typer.Option(help="https:// address of the platform.")] = "",
    issuer: Annotated[str, typer.Option(help="Its issuer (platform id); by default that of the kind.")] = "",
    login_url: Annotated[str, typer.Option(help="Its authentication request URL; by default that of the kind.")] = "",
    token_url: Annotated[str, typer.Option(help="Its access token URL; by default that of the kind.")] = "",
    keys_url: Annotated[str, typer.Option(help="Its public keyset URL; by default that of the kind.")] = "",
    at_most: Annotated[KeyScope, typer.Option(help="The highest role that it can give.")] = KeyScope.TEACHER,
    school: School = None,
    as_json: Json = False,
) -> None:
    """Register a learning platform of the school. Again: update its addresses, add a deployment."""
    from dataclasses import replace

    from chapterverse.lti.registering import register

    default = _addresses(kind, host, login_url)
    at = replace(
        default,
        issuer=issuer or default.issuer,
        login_url=login_url or default.login_url,
        token_url=token_url or default.token_url,
        keys_url=keys_url or default.keys_url,
    )
    tool = _tool()
    platform = register(of(school), at, client_id, deployment or [], at_most, tool=tool, now=now())
    if as_json:
        print_json(PlatformRecord.of(platform))
        return
    print_line(f"Registered {platform.issuer} for the school {platform.school}, highest role {platform.widest}: {platform.id}.")
    if not platform.deployments:
        print_line("It has no deployment yet: add it again with the --deployment that the platform shows.")


@app.command("list")
def list_all(
    *,
    ours: Annotated[bool, typer.Option("--ours", help="Show our addresses instead, for the platform's admin.")] = False,
    canvas: Annotated[bool, typer.Option("--canvas", help="Show our addresses as JSON for Canvas.")] = False,
    school: School = None,
    as_json: Json = False,
) -> None:
    """List the learning platforms of the school; with --ours, the addresses that a platform needs from us."""
    if ours or canvas:
        print_our_addresses(canvas, as_json)
        return
    platforms = _tool().store.platforms(of(school))
    if as_json:
        print_json([PlatformRecord.of(each) for each in platforms])
        return
    rows = [(each.id, each.issuer, each.client_id, ", ".join(each.deployments), each.widest) for each in platforms]
    print_table(("platform", "issuer", "client id", "deployments", "at most"), rows)


def print_our_addresses(canvas: bool, as_json: bool) -> None:
    """Print our addresses for the platform's admin; canvas: as the JSON configuration of Canvas."""
    from chapterverse.lti.registering import canvas_configuration, our_addresses

    tool = _tool()
    if canvas:
        print_json(canvas_configuration(tool))
        return
    addresses = our_addresses(tool)
    if as_json:
        print_json(addresses)
        return
    rows = [
        ("Tool URL, target link URI, redirect URI, content selection URL", addresses.launch),
        ("Initiate login URL, OpenID Connect initiation URL", addresses.login),
        ("Public keyset URL, public JWK URL", addresses.keys),
    ]
    print_table(("name there", "address"), rows)


@app.command()
def remove(
    platform: Id,
    deployment: Annotated[str, typer.Option(help="Remove only this deployment.")] = "",
    school: School = None,
) -> None:
    """Remove a platform and its assignments; the people stay. With --deployment: only that deployment."""
    from chapterverse.lti.registering import withdraw

    tool = _tool()
    known = next((each for each in tool.store.platforms(of(school)) if each.id == platform), None)
    if known and deployment:
        withdraw(known, deployment, tool)
        print_line(f"Removed the deployment {deployment} of {known.issuer}.")
        return
    tool.store.remove_platform(of(school), platform)
    print_line(f"Removed {platform}.")


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
    from chapterverse.lti.keys import as_secret, rotated

    tool, seconds = _tool(), timedelta(days=KEY_DAYS).total_seconds()
    if print_new:
        known = tool.keys.all() if settings().lti_keys.get_secret_value() else ()
        print_line(as_secret(rotated(known, now(), seconds)))
        return
    show_keys(tool.keys.rotate(now(), seconds) if rotate else tool.keys.all(), as_json=as_json)


def show_keys(keys: Sequence[ToolKey], *, as_json: bool) -> None:
    """Print ids and states of keys; nothing secret."""
    shown = [
        SigningKey(key=key.public["kid"], state=f"since {key.retired:%Y-%m-%d} published only" if key.retired else "signs")
        for key in keys
    ]
    if as_json:
        print_json(shown)
        return
    print_table(("key", "state"), [(each.key, each.state) for each in shown])


@dataclass(frozen=True)
class SigningKey:
    """A key that Chapterverse signs with, as --json shows it."""

    key: str
    state: str


@dataclass(frozen=True)
class PlatformRecord:
    """A platform as --json shows it; fields as in Platform."""

    id: str
    school: str
    issuer: str
    client_id: str
    deployments: list[str]
    login_url: str
    token_url: str
    keys_url: str
    origins: list[str]
    widest: KeyScope
    created: datetime

    @classmethod
    def of(cls, platform: Platform) -> Self:
        """The record of a platform."""
        return cls(
            id=platform.id,
            school=platform.school,
            issuer=platform.issuer,
            client_id=platform.client_id,
            deployments=list(platform.deployments),
            login_url=platform.login_url,
            token_url=platform.token_url,
            keys_url=platform.keys_url,
            origins=list(platform.origins),
            widest=platform.widest,
            created=platform.created,
        )


def _tool() -> LtiTool:
    make_home(settings())
    return composition.lti(settings(), HERE)


def _addresses(kind: PlatformKind, host: str, login_url: str) -> PlatformAddresses:
    """The addresses that follow from kind and host; for other kinds only the origin of its pages, by default of login_url."""
    from chapterverse.lti import registering

    if kind is PlatformKind.OTHER and (pages := host or login_url):
        return registering.PlatformAddresses(host.rstrip("/"), "", "", "", (registering.origin(pages),))
    if not host.startswith(("https://", "http://")):
        raise BadRequest("cli_host_missing")
    return registering.moodle(host) if kind is PlatformKind.MOODLE else registering.canvas(host)
