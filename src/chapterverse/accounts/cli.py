"""`chapterverse keys` (API keys) and `chapterverse people` (sign-in to the pages)."""

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

ONCE = "It is shown this once; only its digest is kept."


class Scope(StrEnum):
    """model.KeyScope, which would bring numpy along: whoever asks for help does not wait for it."""

    STUDENT = "student"
    TEACHER = "teacher"
    ADMIN = "admin"


@app.command()
def create(
    *,
    scope: Annotated[Scope, typer.Option(help="What the key may do; each scope includes those before it.")] = Scope.STUDENT,
    note: Annotated[str, typer.Option(help="What the key is for.")] = "",
    days: Annotated[int | None, typer.Option(min=1, help="Days until it expires; without it, it does not expire.")] = None,
    rotate: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="Replace this key by one like it; the old one works for at most a week more."),
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
    from chapterverse.accounts.keys import keep_key, rotate_key
    from chapterverse.accounts.model import KeyScope

    if secret_only:
        print_secret_only(as_json=as_json)
        return
    kept, token = drawn_as(drawn)
    keys = composition.keys(settings())
    if rotate:
        key = rotate_key(kept, of(school), rotate, keys, now())
    else:
        expires = now() + timedelta(days=days) if days else None
        key = keep_key(kept, of(school), KeyScope(scope), note, keys=keys, now=now(), expires=expires)
    print_secret(key, token, as_json=as_json)


def print_secret_only(*, as_json: bool) -> None:
    """Print a new secret and the fingerprint that `--drawn` takes. Nothing is stored."""
    from chapterverse.accounts.keys import draw

    drawn, token = draw()
    if as_json:
        print_json({"secret": token, "drawn": str(drawn)})
        return
    print_line(token)
    print_line(f"It is shown this once. To make it a key: chapterverse keys create --drawn {drawn}")


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


def change_provider(
    name: Annotated[str | None, typer.Argument(help="Its name here, e.g. lessing-google: part of its address.")] = None,
    *,
    title: Annotated[str, typer.Option(help='What people read: "Sign in with …".')] = "",
    issuer: Annotated[str, typer.Option(help="The provider's address, e.g. https://accounts.google.com.")] = "",
    client: Annotated[str, typer.Option(help="The id of the client that was registered there.")] = "",
    domain: Annotated[list[str], typer.Option(help="E-mail domain of the school's people; repeatable.")] = [],  # noqa: B006  # typer's way
    vouched: Annotated[
        bool,
        typer.Option("--vouched", help="Trust addresses in these domains though the provider does not verify them (Entra)."),
    ] = False,
    require: Annotated[list[str], typer.Option(help="CLAIM=VALUE that the school's people have, e.g. hd=school.example.")] = [],  # noqa: B006
    role_claim: Annotated[str, typer.Option(help="The claim with a person's role. Without it, all are students.")] = "",
    role: Annotated[list[str], typer.Option(help="VALUE=teacher or VALUE=admin: the role for a value of that claim.")] = [],  # noqa: B006
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove the provider. People and open sessions stay; people can ask for a link.")
    ] = False,
    school: School = None,
    as_json: Json = False,
) -> None:
    """Add, change (name given again) or remove a school's OpenID Connect sign-in; without a name, list them.

    The client's secret goes into CHAPTERVERSE_OIDC_SECRETS."""
    from chapterverse.accounts.model import Provider

    if not name:
        list_providers(school, as_json)
        return
    if remove:
        composition.school_sign_ins(settings()).accounts.remove_provider(of(school), name)
        print_line(f"Removed {name}.")
        return
    for option, given in (("--title", title), ("--issuer", issuer), ("--client", client)):
        if not given:
            raise BadRequest("cli_option_missing", option=option)
    required = tuple(pair_of(each, "--require") for each in require)
    domains = tuple(each.strip().lstrip("@").lower() for each in domain)
    roles = roles_of(role_claim, role)
    add_provider(Provider(name, of(school), title, issuer, client, domains, vouched, required, role_claim, roles))


def roles_of(role_claim: str, role: list[str]) -> tuple[tuple[str, KeyScope], ...]:
    """The role for each value of the claim. Raises BadRequest for a claim without roles, or roles without a claim."""
    roles = tuple((value, role_of(given)) for value, given in (pair_of(each, "--role") for each in role))
    if bool(role_claim) != bool(roles):
        raise BadRequest("cli_role_claim_needs_role")
    return roles


def add_provider(provider: Provider) -> None:
    """Store the provider and print the redirect address to register there."""
    from chapterverse.accounts.sign_in import register

    register(provider, composition.school_sign_ins(settings()).accounts)
    print_line(
        f"People of {provider.school} sign in with {provider.title} now. Register there, as the address that it leads back to:"
    )
    print_line(f"{composition.sign_in(settings(), HERE).site}/sign-in/school/{provider.id}/back")
    if provider.id not in settings().oidc_secrets:
        print_line(f'CHAPTERVERSE_OIDC_SECRETS has no secret of the client yet: {{"{provider.id}": "…"}}.')


def list_providers(school: str | None, as_json: bool) -> None:
    """Print the school's sign-in providers, without secrets."""
    providers = composition.school_sign_ins(settings()).accounts.providers(of(school))
    if as_json:
        print_json([provider_json(each) for each in providers])
        return
    rows = [(each.id, each.title, each.issuer, each.client, who_of(each)) for each in providers]
    print_table(("name", "title", "issuer", "client", "for"), rows)


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

people_app.command("oidc")(change_provider)

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

    sign_in = composition.sign_in(settings(), HERE)
    person = enrol(of(school), email, name, KeyScope(role), sign_in=sign_in, now=now())
    link = address_of(link_for(person, sign_in, now(), good_for=INVITATION), address.rstrip("/") or sign_in.site)
    if as_json:
        print_json({**person_json(person), "link": link})
        return
    print_line(link)
    print_line(f"It signs {person.email} in, as {person.role} of the school {person.school}: once, within a week.")


@people_app.command("list")
def people_list_all(school: School = None, as_json: Json = False) -> None:
    """Everybody who may sign in."""
    people = composition.sign_in(settings()).people.of_school(of(school))
    if as_json:
        print_json([person_json(person) for person in people])
        return
    rows = [(person.email, person.name, person.role, f"{person.created:%Y-%m-%d}") for person in people]
    print_table(("e-mail", "name", "role", "since"), rows)


@people_app.command("remove")
def people_remove(email: Email, school: School = None) -> None:
    """Let somebody sign in no more; whoever is signed in by that address is out at once."""
    sign_in = composition.sign_in(settings())
    person = sign_in.people.find(of(school), email.strip().lower())
    sign_in.people.remove(person.school, person.email)
    print_line(f"Removed {person.email}.")


def person_json(person: Person) -> dict[str, Any]:
    """Somebody as --json shows them."""
    told = {"email": person.email, "name": person.name, "role": person.role.value}
    return {**told, "school": person.school, "created": person.created.isoformat()}
