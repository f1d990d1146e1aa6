"""People who sign in."""

from pydantic import Field, SecretStr

from chapterverse.settings.group import Group


class PeopleSettings(Group):
    """Who comes by a browser."""

    site: str = Field("", description="https:// address of the pages, as it stands in letters; empty: where `serve` listens.")
    link_minutes: int = Field(20, ge=1, le=24 * 60, description="Minutes that a link for signing in is good for, once.")
    session_hours: int = Field(12, ge=1, le=24 * 30, description="Hours until somebody has to sign in again.")
    mail_server: SecretStr = Field(
        SecretStr(""),
        description="smtps://user:password@host, or smtp://host, which sends links; empty: they are files in outbox/ of HOME.",
    )
    oidc_secrets: dict[str, SecretStr] = Field(
        {},
        description='Of schools\' own sign-ins (`people oidc add`) the clients\' secrets, as JSON: {"lessing": "…"}.',
    )
    mail_from: str = Field("", description="E-mail address that letters come from.")
