"""What a platform's message says, field by field (LTI 1.3 Core; Deep Linking, Names and Roles, Assignment and Grades 2.0)."""

from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from chapterverse.model import CourseServices, Launch, LaunchKind
from chapterverse.names import one_line

OF_LTI = "https://purl.imsglobal.org/spec/lti/claim/"
OF_CHOICES = "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
OF_MEMBERS = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice"
OF_GRADES = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"
CHOSEN = "chapterverse_assignment"  # the custom parameter that our links carry

LONGEST_NAME = 200  # characters
Id = Annotated[str, Field(min_length=1, max_length=255, pattern=r"^[^\x00-\x1f\x7f]+$")]  # which a database takes


class _Part(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class _Link(_Part):
    id: Id
    title: str | None = None


class _Members(_Part):
    context_memberships_url: str = ""


class _Grades(_Part):
    scope: list[str] = []
    lineitems: str = ""
    lineitem: str = ""


class _Choice(_Part):
    deep_link_return_url: str
    data: str | None = None


class Claims(_Part):
    """The body of an id_token."""

    iss: str
    nonce: str
    sub: Id
    azp: str | None = None
    email: str | None = None
    name: str | None = None
    given_name: str | None = None
    family_name: str | None = None
    message_type: LaunchKind = Field(alias=f"{OF_LTI}message_type")
    deployment_id: Id = Field(alias=f"{OF_LTI}deployment_id")
    roles: list[str] = Field(alias=f"{OF_LTI}roles")
    resource_link: _Link | None = Field(None, alias=f"{OF_LTI}resource_link")
    custom: dict[str, Any] | None = Field(None, alias=f"{OF_LTI}custom")
    choice: _Choice | None = Field(None, alias=OF_CHOICES)
    members: _Members | None = Field(None, alias=OF_MEMBERS)
    grades: _Grades | None = Field(None, alias=OF_GRADES)

    @model_validator(mode="after")
    def _is_about_something(self) -> Self:
        if self.message_type is LaunchKind.LINK and not self.resource_link:
            raise ValueError("resource_link")
        return self

    def launch(self) -> Launch:
        """The same as the use cases take it."""
        link, choice = self.resource_link, self.choice
        return Launch(
            kind=self.message_type,
            subject=self.sub,
            email=(self.email or "").strip().lower(),
            name=one_line(self.name or f"{self.given_name or ''} {self.family_name or ''}")[:LONGEST_NAME],
            roles=tuple(self.roles),
            deployment=self.deployment_id,
            link=link.id if link else "",
            title=one_line(link.title or "")[:LONGEST_NAME] if link else "",
            chosen=str((self.custom or {}).get(CHOSEN, "")),
            services=self._services(),
            return_url=choice.deep_link_return_url if choice else "",
            data=(choice.data or "") if choice else "",
        )

    def _services(self) -> CourseServices:
        grades, members = self.grades or _Grades(), self.members or _Members()
        return CourseServices(members.context_memberships_url, grades.lineitems, grades.lineitem, tuple(grades.scope))
