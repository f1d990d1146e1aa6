"""Conformance cases for tools, by clause: messages and notices that a tool must take or refuse.

Clauses: "Core" is LTI 1.3 Core, "SF" 1EdTech Security Framework 1.0, "DL" Deep Linking 2.0, each with the number of a section;
"PNS" Platform Notification Service 1.0, "AP" Asset Processor, with what the section is about: their texts are for members.

What the tool sends to the platform's services is checked there: LtiPlatform.checks."""

import base64
import json
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import jwt

from tests.support.lti_platform.model import CLIENT, DL, LTI, LtiPlatform, new_key

Claims = dict[str, Any]
Sign = Callable[[Claims], str]


class Door(StrEnum):
    """Where a case comes in. LAUNCH: a resource link; CHOICE: a deep linking request; REVIEW: of a report; NOTICE: by PNS."""

    LAUNCH = "launch"
    CHOICE = "choice"
    REVIEW = "review"
    NOTICE = "notice"


@dataclass(frozen=True, slots=True)
class Case:
    """A case. changed: the token of the message that would be right; accepted: whether a tool must take it."""

    clause: str
    text: str
    door: Door
    accepted: bool
    changed: Callable[[LtiPlatform, Claims], str]


def _with(**changed: Any) -> Callable[[LtiPlatform, Claims], str]:
    """Other values of claims; None: without the claim. A name in capitals is one of LTI's own."""

    def sign(platform: LtiPlatform, claims: Claims) -> str:
        names = {f"{LTI}{name.lower()}" if name.isupper() else name: value for name, value in changed.items()}
        return platform.signed({name: value for name, value in (claims | names).items() if value is not None})

    return sign


def _other_key(platform: LtiPlatform, claims: Claims) -> str:
    return jwt.encode(claims, new_key().private, "RS256", headers={"kid": platform.keys[0].kid})


def _unknown_key(_platform: LtiPlatform, claims: Claims) -> str:
    return jwt.encode(claims, new_key().private, "RS256", headers={"kid": "nowhere"})


def _unsigned(_platform: LtiPlatform, claims: Claims) -> str:
    nothing: Any = None
    return jwt.encode(claims, nothing, "none")


def _symmetric(platform: LtiPlatform, claims: Claims) -> str:
    """Signed with the public key as if it were a shared secret."""
    secret = json.dumps(platform.keys[0].public()).encode()
    return jwt.encode(claims, base64.b64encode(secret), "HS256", headers={"kid": platform.keys[0].kid})


def _of_a_clock(seconds: int) -> Callable[[LtiPlatform, Claims], str]:
    """Of a platform whose clock is so many seconds fast."""

    def sign(platform: LtiPlatform, claims: Claims) -> str:
        return platform.signed(claims | {name: claims[name] + seconds for name in ("iat", "exp")})

    return sign


def _alone(platform: LtiPlatform, claims: Claims) -> str:
    return platform.signed(claims | {"aud": [platform.client]})


def _several(platform: LtiPlatform, claims: Claims) -> str:
    return platform.signed(claims | {"aud": [platform.client, "another"], "azp": platform.client})


def _several_for_nobody(platform: LtiPlatform, claims: Claims) -> str:
    left = {name: value for name, value in claims.items() if name != "azp"}
    return platform.signed(left | {"aud": [platform.client, "another"]})


def _no_return(platform: LtiPlatform, claims: Claims) -> str:
    settings = {name: value for name, value in claims[f"{DL}deep_linking_settings"].items() if name != "deep_link_return_url"}
    return platform.signed(claims | {f"{DL}deep_linking_settings": settings})


def _cut(platform: LtiPlatform, claims: Claims) -> str:
    return platform.signed(claims).rpartition(".")[0]


def _no_asset_id(platform: LtiPlatform, claims: Claims) -> str:
    service = claims[f"{LTI}assetservice"]
    return platform.signed(claims | {f"{LTI}assetservice": service | {"assets": [{"url": service["assets"][0]["url"]}]}})


def _other_type(platform: LtiPlatform, claims: Claims) -> str:
    about = claims[f"{LTI}notice"] | {"type": "LtiSomethingNewNotice"}
    return platform.signed(claims | {f"{LTI}notice": about})


SIGNED: tuple[tuple[str, str, bool, Callable[[LtiPlatform, Claims], str]], ...] = (
    ("SF 5.1.3 (1)", "signed by the platform", True, _with()),
    ("SF 5.1.3 (1)", "signed by another key with the id of the platform's", False, _other_key),
    ("SF 5.1.3 (1)", "signed by an unknown key", False, _unknown_key),
    ("SF 5.1.3 (1)", "the signature is cut off", False, _cut),
    ("SF 5.1.3 (2)", "of another issuer", False, _with(iss="https://elsewhere.example")),
    ("SF 5.1.3 (3)", "for another client", False, _with(aud="client-of-another")),
    ("SF 5.1.3 (3)", "for this client, in a list", True, _alone),
    ("SF 5.1.3 (3)", "for another client, too, that the tool does not know", False, _several),
    ("SF 5.1.3 (4)", "for several clients, none authorized", False, _several_for_nobody),
    ("SF 5.1.3 (5)", "another client is authorized", False, _with(azp="client-of-another")),
    ("SF 5.1.3 (5)", "for several clients, another one authorized", False, _with(aud=[CLIENT, "another"], azp="another")),
    ("SF 5.1.3 (6)", "without an algorithm", False, _unsigned),
    ("SF 5.1.3 (6)", "by a symmetric algorithm with the public key", False, _symmetric),
    ("SF 5.1.3 (7)", "expired", False, _of_a_clock(-7200)),
    ("SF 5.1.3 (7)", "expired half a minute ago, by clocks that differ", True, _of_a_clock(-330)),
    ("SF 5.1.3 (7)", "without a time of expiry", False, _with(exp=None)),
    ("SF 5.1.3 (8)", "of the next half minute, by clocks that differ", True, _of_a_clock(30)),
    ("SF 5.1.3 (8)", "of the future", False, _of_a_clock(120)),
    ("SF 5.1.3 (8)", "without a time of issue", False, _with(iat=None)),
    ("SF 5.1.3 (9)", "without a nonce", False, _with(nonce=None)),
    ("Core 5.3.3", "of an unknown deployment", False, _with(DEPLOYMENT_ID="deployment-of-another")),
    ("Core 5.3.3", "without a deployment", False, _with(DEPLOYMENT_ID=None)),
    ("Core 5.3.2", "of another version", False, _with(VERSION="2.0.0")),
    ("Core 4.3", "with a claim that no specification has", True, _with(**{"https://elsewhere.example/claim": {"a": [1]}})),
)

CASES: tuple[Case, ...] = (
    *(Case(clause, text, Door.LAUNCH, ok, change) for clause, text, ok, change in SIGNED),
    *(Case(clause, text, Door.NOTICE, ok, change) for clause, text, ok, change in SIGNED),
    Case("SF 5.1.3 (9)", "with another nonce than asked for", Door.LAUNCH, False, _with(nonce="another")),
    Case("Core 5.3.1", "without a type", Door.LAUNCH, False, _with(MESSAGE_TYPE=None)),
    Case("Core 5.3.1", "of an unknown type", Door.LAUNCH, False, _with(MESSAGE_TYPE="LtiUnknownRequest")),
    Case("Core 5.3.5", "without a resource link", Door.LAUNCH, False, _with(RESOURCE_LINK=None)),
    Case("Core 5.3.6", "without a subject", Door.LAUNCH, False, _with(sub=None)),
    Case("Core 5.3.7", "without roles", Door.LAUNCH, False, _with(ROLES=None)),
    Case("Core 5.3.7", "with no role", Door.LAUNCH, True, _with(ROLES=[])),
    Case("Core 5.3.7", "with a role of another vocabulary", Door.LAUNCH, True, _with(ROLES=["urn:x:Wizard"])),
    Case("Core 5.3.6", "without name and e-mail address", Door.LAUNCH, True, _with(name=None, email=None)),
    Case("DL 4.4.1", "a choice", Door.CHOICE, True, _with()),
    Case("DL 4.4.1", "a choice without an address to return to", Door.CHOICE, False, _no_return),
    Case("AP, review", "a report is opened", Door.REVIEW, True, _with()),
    Case("AP, review", "a report without an asset is opened", Door.REVIEW, False, _with(ASSET=None)),
    Case("AP, review", "a report of an unknown asset is opened", Door.REVIEW, False, _with(ASSET={"id": "nowhere"})),
    Case("PNS, notice", "without a description of the notice", Door.NOTICE, False, _with(NOTICE=None)),
    Case("PNS, notice", "of a type that the tool does not know", Door.NOTICE, True, _other_type),
    Case("AP, submission", "a submission without a student", Door.NOTICE, False, _with(FOR_USER=None)),
    Case("AP, submission", "a submission without an address for reports", Door.NOTICE, False, _with(ASSETREPORT=None)),
    Case("AP, submission", "a submission whose asset has no id", Door.NOTICE, False, _no_asset_id),
)
