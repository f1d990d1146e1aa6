"""`chapterverse keys`: create, list, rotate, revoke.

`chapterverse people oidc`: schools' own sign-ins, by OpenID Connect.

`chapterverse people`: who may sign in to the pages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chapterverse import composition
from chapterverse.cli.session import HERE, settings
from chapterverse.cli.terminal import Json, print_json, print_line, print_table
from chapterverse.core.errors import BadRequest

if TYPE_CHECKING:
    from chapterverse.accounts import keys
    from chapterverse.accounts.model import ApiKey, KeyScope, Person, Provider

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
    from chapterverse.accounts.keys import draw

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
    from chapterverse.accounts.keys import keep_key
    from chapterverse.accounts.model import KeyScope

    expires = now() + timedelta(days=days) if days else None
    kept, token = drawn_as(drawn)
    key = keep_key(kept, of(school), KeyScope(scope), note, keys=composition.keys(settings()), now=now(), expires=expires)
    print_secret(key, token, as_json=as_json)


@app.command("list")
def list_all(school: School = None, as_json: Json = False) -> None:
    """All keys of the school, without their secrets."""
    from chapterverse.accounts.keys import list_keys

    keys = list_keys(of(school), composition.keys(settings()))
    if as_json:
        print_json([key_json(key) for key in keys])
        return
    print_table(("key", "scope", "note", "created", "state"), [key_row(key) for key in keys])


@app.command()
def rotate(key: Key, drawn: Drawn = None, school: School = None, as_json: Json = False) -> None:
    """Make a key like that one, and show its secret this once. The old one is good for a week more at most."""
    from chapterverse.accounts.keys import rotate_key

    kept, token = drawn_as(drawn)
    print_secret(rotate_key(kept, of(school), key, composition.keys(settings()), now()), token, as_json=as_json)


@app.command()
def revoke(key: Key, school: School = None, as_json: Json = False) -> None:
    """Make a key good for nothing, from now on."""
    from chapterverse.accounts.keys import revoke_key

    revoked = revoke_key(of(school), key, composition.keys(settings()), now())
    print_json(key_json(revoked)) if as_json else print_line(f"Revoked {revoked.id}.")


def drawn_as(text: str | None) -> tuple[keys.Drawn, str | None]:
    """What was drawn elsewhere, or a new one and its secret."""
    from chapterverse.accounts.keys import Drawn, draw

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


people_oidc_app = typer.Typer(
    name="oidc", help="A school's own sign-in: Google, Microsoft Entra, Keycloak …", no_args_is_help=True
)

Name = Annotated[str, typer.Argument(help="What it is called here, as lessing-google: part of its address.")]


@people_oidc_app.command()
def add(
    name: Name,
    *,
    title: Annotated[str, typer.Option(help='What people read: "Sign in with …".')],
    issuer: Annotated[str, typer.Option(help="The provider's address, as https://accounts.google.com.")],
    client: Annotated[str, typer.Option(help="The id of the client that was registered there.")],
    domain: Annotated[list[str], typer.Option(help="E-mail domain of the school's people. Several times for several.")] = [],  # noqa: B006  # typer's way
    vouched: Annotated[
        bool, typer.Option("--vouched", help="Addresses in these domains are the school's, though nobody says so (Entra).")
    ] = False,
    require: Annotated[list[str], typer.Option(help="CLAIM=VALUE that the school's people have, as hd=school.example.")] = [],  # noqa: B006
    role_claim: Annotated[str, typer.Option(help="The claim that says what somebody is. None: all are students.")] = "",
    role: Annotated[list[str], typer.Option(help="VALUE=teacher or VALUE=admin: what a value of that claim means.")] = [],  # noqa: B006
    school: School = None,
) -> None:
    """Let the school's people sign in there. Again: changed. The client's secret goes into CHAPTERVERSE_OIDC_SECRETS."""
    from chapterverse.accounts.model import Provider
    from chapterverse.accounts.sign_in import register

    who = tuple(pair_of(each, "--require") for each in require)
    what = tuple((value, role_of(told)) for value, told in (pair_of(each, "--role") for each in role))
    if bool(role_claim) != bool(what):
        raise BadRequest("cli_role_claim_needs_role")
    domains = tuple(each.strip().lstrip("@").lower() for each in domain)
    provider = Provider(name, of(school), title, issuer, client, domains, vouched, who, role_claim, what)
    register(provider, composition.school_doors(settings()).accounts)
    print_line(f"People of {provider.school} sign in with {title} now. Register there, as the address that it leads back to:")
    print_line(f"{composition.reception(settings(), HERE).site}/sign-in/school/{name}/back")
    if name not in settings().oidc_secrets:
        print_line(f'CHAPTERVERSE_OIDC_SECRETS has no secret of the client yet: {{"{name}": "…"}}.')


@people_oidc_app.command("list")
def people_oidc_list_all(school: School = None, as_json: Json = False) -> None:
    """The school's own sign-ins. No secret is shown."""
    providers = composition.school_doors(settings()).accounts.providers(of(school))
    if as_json:
        print_json([provider_json(each) for each in providers])
        return
    rows = [(each.id, each.title, each.issuer, each.client, who_of(each)) for each in providers]
    print_table(("name", "title", "issuer", "client", "for"), rows)


@people_oidc_app.command()
def remove(name: Name, school: School = None) -> None:
    """Let nobody sign in there any more. Who did stays, and can ask for a link; sessions go on until they end."""
    composition.school_doors(settings()).accounts.remove_provider(of(school), name)
    print_line(f"Removed {name}.")


def pair_of(told: str, option: str) -> tuple[str, str]:
    """NAME=VALUE. Raises BadRequest."""
    name, _, value = told.partition("=")
    if not name or not value:
        raise BadRequest("cli_not_name_value", option=option, given=told)
    return name, value


def role_of(told: str) -> KeyScope:
    """Raises BadRequest."""
    from chapterverse.accounts.model import KeyScope

    if told not in set(KeyScope):
        raise BadRequest("cli_no_such_role", given=told)
    return KeyScope(told)


def who_of(provider: Provider) -> str:
    """Who is let in, in few words."""
    return ", ".join([*provider.domains, *(f"{name}={value}" for name, value in provider.required)])


def provider_json(provider: Provider) -> dict[str, Any]:
    """One as --json shows it."""
    told = {"name": provider.id, "title": provider.title, "issuer": provider.issuer, "client": provider.client}
    who = {"domains": provider.domains, "vouched": provider.vouched, "required": dict(provider.required)}
    what = {"role_claim": provider.role_claim, "roles": {value: role.value for value, role in provider.roles}}
    return {**told, "school": provider.school, **who, **what}


people_app = typer.Typer(name="people", help="People: who may sign in to the pages, for which school.", no_args_is_help=True)

people_app.add_typer(people_oidc_app, name="oidc")

Email = Annotated[str, typer.Argument(help="An e-mail address.")]

INVITATION = timedelta(days=7)


@people_app.command()
def invite(
    email: Email,
    *,
    role: Annotated[Scope, typer.Option(help="What they may do: each may do what those before it may.")] = Scope.STUDENT,
    name: Annotated[str, typer.Option(help="Their name, as the pages show it; else the address.")] = "",
    address: Annotated[
        str, typer.Option(help="Where the pages are; else CHAPTERVERSE_SITE_URL, else as `serve` listens.")
    ] = "",
    school: School = None,
    as_json: Json = False,
) -> None:
    """Let somebody sign in, and show a link that does so once, within a week. Again: another role or name, another link."""
    from chapterverse.accounts.model import KeyScope
    from chapterverse.accounts.sign_in import address_of, enrol, link_for

    reception = composition.reception(settings(), HERE)
    person = enrol(of(school), email, name, KeyScope(role), reception=reception, now=now())
    link = address_of(link_for(person, reception, now(), good_for=INVITATION), address.rstrip("/") or reception.site)
    if as_json:
        print_json({**person_json(person), "link": link})
        return
    print_line(link)
    print_line(f"It signs {person.email} in, as {person.role} of the school {person.school}: once, within a week.")


@people_app.command("list")
def people_list_all(school: School = None, as_json: Json = False) -> None:
    """Everybody who may sign in."""
    people = composition.reception(settings()).people.of_school(of(school))
    if as_json:
        print_json([person_json(person) for person in people])
        return
    rows = [(person.email, person.name, person.role, f"{person.created:%Y-%m-%d}") for person in people]
    print_table(("e-mail", "name", "role", "since"), rows)


@people_app.command("remove")
def people_remove(email: Email, school: School = None) -> None:
    """Let somebody sign in no more; whoever is signed in by that address is out at once."""
    reception = composition.reception(settings())
    person = reception.people.find(of(school), email.strip().lower())
    reception.people.remove(person.school, person.email)
    print_line(f"Removed {person.email}.")


def person_json(person: Person) -> dict[str, Any]:
    """Somebody as --json shows them."""
    told = {"email": person.email, "name": person.name, "role": person.role.value}
    return {**told, "school": person.school, "created": person.created.isoformat()}
