"""`chapterverse people oidc`: schools' own sign-ins, by OpenID Connect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from chapterverse import composition
from chapterverse.cli.keys import School, of
from chapterverse.cli.session import HERE, settings
from chapterverse.cli.terminal import Json, print_json, print_line, print_table
from chapterverse.errors import BadRequest

if TYPE_CHECKING:
    from chapterverse.model import KeyScope, Provider

app = typer.Typer(name="oidc", help="A school's own sign-in: Google, Microsoft Entra, Keycloak …", no_args_is_help=True)

Name = Annotated[str, typer.Argument(help="What it is called here, as lessing-google: part of its address.")]


@app.command()
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
    from chapterverse.model import Provider
    from chapterverse.usecases.school_sign_in import register

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


@app.command("list")
def list_all(school: School = None, as_json: Json = False) -> None:
    """The school's own sign-ins. No secret is shown."""
    providers = composition.school_doors(settings()).accounts.providers(of(school))
    if as_json:
        print_json([provider_json(each) for each in providers])
        return
    rows = [(each.id, each.title, each.issuer, each.client, who_of(each)) for each in providers]
    print_table(("name", "title", "issuer", "client", "for"), rows)


@app.command()
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
    from chapterverse.model import KeyScope

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
