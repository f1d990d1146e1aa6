"""LTI Dynamic Registration 1.0: what the platform says of itself, and the registrations that tools send."""

from typing import Any
from urllib.parse import urlencode, urlsplit

from flask import Flask, jsonify, request

from tests.support.lti_platform.model import DEPLOYMENT, SCOPES, SUBMISSION, LtiPlatform
from tests.support.lti_platform.services import must

PLATFORM = "https://purl.imsglobal.org/spec/lti-platform-configuration"
TOOL = "https://purl.imsglobal.org/spec/lti-tool-configuration"
MESSAGES = {
    "LtiResourceLinkRequest": [],
    "LtiDeepLinkingRequest": ["assignment_selection", "ActivityAssetProcessor"],
    "LtiAssetProcessorSettingsRequest": [],
    "LtiReportReviewRequest": [],
    "LtiEulaRequest": [],
}
REQUIRED = {"application_type": "web", "token_endpoint_auth_method": "private_key_jwt", "response_types": ["id_token"]}


def opened_with(it: LtiPlatform, address: str) -> str:
    """The tool's registration address with what the platform adds to it."""
    added = {"openid_configuration": f"{it.address}/openid-configuration", "registration_token": it.registration_token}
    return f"{address}{'&' if '?' in address else '?'}{urlencode(added)}"


def offer_registration(app: Flask, it: LtiPlatform) -> None:
    """Add the routes."""

    @app.get("/openid-configuration")
    def configuration() -> dict[str, Any]:
        _admit(it)
        messages = [{"type": kind, "placements": places} for kind, places in MESSAGES.items()]
        return {
            "issuer": it.address,
            "authorization_endpoint": f"{it.address}/auth",
            "registration_endpoint": f"{it.address.replace('127.0.0.1', 'localhost')}/registrations",  # as Canvas: another host
            "jwks_uri": f"{it.address}/jwks",
            "token_endpoint": f"{it.address}/token",
            "token_endpoint_auth_methods_supported": ["private_key_jwt"],
            "token_endpoint_auth_signing_alg_values_supported": ["RS256"],
            "scopes_supported": ["openid", *SCOPES],
            "response_types_supported": ["id_token"],
            "id_token_signing_alg_values_supported": ["RS256"],
            "claims_supported": ["sub", "iss", "name", "email"],
            "subject_types_supported": ["public"],
            PLATFORM: {
                "product_family_code": "testbed",
                "version": "1",
                "messages_supported": messages,
                "notice_types_supported": [SUBMISSION],
                "variables": ["ResourceLink.id"],
            },
        }

    @app.post("/registrations")
    def register() -> Any:
        _admit(it)
        sent = request.get_json()
        tool, addresses = sent[TOOL], (sent["initiate_login_uri"], sent["jwks_uri"])
        for holds in (
            all(sent.get(name) == value for name, value in REQUIRED.items()),
            {"client_credentials", "implicit"} <= set(sent["grant_types"]),
            all(urlsplit(address).scheme in {"https", "http"} for address in addresses),
            sent["redirect_uris"] and sent["client_name"],
            urlsplit(f"//{tool['domain']}").netloc == urlsplit(tool["target_link_uri"]).netloc,
            {each["type"] for each in tool["messages"]} <= MESSAGES.keys(),
            set(sent["scope"].split()) <= set(SCOPES),
        ):
            must(it, "DR 3.5.2", holds)
        it.client = f"client-{len(it.registrations) + 100}"
        it.registrations.append(sent)
        return jsonify({**sent, "client_id": it.client, TOOL: {**tool, "deployment_id": DEPLOYMENT}})


def _admit(it: LtiPlatform) -> None:
    must(it, "DR 3.4", request.headers.get("Authorization") == f"Bearer {it.registration_token}", 401)
