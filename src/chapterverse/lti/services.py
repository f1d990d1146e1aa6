"""Services of platforms by PyLTI1p3: Names and Roles (NRPS 2.0), Assignment and Grade Services (AGS 2.0)."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import requests
from pydantic import ValidationError
from pylti1p3.assignments_grades import AssignmentsGradesService
from pylti1p3.exception import LtiException, LtiServiceException
from pylti1p3.grade import Grade
from pylti1p3.lineitem import LineItem
from pylti1p3.names_roles import NamesRolesProvisioningService
from pylti1p3.service_connector import ServiceConnector

from chapterverse.assignments.model import Assignment, SentScore
from chapterverse.core.errors import PlatformRefused, PlatformUnavailable
from chapterverse.core.requests import adapter
from chapterverse.lti.messages import registration_of
from chapterverse.lti.model import Member, Platform, ToolKey
from lti_assets.notices import NoticeInvalid, PlatformAway, ServiceRefused
from lti_assets.registration import Registrar
from lti_assets.services import AssetServices

TIMEOUT = 10.0  # seconds
TOKEN_SECONDS = 300.0  # that a token is used; platforms give them for an hour, and a refused one is replaced
MAX_PAGES = 100  # of a roster


class _TimedSession(requests.Session):
    """A session whose calls time out."""

    def request(self, *arguments: Any, **options: Any) -> requests.Response:
        return super().request(*arguments, **{"timeout": TIMEOUT} | options)


class _Connector(ServiceConnector):
    """The library's connector, which would keep a token for ever and lower-case the address of the next page."""

    _since = float("-inf")

    @property
    def session(self) -> requests.Session:
        """Whose calls time out."""
        return self._requests_session

    def get_access_token(self, scopes: Sequence[str]) -> str:
        if time.monotonic() - self._since > TOKEN_SECONDS:
            self._access_tokens.clear()
            self._since = time.monotonic()
        return super().get_access_token(scopes)

    def make_service_request(self, scopes: Sequence[str], url: str, *rest: Any, **how: Any) -> Any:
        how["case_insensitive_headers"] = True
        try:
            answer = super().make_service_request(scopes, url, *rest, **how)
        except LtiServiceException as error:
            if error.response.status_code != HTTPStatus.UNAUTHORIZED:
                raise
            self._access_tokens.clear()
            answer = super().make_service_request(scopes, url, *rest, **how)
        links = requests.utils.parse_header_links(answer["headers"].get("Link", ""))
        answer["next_page_url"] = next((link["url"] for link in links if link.get("rel") == "next"), None)
        return answer


@dataclass(frozen=True)
class PlatformServices:
    """Calls the services of platforms, with a connector and token for each. check: raises for an address that must not be
    called."""

    check: Callable[[str], None] = lambda _url: None
    _connectors: dict[tuple[Platform, str], _Connector] = field(default_factory=dict)

    def members(self, platform: Platform, url: str, key: ToolKey) -> list[Member]:
        """The members of the course with this roster address. Raises PlatformRefused, PlatformUnavailable."""
        people, next_url = list[Member](), url
        service = NamesRolesProvisioningService(self._connector(platform, key), {"context_memberships_url": url})
        with platform_errors_as_ours():
            for _ in range(MAX_PAGES):
                page, following = service.get_members_page(next_url)
                people += adapter(list[Member]).validate_python(page)
                if not following:
                    return people
                if urlsplit(following)[:2] != urlsplit(url)[:2]:  # which must not get our token
                    raise PlatformRefused("lms_people_other_host")
                next_url = following
        raise PlatformRefused("lms_course_too_large", max_pages=MAX_PAGES)

    def line_item(self, platform: Platform, of: Assignment, key: ToolKey) -> str:
        """The address of the assignment's column in the gradebook, created if needed.

        Raises PlatformRefused, PlatformUnavailable."""
        if of.services.line_item_url:
            return of.services.line_item_url
        if not of.services.line_items_url:
            raise PlatformRefused("lms_no_grades")
        column = LineItem().set_label(of.title).set_score_maximum(of.most).set_resource_id(of.id)
        column.set_resource_link_id(of.link)
        with platform_errors_as_ours():
            return str(self._grades(platform, of, key).find_or_create_lineitem(column, "resource_id").get_id())

    def send(self, platform: Platform, of: Assignment, subject: str, score: SentScore, key: ToolKey) -> None:
        """Write a student's score and comment into the assignment's column; the platform ignores a repetition by its time.

        Raises PlatformRefused, PlatformUnavailable."""
        column = LineItem().set_id(of.services.line_item_url)
        with platform_errors_as_ours():
            try:
                self._grades(platform, of, key).put_grade(_grade(subject, score), column)
            except LtiServiceException as error:
                if error.response.status_code == HTTPStatus.NOT_FOUND:
                    raise PlatformRefused("gradebook_entry_gone") from None
                if error.response.status_code != HTTPStatus.CONFLICT:  # it has this or a newer score (AGS 2.0, 3.4.9)
                    raise

    def assets(self, platform: Platform, key: ToolKey) -> AssetServices:
        """The services of what students hand in; in platform_errors_as_ours their errors become ours."""
        connector = self._connector(platform, key)
        return AssetServices(connector.get_access_token, connector.session, self.check)

    def registrar(self, token: str) -> Registrar:
        """What registers us with a platform that gave this token; errors as in assets."""
        return Registrar(token, _TimedSession(), self.check)

    def _grades(self, platform: Platform, of: Assignment, key: ToolKey) -> AssignmentsGradesService:
        if not of.services.scopes:
            raise PlatformRefused("lms_no_grades")
        endpoint: Any = {"scope": list(of.services.scopes), "lineitems": of.services.line_items_url}
        return AssignmentsGradesService(self._connector(platform, key), endpoint)

    def _connector(self, platform: Platform, key: ToolKey) -> _Connector:
        named = platform, str(key.private["kid"])
        if named not in self._connectors:
            self._connectors[named] = _Connector(registration_of(platform, key), _TimedSession())
        return self._connectors[named]


def _grade(subject: str, score: SentScore) -> Grade:
    grade = Grade().set_user_id(subject).set_timestamp(score.at.isoformat(timespec="milliseconds")).set_comment(score.comment)
    if score.given is None:  # submitted; to be graded at the platform
        return grade.set_activity_progress("Submitted").set_grading_progress("PendingManual")
    grade.set_score_given(score.given).set_score_maximum(score.most)
    return grade.set_activity_progress("Completed").set_grading_progress("FullyGraded")


@contextmanager
def platform_errors_as_ours() -> Iterator[None]:
    """Translate the errors of PyLTI1p3 and requests; a platform's own text may name students and is left out."""
    try:
        yield
    except (NoticeInvalid, requests.JSONDecodeError) as error:
        raise PlatformRefused("lms_not_standard") from error
    except (requests.RequestException, PlatformAway) as error:
        raise PlatformUnavailable("lms_away") from error
    except ServiceRefused as error:
        raise PlatformRefused("lms_refused", status=error.status) from None
    except LtiServiceException as error:
        status = error.response.status_code
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.TOO_MANY_REQUESTS:
            raise PlatformUnavailable("lms_busy") from None
        raise PlatformRefused("lms_refused", status=status) from None
    except (LtiException, KeyError, TypeError, AttributeError, ValidationError) as error:
        if isinstance(error, LtiException) and "scope" in str(error):
            raise PlatformRefused("lms_no_grades") from None
        raise PlatformRefused("lms_not_standard") from None
