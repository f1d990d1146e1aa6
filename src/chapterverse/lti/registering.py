"""Register a learning platform of a school, and what its admin enters there; or, by Dynamic
Registration, an admin pastes one address into Moodle or Canvas, which then registers us itself (LTI Dynamic
Registration 1.0)."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from secrets import token_hex
from urllib.parse import urlencode, urlsplit

import jwt

from chapterverse.accounts.keys import refuse_no_school
from chapterverse.accounts.setup import SchoolSetups
from chapterverse.core.errors import BadRequest, Unauthenticated
from chapterverse.core.names import is_safe
from chapterverse.lti.keys import ALGORITHM, private_pem
from chapterverse.lti.launching import LtiTool
from chapterverse.lti.messages import PRODUCT
from chapterverse.lti.model import ANY_DEPLOYMENT, Platform, PlatformAddresses
from chapterverse.lti.services import platform_errors_as_ours
from lti_assets.notices import SCOPES as ASSET_SCOPES
from lti_assets.registration import ToolDescription

ID_BYTES = 8

DESCRIPTION = "Feedback on essays, backed by the exact sentence of a book."
SCOPES = (
    "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
    "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
    "https://purl.imsglobal.org/spec/lti-ags/scope/score",
    *ASSET_SCOPES,
)


def moodle(host: str) -> PlatformAddresses:
    """The addresses of a Moodle (mod/lti of Moodle 4 and 5)."""
    at = host.rstrip("/")
    return PlatformAddresses(at, f"{at}/mod/lti/auth.php", f"{at}/mod/lti/token.php", f"{at}/mod/lti/certs.php", (origin(at),))


def canvas(host: str) -> PlatformAddresses:
    """The addresses of a Canvas hosted by Instructure: logins and keys are shared by all (Canvas, "Configuring LTI Advantage
    Tools")."""
    at, cloud = host.rstrip("/"), "https://sso.canvaslms.com"
    login, keys = f"{cloud}/api/lti/authorize_redirect", f"{cloud}/api/lti/security/jwks"
    return PlatformAddresses("https://canvas.instructure.com", login, f"{at}/login/oauth2/token", keys, (origin(at), cloud))


def register(
    school: str,
    at: PlatformAddresses,
    client_id: str,
    deployments: Sequence[str],
    *,
    tool: LtiTool,
    now: datetime,
) -> Platform:
    """Create the platform, or update its addresses and add deployments. Raises BadRequest, also if another school has it."""
    refuse_no_school(school)
    _refuse_unsafe(at)
    known = next((each for each in tool.store.of_issuer(at.issuer) if each.client_id == client_id), None)
    if known and known.school != school:
        raise BadRequest("lms_registered_by_other")
    platform = Platform(
        **asdict(at),
        id=known.id if known else token_hex(ID_BYTES),
        school=school,
        client_id=client_id,
        deployments=tuple(dict.fromkeys((*(known.deployments if known else ()), *deployments))),
        created=known.created if known else now,
    )
    tool.store.keep(platform)
    return platform


@dataclass(frozen=True, slots=True)
class OurAddresses:
    """Our addresses that a platform needs. login: where a launch begins; launch: where it ends; keys: our public keys."""

    login: str
    launch: str
    keys: str


def our_addresses(tool: LtiTool) -> OurAddresses:
    """Our addresses, for the platform's admin. Raises BadRequest if our site is not set."""
    if not tool.site:
        raise BadRequest("lti_needs_site")
    at = f"{tool.site}/lti"
    return OurAddresses(login=f"{at}/login", launch=tool.launch_url, keys=f"{at}/jwks")


def origin(url: str) -> str:
    """Scheme, host and port of an address."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


def _refuse_unsafe(at: PlatformAddresses) -> None:
    """Addresses must use https, except on this machine. An issuer is only a name."""
    for url in (at.login_url, at.token_url, at.keys_url, *at.origins):
        if not is_safe(url):
            raise BadRequest("not_https", url=url)
    if not at.issuer or at.issuer != at.issuer.strip():
        raise BadRequest("issuer_missing")


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


def registration_link(school: str, tool: LtiTool, now: datetime) -> RegistrationLink:
    """A new link for a school. Raises BadRequest if our site is not set."""
    our_addresses(tool)
    refuse_no_school(school)
    expires = now + LINK_LIFETIME
    claims = {"aud": PURPOSE, "school": school, "exp": int(expires.timestamp())}
    ours = tool.key
    key = jwt.encode(claims, private_pem(ours), ALGORITHM, headers={"kid": ours.private["kid"]})
    return RegistrationLink(f"{tool.site}/lti/register?{urlencode({'key': key})}", expires)


def school_of(key: str, tool: LtiTool) -> str:
    """The school of a link. Raises Unauthenticated for a link that is not ours or too old."""
    for ours in tool.keys.all():
        try:
            claims = jwt.decode(key, jwt.PyJWK.from_dict(ours.public), [ALGORITHM], {"require": ["exp"]}, audience=PURPOSE)
            return str(claims["school"])
        except jwt.InvalidTokenError:
            continue
    raise Unauthenticated("registration_link_expired")


def register_by_offer(given: RegistrationRequest, tool: LtiTool, setups: SchoolSetups, now: datetime) -> Platform:
    """Register us with the platform, and the platform here. Raises Unauthenticated, BadRequest, PlatformRefused,
    PlatformUnavailable."""
    school = school_of(given.key, tool)
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
    return register(school, at, registered.client_id, deployments, tool=tool, now=now)


def description_of(tool: LtiTool) -> ToolDescription:
    """What we say of ourselves. Students are asked to agree, so that they hear of the program before their first essay."""
    ours = our_addresses(tool)
    icon = f"{tool.site}/assets/mark.svg"
    return ToolDescription(PRODUCT, DESCRIPTION, tool.site, ours.login, ours.launch, ours.keys, icon, SCOPES)
