"""The accounts that schools give their people, by which they may sign in here, too (OpenID Connect)."""

from dataclasses import dataclass

from chapterverse.model.service import KeyScope


@dataclass(frozen=True, slots=True)
class Provider:
    """A school's own sign-in. id: unlike any other's; title: what people call it; issuer, client: as it knows itself and us.

    domains: of e-mail addresses that the school alone gives away; vouched: whether an address in one of them is believed where
    nobody says that it was verified. required: claims that the school's people have, with their values. role_claim: which
    claim says what somebody is; roles: what that value makes of them here."""

    id: str
    school: str
    title: str
    issuer: str
    client: str
    domains: tuple[str, ...] = ()
    vouched: bool = False
    required: tuple[tuple[str, str], ...] = ()
    role_claim: str = ""
    roles: tuple[tuple[str, KeyScope], ...] = ()


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody at an issuer, who goes by that subject there as nobody else ever will (OpenID Connect Core 1.0, 2)."""

    school: str
    issuer: str
    subject: str
