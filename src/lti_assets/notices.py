"""Notices: read the body of a request, check signatures, parse."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import jwt
from pydantic import Field

from lti_assets.claims import LTI, AssetClaims, ContextCopyNotice, Id, NoticeInvalid, NoticeType, SubmissionNotice, parsed

ALGORITHM = "RS256"  # which every platform supports (1EdTech Security Framework 1.0, 5.1.3, point 6)
LEEWAY = 60  # seconds of difference between clocks
REQUIRED = ("exp", "iat", "iss", "aud", "nonce")
MAX_NOTICES = 100  # of a request


class _Body(AssetClaims):
    notices: list["_Signed"]


class _Signed(AssetClaims):
    jwt: str


class _About(AssetClaims):
    id: Id
    type: str
    timestamp: datetime


class _Notice(AssetClaims):
    about: _About = Field(alias=f"{LTI}notice")
    deployment: Id = Field(alias=f"{LTI}deployment_id")


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice. id: the same for a repetition; type: of NoticeType, or one that this package does not know; content: None for
    such and for a greeting."""

    id: str
    type: str
    at: datetime
    deployment: str
    content: SubmissionNotice | ContextCopyNotice | None


def jwts_in(body: Any) -> list[str]:
    """The signed notices in the JSON body of a request. Raises NoticeInvalid."""
    signed = [each.jwt for each in parsed(_Body, body).notices]
    if not 0 < len(signed) <= MAX_NOTICES:
        raise NoticeInvalid(f"1 to {MAX_NOTICES} notices are expected, not {len(signed)}")
    return signed


def named_in(token: str) -> tuple[str, Sequence[str], str]:
    """Issuer, audiences and key id of a token that is not checked yet: to find the platform and its key. Raises
    NoticeInvalid."""
    try:
        claims = jwt.decode(token, options={"verify_signature": False})
        kid = jwt.get_unverified_header(token).get("kid", "")
    except jwt.InvalidTokenError as error:
        raise NoticeInvalid(str(error)) from None
    audience = claims.get("aud", "")
    return (
        str(claims.get("iss", "")),
        [str(each) for each in (audience if isinstance(audience, list) else [audience])],
        str(kid),
    )


def verified(
    token: str, *, issuer: str, client_id: str, key: jwt.PyJWK, required: Sequence[str] = REQUIRED
) -> Mapping[str, Any]:
    """The claims of a token that the platform signed for this client (1EdTech Security Framework 1.0, 5.1.3). Raises
    NoticeInvalid."""
    try:
        options: Any = {"require": list(required)}
        claims: dict[str, Any] = jwt.decode(token, key, [ALGORITHM], options, audience=client_id, issuer=issuer, leeway=LEEWAY)
    except jwt.InvalidTokenError as error:
        raise NoticeInvalid(str(error)) from None
    if claims["aud"] not in (client_id, [client_id]):
        raise NoticeInvalid("It is for other clients, too.")
    if claims.get("azp", client_id) != client_id:
        raise NoticeInvalid("The authorized party is another client.")
    return claims


def read_notice(claims: Mapping[str, Any]) -> Notice:
    """The notice of checked claims. Raises NoticeInvalid."""
    if claims.get(f"{LTI}version") != "1.3.0":
        raise NoticeInvalid("version")
    head = parsed(_Notice, claims)
    content: SubmissionNotice | ContextCopyNotice | None = None
    if head.about.type == NoticeType.SUBMISSION:
        content = parsed(SubmissionNotice, claims)
    elif head.about.type == NoticeType.CONTEXT_COPY:
        content = parsed(ContextCopyNotice, claims)
    return Notice(head.about.id, head.about.type, head.about.timestamp, head.deployment, content)
