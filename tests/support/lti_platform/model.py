"""The platform's state, and the messages and notices that it signs (LTI 1.3 Core, Deep Linking 2.0, Security Framework 1.0,
Platform Notification Service 1.0, Asset Processor)."""

import base64
import json
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

LTI = "https://purl.imsglobal.org/spec/lti/claim/"
DL = "https://purl.imsglobal.org/spec/lti-dl/claim/"
NRPS = "https://purl.imsglobal.org/spec/lti-nrps/"
AGS = "https://purl.imsglobal.org/spec/lti-ags/"
SCOPE = "https://purl.imsglobal.org/spec/lti/scope/"
LEARNER = "http://purl.imsglobal.org/vocab/lis/v2/membership#Learner"
INSTRUCTOR = "http://purl.imsglobal.org/vocab/lis/v2/membership#Instructor"
COURSE_SCOPES = [f"{NRPS}scope/contextmembership.readonly", f"{AGS}scope/lineitem", f"{AGS}scope/score"]
ASSET_SCOPES = [f"{SCOPE}noticehandlers", f"{SCOPE}asset.readonly", f"{SCOPE}report", f"{SCOPE}eula/user"]
SCOPES = [*COURSE_SCOPES, *ASSET_SCOPES]
SUBMISSION = "LtiAssetProcessorSubmissionNotice"
CLIENT, DEPLOYMENT = "client-7", "deployment-1"
LIFETIME = 300  # seconds of a message


@dataclass
class User:
    """Somebody in the course."""

    id: str
    name: str
    email: str
    roles: list[str]


@dataclass
class Key:
    """A key that signs messages."""

    kid: str
    private: rsa.RSAPrivateKey

    def public(self) -> dict[str, Any]:
        """The public part, as a JSON Web Key."""
        public: dict[str, Any] = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.private.public_key()))
        return public | {"kid": self.kid, "alg": "RS256", "use": "sig"}


def new_key() -> Key:
    """A key pair with a random id."""
    return Key(secrets.token_hex(4), rsa.generate_private_key(65537, 2048))


USERS = [
    User("u-1", "Anna Berg", "anna@school.example", [LEARNER]),
    User("u-2", "Ben Çelik", "ben@school.example", [LEARNER]),
    User("u-9", "Dr Stein", "stein@school.example", [INSTRUCTOR]),
]


@dataclass
class HandedIn:
    """A file of a submission. reports: those that the tool has sent, newest last."""

    id: str
    submission: str
    user: str
    name: str
    content_type: str
    data: bytes
    at: datetime
    reports: list[dict[str, Any]] = field(default_factory=list)

    @property
    def report(self) -> dict[str, Any] | None:
        """The report that the platform displays."""
        return self.reports[-1] if self.reports else None


@dataclass
class LtiPlatform:
    """address: its own; tool: where the tool is, as its admin typed it in; tool_keys: what the tool publishes. processor: the
    asset processor that a teacher attached; handlers: addresses for notices, by type; agreements: by user; checks: clauses that
    the tool's calls were held against, with whether they were kept; broken: the status that every service answers with, 0 for
    none."""

    address: str
    tool: str
    tool_keys: Callable[[], dict[str, Any]]
    users: dict[str, User] = field(default_factory=lambda: {user.id: user for user in USERS})
    keys: list[Key] = field(default_factory=lambda: [new_key()])
    links: dict[str, dict[str, Any]] = field(default_factory=dict)
    line_items: dict[str, dict[str, Any]] = field(default_factory=dict)
    scores: list[dict[str, Any]] = field(default_factory=list)
    tokens: dict[str, set[str]] = field(default_factory=dict)
    assertions: set[str] = field(default_factory=set)
    processor: dict[str, Any] | None = None
    handlers: dict[str, str] = field(default_factory=dict)
    handed_in: dict[str, HandedIn] = field(default_factory=dict, repr=False)
    agreements: dict[str, dict[str, Any]] = field(default_factory=dict)
    registrations: list[dict[str, Any]] = field(default_factory=list)
    checks: list[tuple[str, bool]] = field(default_factory=list, repr=False)
    registration_token: str = field(default_factory=lambda: secrets.token_hex(16))
    client: str = CLIENT
    fetched_keys: int = 0
    broken: int = 0

    def rotate(self) -> None:
        """A new key signs; the old one is gone."""
        self.keys = [new_key()]

    def initiation(self, user: str, link: str = "link-1") -> dict[str, str]:
        """What the browser sends to the tool first. link: of the course; "choice": a deep link is to be chosen; "processor": an
        asset processor; "eula": of a processor; "report/ASSET": a report is opened."""
        hints = {"iss": self.address, "login_hint": user, "lti_message_hint": link, "client_id": self.client}
        return hints | {"lti_deployment_id": DEPLOYMENT, "target_link_uri": f"{self.tool}/lti/launch"}

    def claims(self, user: str, link: str, nonce: str) -> dict[str, Any]:
        """The body of a message."""
        who = self.users[user]
        body = self._signed_body(nonce) | {"sub": who.id, "name": who.name, "email": who.email, f"{LTI}roles": who.roles}
        body |= {f"{LTI}target_link_uri": f"{self.tool}/lti/launch"} | self._notice_service()
        kind, _, asset = link.partition("/")
        match kind:
            case "choice" | "processor":
                return body | self._choice("ltiAssetProcessor" if kind == "processor" else "ltiResourceLink")
            case "report":
                return body | self._review(asset)
            case "eula":
                return body | self._eula()
            case _:
                return body | self._opened(link)

    def _signed_body(self, nonce: str) -> dict[str, Any]:
        now = int(time.time())
        return {
            "iss": self.address,
            "aud": self.client,
            "iat": now,
            "exp": now + LIFETIME,
            "nonce": nonce,
            f"{LTI}version": "1.3.0",
            f"{LTI}deployment_id": DEPLOYMENT,
            f"{LTI}context": {"id": "course-1", "title": "English"},
        }

    def _notice_service(self) -> dict[str, Any]:
        service = {"service_versions": ["1.0"], "platform_notification_service_url": f"{self.address}/notice-handlers"}
        service |= {"scope": [f"{SCOPE}noticehandlers"], "notice_types_supported": ["LtiHelloWorldNotice", SUBMISSION]}
        return {f"{LTI}platformnotificationservice": service}

    def _choice(self, accepted: str) -> dict[str, Any]:
        settings = {
            "deep_link_return_url": f"{self.address}/return",
            "accept_types": [accepted],
            "accept_presentation_document_targets": ["iframe", "window"],
            "data": "opaque=7",
        }
        more = {f"{LTI}activity": {"id": "activity-1"}} if accepted == "ltiAssetProcessor" else {}
        return {f"{LTI}message_type": "LtiDeepLinkingRequest", f"{DL}deep_linking_settings": settings, **more}

    def _opened(self, link: str) -> dict[str, Any]:
        known = self.links.get(link, {})
        grades = {"scope": COURSE_SCOPES[1:], "lineitems": f"{self.address}/AGS/lineItems"}
        if column := known.get("line_item"):
            grades["lineitem"] = column
        body = {f"{LTI}message_type": "LtiResourceLinkRequest", f"{LTI}custom": known.get("custom", {})}
        body |= {f"{LTI}resource_link": {"id": link, "title": known.get("title", "A link")}, f"{AGS}claim/endpoint": grades}
        return body | {f"{NRPS}claim/namesroleservice": {"context_memberships_url": f"{self.address}/NRPS/Members"}}

    def _review(self, asset: str) -> dict[str, Any]:
        file = self.handed_in[asset]
        body = {f"{LTI}message_type": "LtiReportReviewRequest", f"{LTI}asset": {"id": asset}}
        body |= {f"{LTI}activity": {"id": "activity-1"}, f"{LTI}custom": (self.processor or {}).get("custom", {})}
        body |= {f"{LTI}submission": {"id": file.submission}, f"{LTI}for_user": {"user_id": file.user}}
        return body | {f"{LTI}assetreport_type": (file.report or {"type": ""})["type"]}

    def _eula(self) -> dict[str, Any]:
        service = {"url": f"{self.address}/eula", "scope": [f"{SCOPE}eula/user"]}
        return {f"{LTI}message_type": "LtiEulaRequest", f"{LTI}eulaservice": service}

    def hand_in(self, user: str, files: Sequence[tuple[str, str, bytes]]) -> str:
        """A student hands in files (name, content type, content); returns the signed notice for the tool. Call it again for a
        revised submission."""
        submission = f"submission-{secrets.token_hex(4)}"
        made = [
            HandedIn(secrets.token_hex(8), submission, user, name, kind, data, datetime.now(UTC)) for name, kind, data in files
        ]
        self.handed_in |= {file.id: file for file in made}
        return self.signed(self.notice(made))

    def notice(self, files: Sequence[HandedIn]) -> dict[str, Any]:
        """The body of a notice that these files of one submission were handed in."""
        about = {"id": secrets.token_hex(8), "timestamp": datetime.now(UTC).isoformat(), "type": SUBMISSION}
        reports = {"scope": [f"{SCOPE}report"], "report_url": f"{self.address}/reports"}
        service = {"scope": [f"{SCOPE}asset.readonly"], "assets": [self._asset(file) for file in files]}
        return self._signed_body(secrets.token_hex(8)) | {
            "azp": self.client,
            f"{LTI}notice": about,
            f"{LTI}custom": (self.processor or {}).get("custom", {}),
            f"{LTI}for_user": {"user_id": files[0].user},
            f"{LTI}assetreport": reports,
            f"{LTI}assetservice": service,
            f"{LTI}activity": {"id": "activity-1"},
            f"{LTI}submission": {"id": files[0].submission},
        }

    def _asset(self, file: HandedIn) -> dict[str, Any]:
        return {
            "asset_id": file.id,
            "url": f"{self.address}/assets/{file.id}",
            "sha256_checksum": base64.b64encode(sha256(file.data).digest()).decode(),
            "timestamp": file.at.isoformat(),
            "size": len(file.data),
            "content_type": file.content_type,
            "title": file.name,
            "filename": file.name,
        }

    def signed(self, claims: dict[str, Any]) -> str:
        """The claims as a JSON Web Token."""
        key = self.keys[0]
        return jwt.encode(claims, key.private, "RS256", headers={"kid": key.kid})

    def verified(self, token: str, audience: str) -> dict[str, Any]:
        """What the tool has signed, by a key that it publishes. Raises AssertionError, jwt.InvalidTokenError."""
        kid = jwt.get_unverified_header(token)["kid"]
        [key] = [each for each in self.tool_keys()["keys"] if each["kid"] == kid]
        if set(key) != {"kty", "kid", "alg", "use", "n", "e"}:
            raise AssertionError("A private part of the tool's key is published.")
        options: Any = {"require": ["iss", "aud", "exp", "iat"]}
        return dict(jwt.decode(token, jwt.PyJWK.from_dict(key), ["RS256"], options, audience=audience, issuer=self.client))
