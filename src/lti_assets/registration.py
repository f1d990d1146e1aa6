"""LTI Dynamic Registration 1.0: a platform and a tool exchange what each needs, without a typed field."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import requests
from pydantic import AliasPath, Field

from lti_assets.notices import ASSET_PROCESSOR, EULA_USER, AssetClaims, AssetTooLarge, MessageType, ServiceRefused, parsed
from lti_assets.services import called, read, refuse

PLATFORM = "https://purl.imsglobal.org/spec/lti-platform-configuration"
TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"
CANVAS = "https://canvas.instructure.com/lti/"
DEEP_LINKING, LINK = "LtiDeepLinkingRequest", "LtiResourceLinkRequest"
PROCESSOR_PLACEMENT = "ActivityAssetProcessor"
LINK_PLACEMENTS = ("assignment_selection", "link_selection")  # of Canvas, which offers them with its prefix
CONTENT_AREA = "ContentArea"  # of other platforms
MAX_BYTES = 2**20  # of a platform's answer


class _Message(AssetClaims):
    type: str
    placements: tuple[str, ...] = ()


class PlatformOffer(AssetClaims):
    """What a platform says of itself (OpenID Connect Discovery 1.0, with LTI's own part)."""

    issuer: str
    authorization_endpoint: str
    registration_endpoint: str
    jwks_uri: str
    token_endpoint: str
    scopes_supported: tuple[str, ...] = ()
    messages: tuple[_Message, ...] = Field((), validation_alias=AliasPath(PLATFORM, "messages_supported"))

    def supports(self, message: str) -> bool:
        """Whether the platform sends messages of that type."""
        return any(each.type == message for each in self.messages)


@dataclass(frozen=True, slots=True)
class ToolDescription:
    """The tool. login_url, launch_url, keys_url, icon_url: its addresses; scopes: all that it can use, of which it asks for
    what the platform has. Students see a EULA first, where the platform has that step."""

    name: str
    description: str
    site: str
    login_url: str
    launch_url: str
    keys_url: str
    icon_url: str
    scopes: tuple[str, ...]

    def body(self, offer: PlatformOffer) -> dict[str, Any]:
        """The registration that this platform is asked for."""
        wanted = (*self.scopes, EULA_USER) if offer.supports(MessageType.EULA) else self.scopes
        scopes = [each for each in wanted if each in offer.scopes_supported] or list(wanted)
        return {
            "application_type": "web",
            "client_name": self.name,
            "client_uri": self.site,
            "logo_uri": self.icon_url,
            "grant_types": ["client_credentials", "implicit"],
            "response_types": ["id_token"],
            "token_endpoint_auth_method": "private_key_jwt",
            "initiate_login_uri": self.login_url,
            "redirect_uris": [self.launch_url],
            "jwks_uri": self.keys_url,
            "scope": " ".join(scopes),
            TOOL: {
                "domain": urlsplit(self.site).netloc,
                "description": self.description,
                "target_link_uri": self.launch_url,
                "claims": ["iss", "sub", "name", "given_name", "family_name", "email"],
                "messages": list(self._messages(offer)),
                f"{CANVAS}privacy_level": "public",
            },
        }

    def _messages(self, offer: PlatformOffer) -> list[dict[str, Any]]:
        common = {"target_link_uri": self.launch_url, "label": self.name, "icon_uri": self.icon_url}
        has = [name for each in offer.messages if each.type == DEEP_LINKING for name in each.placements]
        messages: list[dict[str, Any]] = [{"type": LINK, **common}]
        choice = [name for name in has if name.removeprefix(CANVAS) in LINK_PLACEMENTS]
        choice = choice or [name for name in has if name == CONTENT_AREA]
        messages.append({"type": DEEP_LINKING, **common, **({"placements": choice} if choice else {})})
        if PROCESSOR_PLACEMENT in has or ASSET_PROCESSOR in has:
            messages.append({"type": DEEP_LINKING, **common, "placements": [PROCESSOR_PLACEMENT]})
        return messages + [{"type": kind, **common} for kind in MessageType if offer.supports(kind)]


class Registered(AssetClaims):
    """A registration. deployment: None if the platform deploys the tool later, or more than once, as Canvas does."""

    client_id: str
    deployment: str | None = Field(None, validation_alias=AliasPath(TOOL, "deployment_id"))


@dataclass(frozen=True)
class Registrar:
    """One registration. token: given by the platform with its offer's address, empty if none; check: raises for an address that
    must not be called. Methods raise PlatformAway, ServiceRefused and NoticeInvalid."""

    token: str
    session: requests.Session
    check: Callable[[str], None]

    def fetch_offer(self, url: str) -> PlatformOffer:
        """What the platform offers, from the address that it opened the tool's registration page with. What it names may be on
        other hosts: Canvas has one for all schools, and registers at the school's."""
        return parsed(PlatformOffer, self._call("GET", url, None))

    def register(self, offer: PlatformOffer, tool: ToolDescription) -> Registered:
        """Register the tool with the platform."""
        return parsed(Registered, self._call("POST", offer.registration_endpoint, tool.body(offer)))

    def _call(self, method: str, url: str, body: Mapping[str, Any] | None) -> Any:
        self.check(url)
        headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        try:
            with called(self.session, method, url, json=body, headers=headers) as answer:
                refuse(answer)
                return json.loads(read(answer, MAX_BYTES))
        except AssetTooLarge:
            raise ServiceRefused("The answer is too long.") from None
        except ValueError:
            raise ServiceRefused("The answer is no JSON.") from None
