"""Register a learning platform of a school, and what its admin enters there."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from secrets import token_hex
from urllib.parse import urlsplit

from chapterverse.accounts.keys import refuse_no_school
from chapterverse.accounts.model import KeyScope
from chapterverse.core.errors import BadRequest
from chapterverse.core.names import is_safe
from chapterverse.lti.launching import LtiTool
from chapterverse.lti.model import Platform
from lti_assets import SCOPES as ASSET_SCOPES

ID_BYTES = 8

DESCRIPTION = "Feedback on essays, backed by the exact sentence of a book."
SCOPES = (
    "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
    "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
    "https://purl.imsglobal.org/spec/lti-ags/scope/score",
    *ASSET_SCOPES,
)


@dataclass(frozen=True, slots=True)
class PlatformAddresses:
    """Issuer and addresses of a platform; as in Platform."""

    issuer: str
    login_url: str
    token_url: str
    keys_url: str
    origins: tuple[str, ...]

    @property
    def called(self) -> tuple[str, str]:
        """Those that our server calls."""
        return self.token_url, self.keys_url


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
    widest: KeyScope,
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
        id=known.id if known else token_hex(ID_BYTES),
        school=school,
        issuer=at.issuer,
        client_id=client_id,
        deployments=tuple(dict.fromkeys((*(known.deployments if known else ()), *deployments))),
        login_url=at.login_url,
        token_url=at.token_url,
        keys_url=at.keys_url,
        origins=at.origins,
        widest=widest,
        created=known.created if known else now,
    )
    tool.store.keep_platform(platform)
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
