"""Dynamic Registration: an admin pastes one address into Moodle or Canvas, which then registers us itself (LTI Dynamic
Registration 1.0)."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from urllib.parse import urlencode

import jwt

from chapterverse.accounts.keys import refuse_no_school
from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.setup import SchoolSetups
from chapterverse.core.errors import Unauthenticated
from chapterverse.lti.keys import ALGORITHM, private_pem
from chapterverse.lti.launching import LtiTool
from chapterverse.lti.messages import PRODUCT
from chapterverse.lti.model import ANY_DEPLOYMENT, Platform
from chapterverse.lti.registering import DESCRIPTION, SCOPES, PlatformAddresses, origin, our_addresses, register
from chapterverse.lti.services import platform_errors_as_ours
from lti_assets.registration import ToolDescription

PURPOSE = "chapterverse-registration"  # audience of our token: no other token of ours is one
LINK_LIFETIME = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class RegistrationLink:
    """An address to paste into a learning platform, and until when it works."""

    address: str
    expires: datetime


@dataclass(frozen=True, slots=True)
class RegistrationRequest:
    """What a platform opens the address with. key: ours; offer_url, token: of the platform."""

    key: str
    offer_url: str
    token: str


def registration_link(school: str, widest: KeyScope, tool: LtiTool, now: datetime) -> RegistrationLink:
    """A new link for a school. widest: the highest role that launches can give. Raises BadRequest if our site is not set."""
    our_addresses(tool)
    refuse_no_school(school)
    expires = now + LINK_LIFETIME
    claims = {"aud": PURPOSE, "school": school, "widest": widest.value, "exp": int(expires.timestamp())}
    ours = tool.key
    key = jwt.encode(claims, private_pem(ours), ALGORITHM, headers={"kid": ours.private["kid"]})
    return RegistrationLink(f"{tool.site}/lti/register?{urlencode({'key': key})}", expires)


def school_of(key: str, tool: LtiTool) -> tuple[str, KeyScope]:
    """The school and highest role of a link. Raises Unauthenticated for a link that is not ours or too old."""
    for ours in tool.keys.all():
        try:
            claims = jwt.decode(key, jwt.PyJWK.from_dict(ours.public), [ALGORITHM], {"require": ["exp"]}, audience=PURPOSE)
            return str(claims["school"]), KeyScope(claims["widest"])
        except (jwt.InvalidTokenError, ValueError):
            continue
    raise Unauthenticated("registration_link_expired")


def register_by_offer(given: RegistrationRequest, tool: LtiTool, setups: SchoolSetups, now: datetime) -> Platform:
    """Register us with the platform, and the platform here. Raises Unauthenticated, BadRequest, PlatformRefused,
    PlatformUnavailable."""
    school, widest = school_of(given.key, tool)
    setups.refuse_private(given.offer_url)
    registrar = tool.services.registrar(given.token)
    with platform_errors_as_ours():
        offer = registrar.fetch_offer(given.offer_url)
        setups.refuse_private(offer.registration_endpoint, offer.token_endpoint, offer.jwks_uri)
        registered = registrar.register(offer, description_of(tool))
    at = PlatformAddresses(
        offer.issuer,
        offer.authorization_endpoint,
        offer.token_endpoint,
        offer.jwks_uri,
        tuple(dict.fromkeys(map(origin, (given.offer_url, offer.authorization_endpoint, offer.registration_endpoint)))),
    )
    deployments = [registered.deployment or ANY_DEPLOYMENT]
    return register(school, at, registered.client_id, deployments, widest, tool=tool, now=now)


def description_of(tool: LtiTool) -> ToolDescription:
    """What we say of ourselves. Students are asked to agree, so that they hear of the program before their first essay."""
    ours = our_addresses(tool)
    icon = f"{tool.site}/assets/mark.svg"
    return ToolDescription(
        PRODUCT, DESCRIPTION, tool.site, ours.login, ours.launch, ours.keys, icon, SCOPES, asks_agreement=True
    )
