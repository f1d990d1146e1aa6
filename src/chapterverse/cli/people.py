"""`chapterverse people`: who may sign in to the pages."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chapterverse import composition
from chapterverse.cli import people_oidc
from chapterverse.cli.keys import School, Scope, now, of
from chapterverse.cli.session import HERE, settings
from chapterverse.cli.terminal import Json, print_json, print_line, print_table

if TYPE_CHECKING:
    from chapterverse.model import Person

app = typer.Typer(name="people", help="People: who may sign in to the pages, for which school.", no_args_is_help=True)
app.add_typer(people_oidc.app, name="oidc")

Email = Annotated[str, typer.Argument(help="An e-mail address.")]
INVITATION = timedelta(days=7)


@app.command()
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
    from chapterverse.model import KeyScope
    from chapterverse.usecases.sign_in import address_of, enrol, link_for

    reception = composition.reception(settings(), HERE)
    person = enrol(of(school), email, name, KeyScope(role), reception=reception, now=now())
    link = address_of(link_for(person, reception, now(), good_for=INVITATION), address.rstrip("/") or reception.site)
    if as_json:
        print_json({**person_json(person), "link": link})
        return
    print_line(link)
    print_line(f"It signs {person.email} in, as {person.role} of the school {person.school}: once, within a week.")


@app.command("list")
def list_all(school: School = None, as_json: Json = False) -> None:
    """Everybody who may sign in."""
    people = composition.reception(settings()).people.of_school(of(school))
    if as_json:
        print_json([person_json(person) for person in people])
        return
    rows = [(person.email, person.name, person.role, f"{person.created:%Y-%m-%d}") for person in people]
    print_table(("e-mail", "name", "role", "since"), rows)


@app.command()
def remove(email: Email, school: School = None) -> None:
    """Let somebody sign in no more; whoever is signed in by that address is out at once."""
    reception = composition.reception(settings())
    person = reception.people.find(of(school), email.strip().lower())
    reception.people.remove(person.school, person.email)
    print_line(f"Removed {person.email}.")


def person_json(person: Person) -> dict[str, Any]:
    """Somebody as --json shows them."""
    told = {"email": person.email, "name": person.name, "role": person.role.value}
    return {**told, "school": person.school, "created": person.created.isoformat()}
