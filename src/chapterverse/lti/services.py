"""Names and Roles (NRPS 2.0), and Assignment and Grade PlatformServices (AGS 2.0), by PyLTI1p3."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import requests
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from pylti1p3.assignments_grades import AssignmentsGradesService
from pylti1p3.exception import LtiException, LtiServiceException
from pylti1p3.grade import Grade
from pylti1p3.lineitem import LineItem
from pylti1p3.names_roles import NamesRolesProvisioningService
from pylti1p3.service_connector import ServiceConnector

from chapterverse.core.errors import PlatformRefused, PlatformUnavailable
from chapterverse.core.names import one_line
from chapterverse.lti.messages import registration_of
from chapterverse.lti.model import Assignment, Member, Platform, SentScore, ToolKey

WITHIN = 10.0  # seconds that a platform may take to answer

TOKEN_SECONDS = 300.0  # a token is used for: platforms give them for an hour, and one that is refused is fetched anew

MOST_PAGES = 100  # of a course's people


class _Patient(requests.Session):
    """Every call ends in time."""

    def request(self, *called: Any, **how: Any) -> requests.Response:
        return super().request(*called, **{"timeout": WITHIN} | how)


class _Connector(ServiceConnector):
    """The library's keeps a token for good, and lowers the letters of the next page's address."""

    _since = float("-inf")

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


class _Member(BaseModel):
    model_config = ConfigDict(extra="ignore")

    user_id: str
    name: str | None = None
    given_name: str | None = None
    family_name: str | None = None
    email: str | None = None
    roles: list[str] = []
    status: str | None = None

    def told(self) -> Member:
        """The same as the use cases take it."""
        name = one_line(self.name or f"{self.given_name or ''} {self.family_name or ''}")
        active = self.status in {None, "Active"}
        return Member(self.user_id, name, (self.email or "").strip().lower(), tuple(self.roles), active)


MEMBERS = TypeAdapter(list[_Member])


@dataclass(frozen=True)
class PlatformServices:
    """What platforms do for us; each gives us tokens of its own."""

    _connectors: dict[tuple[Platform, str], _Connector] = field(default_factory=dict)

    def members(self, platform: Platform, url: str, key: ToolKey) -> list[Member]:
        """Everybody in the course whose memberships are at `url`, page by page. Raises PlatformRefused, PlatformUnavailable."""
        people, next_url = list[Member](), url
        service = NamesRolesProvisioningService(self._connector(platform, key), {"context_memberships_url": url})
        with platform_errors_as_ours():
            for _ in range(MOST_PAGES):
                page, following = service.get_members_page(next_url)
                people += [each.told() for each in MEMBERS.validate_python(page)]
                if not following:
                    return people
                next_url = _of_the_same_host(following, url)
        raise PlatformRefused("lms_course_too_large", max_pages=MOST_PAGES)

    def line_item(self, platform: Platform, of: Assignment, key: ToolKey) -> str:
        """The address of the assignment's column in the gradebook, which is made if there is none. Raises PlatformRefused,
        PlatformUnavailable."""
        if of.services.line_item_url:
            return of.services.line_item_url
        if not of.services.line_items_url:
            raise PlatformRefused("lms_no_grades")
        column = LineItem().set_label(of.title).set_score_maximum(of.most).set_resource_id(of.id)
        column.set_resource_link_id(of.link)
        with platform_errors_as_ours():
            found = self._grades(platform, of, key).find_or_create_lineitem(column, "resource_id")
            return str(found.get_id())

    def send(self, platform: Platform, of: Assignment, subject: str, score: SentScore, key: ToolKey) -> None:
        """A student's score and comment into the column of `of`. The platform takes the same again as the same, by its moment.
        Raises PlatformRefused, PlatformUnavailable."""
        column = LineItem().set_id(of.services.line_item_url)
        with platform_errors_as_ours():
            try:
                self._grades(platform, of, key).put_grade(_grade(subject, score), column)
            except LtiServiceException as error:
                if (
                    error.response.status_code != HTTPStatus.CONFLICT
                ):  # it has that one, or a newer one, already (AGS 2.0, 3.4.2)
                    raise

    def _grades(self, platform: Platform, of: Assignment, key: ToolKey) -> AssignmentsGradesService:
        if not of.services.scopes:
            raise PlatformRefused("lms_no_grades")
        told: Any = {"scope": list(of.services.scopes), "lineitems": of.services.line_items_url}
        return AssignmentsGradesService(self._connector(platform, key), told)

    def _connector(self, platform: Platform, key: ToolKey) -> _Connector:
        named = platform, str(key.private["kid"])
        if named not in self._connectors:
            self._connectors[named] = _Connector(registration_of(platform, key), _Patient())
        return self._connectors[named]


def _grade(subject: str, score: SentScore) -> Grade:
    grade = Grade().set_user_id(subject).set_timestamp(score.at.isoformat(timespec="milliseconds")).set_comment(score.comment)
    if score.given is None:  # handed in; whoever grades it does so at the platform
        return grade.set_activity_progress("Submitted").set_grading_progress("PendingManual")
    grade.set_score_given(score.given).set_score_maximum(score.most)
    return grade.set_activity_progress("Completed").set_grading_progress("FullyGraded")


def _of_the_same_host(url: str, first: str) -> str:
    """Our token goes nowhere else."""
    if urlsplit(url)[:2] != urlsplit(first)[:2]:
        raise PlatformRefused("lms_people_other_host")
    return url


@contextmanager
def platform_errors_as_ours() -> Iterator[None]:
    """What PyLTI1p3 and requests raise, as our errors; a platform's own words may name students, and are left out."""
    try:
        yield
    except requests.RequestException as error:
        raise PlatformUnavailable("lms_away") from error
    except LtiServiceException as error:
        status = error.response.status_code
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR or status == HTTPStatus.TOO_MANY_REQUESTS:
            raise PlatformUnavailable("lms_busy") from None
        if status == HTTPStatus.NOT_FOUND:
            raise PlatformRefused("gradebook_entry_gone") from None
        raise PlatformRefused("lms_refused", status=status) from None
    except (LtiException, KeyError, TypeError, AttributeError, ValidationError) as error:
        if isinstance(error, LtiException) and "scope" in str(error):
            raise PlatformRefused("lms_no_grades") from None
        raise PlatformRefused("lms_not_standard") from None
