"""What LTI stands on."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from chapterverse.model import Assignment, HandedIn, Launch, Member, Platform, Score
from chapterverse.ports import KeyRing, LtiStore, ToolKey


class Messages(Protocol):
    """Speaks LTI 1.3 with browsers between us and a platform; adapters.lti_messages."""

    def begin(self, platform: Platform, told: Mapping[str, str], launch_url: str) -> tuple[str, str, str]:
        """Where to send the browser, the state and the nonce that have to come back. Raises Unauthenticated."""

    def read(self, platform: Platform, form: Mapping[str, str], state: str, nonce: str) -> Launch:
        """What a message says that comes back with that state and nonce. Raises Unauthenticated, PlatformUnavailable."""

    def named(self, form: Mapping[str, str]) -> tuple[str, str]:
        """Issuer and client id that a message names, which nobody has checked: for telling what is wrong with it; empty where
        it names none."""

    def choose(self, platform: Platform, told: Mapping[str, str], chosen: Assignment, url: str, key: ToolKey) -> str:
        """The signed answer to a choice."""


class CourseService(Protocol):
    """Speaks LTI Advantage with a platform; adapters.lti_services. Raises PlatformRefused, PlatformUnavailable."""

    def members(self, platform: Platform, url: str, key: ToolKey) -> list[Member]:
        """Everybody in the course."""

    def line_item(self, platform: Platform, of: Assignment, key: ToolKey) -> str:
        """The address of the assignment's column in the gradebook, which is made if there is none."""

    def send(self, platform: Platform, of: Assignment, subject: str, score: Score, key: ToolKey) -> None:
        """A score and comment into it."""


@dataclass(frozen=True, slots=True)
class Tool:
    """What LTI stands on. site: where our pages are, "https://…" without a slash: platforms know us by it."""

    store: LtiStore
    keys: KeyRing
    messages: Messages
    services: CourseService
    site: str = ""

    @property
    def key(self) -> ToolKey:
        """What we sign with."""
        return self.keys.all()[0]

    def essay_of(self, assignment: str, email: str) -> HandedIn | None:
        """What the person of that address has handed in last for that assignment; None: nothing."""
        return next((each for each in self.store.handed_in(assignment) if each.email == email), None)

    @property
    def launch_url(self) -> str:
        """Where platforms send people."""
        return f"{self.site}/lti/launch"
