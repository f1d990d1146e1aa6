"""`chapterverse keys` (API keys) and `chapterverse people` (sign-in to the pages)."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from chapterverse import composition
from chapterverse.accounts.model import ApiKey, KeyScope
from chapterverse.cli.session import at_home, here, settings
from chapterverse.cli.terminal import Json, print_found, print_json, print_line, printable, web_address
from chapterverse.cli.terminal import note as tell

app = typer.Typer(name="keys", help="API keys: who may call the HTTP interface, for which school.", no_args_is_help=True)
School = Annotated[str | None, typer.Option("--school", help="The school; else that of CHAPTERVERSE_SCHOOL.")]
Key = Annotated[str, typer.Argument(help="A key's id, as `keys list` shows it.")]
ONCE = "Copy it now: it is shown only once."


@app.command()
def create(
    *,
    scope: Annotated[KeyScope, typer.Option(help="What the key may do; each includes those before it.")] = KeyScope.STUDENT,
    note: Annotated[str, typer.Option(help="What the key is for.")] = "",
    days: Annotated[
        int | None, typer.Option(min=1, max=36_500, help="Days until it expires; without it, it does not expire.")
    ] = None,
    secret_only: Annotated[
        bool, typer.Option("--secret-only", help="Print a secret and its fingerprint for --drawn; create no key.")
    ] = False,
    drawn: Annotated[
        str | None, typer.Option(help="Fingerprint from --secret-only: the key is created without printing its secret here.")
    ] = None,
    school: School = None,
    as_json: Json = False,
) -> None:
    """Create a key and print its secret, once."""
    from chapterverse.accounts.keys import keep_key, new_token
    from chapterverse.accounts.store import SqlKeys

    if secret_only:
        alone, secret = new_token()
        text = f"{secret}\n{ONCE} To create its key: chapterverse keys create --drawn {alone}"
        print_json({"secret": secret, "drawn": alone}) if as_json else print_line(text)
        return
    fingerprint, token = (drawn, None) if drawn else new_token()
    keys = composition.ports.sql(at_home(), SqlKeys)
    expires = now() + timedelta(days=days) if days else None
    key = keep_key(fingerprint, of(school), scope, note, keys=keys, now=now(), expires=expires)
    if key.school != settings().school and len(keys.of_school(key.school)) == 1:  # the name may be misspelt
        undo = f"chapterverse keys revoke {key.id} --school {printable(key.school)}"
        tell(f"This is the first key of the school {printable(key.school)}. If you meant another one: {undo}")
    if as_json:
        print_json(asdict(key) | ({"secret": token} if token else {}))
        return
    if token:  # made by this process
        print_line(token)
    print_line(f"Key {key.id}, scope {key.scope} for the school {key.school}. {ONCE if token else ''}".rstrip())


@app.command("list")
def list_all(school: School = None, as_json: Json = False) -> None:
    """List the keys of the school, without their secrets."""
    from chapterverse.accounts.store import SqlKeys

    keys = composition.ports.sql(at_home(), SqlKeys).of_school(of(school))
    rows = [(key.id, key.scope, key.note, f"{key.created:%Y-%m-%d}", state_of(key)) for key in keys]
    print_found(keys, ("key", "scope", "note", "created", "state"), rows, as_json=as_json)


@app.command()
def revoke(key: Key, school: School = None, as_json: Json = False) -> None:
    """Revoke a key."""
    from chapterverse.accounts.store import SqlKeys

    revoked = composition.ports.sql(at_home(), SqlKeys).revoke(of(school), key, now())
    print_json(revoked) if as_json else print_line(f"Revoked {revoked.id}.")


def of(school: str | None) -> str:
    """The given school, else CHAPTERVERSE_SCHOOL."""
    return school or settings().school


def now() -> datetime:
    return datetime.now(UTC)


def state_of(key: ApiKey) -> str:
    """Whether the key is valid, and until when."""
    if key.revoked:
        return f"revoked {key.revoked:%Y-%m-%d}"
    if key.expires:
        return f"{'expired' if key.expires <= now() else 'good until'} {key.expires:%Y-%m-%d}"
    return "good"


people_app = typer.Typer(name="people", help="People: who may sign in to the pages, for which school.", no_args_is_help=True)

Email = Annotated[str, typer.Argument(help="An e-mail address.")]


@people_app.command()
def invite(
    email: Email,
    *,
    role: Annotated[
        KeyScope | None, typer.Option(help="Their role; each includes the ones before it. Else as it is, at first student.")
    ] = None,
    name: Annotated[str, typer.Option(help="Their name, as the pages show it; else the address.")] = "",
    address: Annotated[
        str,
        typer.Option(help="Where the pages are; else CHAPTERVERSE_SITE_URL, else as `serve` listens.", callback=web_address),
    ] = "",
    school: School = None,
    as_json: Json = False,
) -> None:
    """Invite a person and print a link that signs them in once. Again: change role or name, print a new link."""
    from chapterverse.accounts import sign_in as our
    from chapterverse.accounts.sign_in import INVITATION, PeopleContext, address_of, link_for

    sign_in = composition.sign_in(at_home(), here())
    context = PeopleContext(of(school), "", sign_in, now())
    person, *_ = our.invite(context, email, name, role, send=False)
    person = our.change(context, person.email, role) if role else person
    link = address_of(link_for(person, sign_in, now(), good_for=INVITATION), address or sign_in.site)
    if as_json:
        print_json(asdict(person) | {"link": link})
        return
    print_line(link)
    print_line(f"The link signs {person.email} in as {person.role} of {person.school}, once, within {INVITATION.days} days.")


@people_app.command("list")
def people_list_all(school: School = None, as_json: Json = False) -> None:
    """List the people who may sign in."""
    people = composition.sign_in(at_home()).people.of_school(of(school))
    rows = [(person.email, person.name, person.role, f"{person.created:%Y-%m-%d}") for person in people]
    print_found(people, ("e-mail", "name", "role", "since"), rows, as_json=as_json)


@people_app.command("remove")
def people_remove(email: Email, school: School = None) -> None:
    """Remove a person; their sessions end at once."""
    sign_in = composition.sign_in(at_home())
    person = sign_in.people.find(of(school), email.strip().lower())
    sign_in.people.remove(person.school, person.email)
    print_line(f"Removed {person.email}.")
