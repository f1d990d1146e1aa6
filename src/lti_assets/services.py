"""Services of a platform: subscribe to notices, download assets, send reports, record agreements."""

from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from http import HTTPStatus
from time import monotonic
from typing import Any
from urllib.parse import urljoin, urlsplit

import requests
from pylti1p3.exception import LtiServiceException

from lti_assets import notices

Token = Callable[[Sequence[str]], str]  # of PyLTI1p3's ServiceConnector: get_access_token
MAX_REDIRECTS = 3  # a platform may send files from another store
MAX_RESULT = 16  # characters of Report.result
SECONDS = 10.0  # that one read waits
DOWNLOAD_SECONDS = 60.0  # of a whole file
CHUNK = 2**16
LATER = {HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_EARLY, HTTPStatus.TOO_MANY_REQUESTS}


class Progress(StrEnum):
    """State of a report."""

    PROCESSED = "Processed"
    PROCESSING = "Processing"
    PENDING_MANUAL = "PendingManual"
    FAILED = "Failed"


class ErrorCode(StrEnum):
    """Why a report failed; platforms show texts of their own for these."""

    UNSUPPORTED = "UNSUPPORTED_ASSET_TYPE"
    TOO_LARGE = "ASSET_TOO_LARGE"
    EULA = "EULA_NOT_ACCEPTED"
    DOWNLOAD = "DOWNLOAD_FAILED"


@dataclass(frozen=True, slots=True)
class Report:
    """A report on one asset. A later one of the same type replaces it. at: when it was made;
    result: at most 16 characters, only of a processed one; visible_to_owner: whether the student sees it."""

    asset_id: str
    type: str
    at: datetime
    progress: Progress
    title: str = ""
    result: str = ""
    comment: str = ""
    error_code: ErrorCode | None = None
    visible_to_owner: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The body of the request; empty fields are left out."""
        optional = {
            "title": self.title,
            "result": self.result[:MAX_RESULT],
            "comment": self.comment,
            "errorCode": self.error_code,
        }
        return {
            "assetId": self.asset_id,
            "type": self.type,
            "timestamp": self.at.astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z"),
            "processingProgress": self.progress,
            "priority": 0,
            "visibleToOwner": self.visible_to_owner,
            **{name: value for name, value in optional.items() if value},
        }


@dataclass(frozen=True)
class AssetServices:
    """Calls of one platform's services. token: an access token for scopes; check: raises for an address that must not be
    called, also after a redirect. Every method raises PlatformAway and ServiceRefused."""

    token: Token
    session: requests.Session = field(default_factory=requests.Session)
    check: Callable[[str], None] = lambda _url: None

    def subscribe(self, service_url: str, notice_type: str, handler: str) -> None:
        """Let notices of a type be sent to `handler`; empty: no longer."""
        self._send("PUT", service_url, notices.NOTICES, {"notice_type": notice_type, "handler": handler})

    def send(self, report_url: str, report: Report) -> bool:
        """Send a report; False if the platform has a later one (409)."""
        return self._send("POST", report_url, notices.WRITE_REPORTS, report.to_dict(), known=True)

    def agree(self, eula_url: str, user_id: str, accepted: bool, at: datetime) -> None:
        """Record whether a user agrees; the platform may know a later answer. eula_url: base address of that service."""
        body = {"userId": user_id, "accepted": accepted, "timestamp": at.astimezone(UTC).isoformat()}
        self._send("POST", f"{eula_url.rstrip('/')}/user", notices.EULA_USER, body, known=True)

    def download(self, asset: notices.AssetFile, max_bytes: int) -> bytes:
        """The file. Raises AssetTooLarge, PlatformAway also for a file that is not the one of the notice."""
        if (asset.size or 0) > max_bytes:
            raise notices.AssetTooLarge(f"{asset.size} bytes")
        data, named = self._file(asset.url, max_bytes), asset.sha256_checksum
        digest = sha256(data)
        if named and named != b64encode(digest.digest()).decode() and named.lower() != digest.hexdigest():
            raise notices.PlatformAway("The file is not the one of the notice.")
        return data

    def _file(self, url: str, max_bytes: int) -> bytes:
        """Redirects are followed by hand: the token stays with the platform."""
        home = urlsplit(url)[:2]
        for _ in range(MAX_REDIRECTS + 1):
            self.check(url)
            headers = self._headers([notices.READ_ASSETS]) if urlsplit(url)[:2] == home else {}
            with called(self.session, "GET", url, headers=headers) as answer:
                if answer.is_redirect:
                    url = urljoin(url, answer.headers["Location"])
                    continue
                refuse(answer)
                return read(answer, max_bytes)
        raise notices.ServiceRefused("too many redirects")

    def _send(self, method: str, url: str, scope: str, body: Mapping[str, Any], known: bool = False) -> bool:
        """Call with a JSON body; False if the platform has a later one and `known` allows it."""
        self.check(url)
        with called(self.session, method, url, json=body, headers=self._headers([scope])) as answer:
            if known and answer.status_code == HTTPStatus.CONFLICT:
                return False
            refuse(answer)
            return True

    def _headers(self, scopes: Sequence[str]) -> dict[str, str]:
        try:
            return {"Authorization": f"Bearer {self.token(scopes)}"}
        except requests.RequestException as error:
            raise notices.PlatformAway(type(error).__name__) from None
        except LtiServiceException as error:
            refuse(error.response)
            raise notices.ServiceRefused("no token") from None
        except (KeyError, TypeError, ValueError):
            raise notices.ServiceRefused("no token") from None


@contextmanager
def called(session: requests.Session, method: str, url: str, **options: Any) -> Iterator[requests.Response]:
    """The answer, streamed, without following a redirect. Raises PlatformAway."""
    try:
        with session.request(method, url, timeout=SECONDS, allow_redirects=False, stream=True, **options) as answer:
            yield answer
    except requests.RequestException as error:
        raise notices.PlatformAway(type(error).__name__) from None


def refuse(answer: requests.Response) -> None:
    """Raise for an answer that is no success; its text may name students and is left out."""
    status = answer.status_code
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status in LATER:
        raise notices.PlatformAway(f"HTTP {status}")
    if not HTTPStatus.OK <= status < HTTPStatus.MULTIPLE_CHOICES:
        raise notices.ServiceRefused(f"HTTP {status}", status)


def read(answer: requests.Response, max_bytes: int) -> bytes:
    """The body of a streamed answer. Raises AssetTooLarge, PlatformAway after DOWNLOAD_SECONDS, requests.RequestException."""
    data, ends = bytearray(), monotonic() + DOWNLOAD_SECONDS
    for chunk in answer.iter_content(CHUNK):
        data += chunk
        if len(data) > max_bytes:
            raise notices.AssetTooLarge(f"more than {max_bytes} bytes")
        if monotonic() > ends:
            raise notices.PlatformAway("The download takes too long.")
    return bytes(data)
