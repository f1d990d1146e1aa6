"""What LTI needs of the world: a store, and the keys that we sign with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from chapterverse.lti.model import Assignment, Guest, HandedIn, Pending, Platform


class LtiStore(Protocol):
    """Platforms, whom they have sent, assignments and what was handed in; tests/contract/test_lti_store.py. Each method is one
    transaction. Raises CatalogUnavailable, and NotFound for what is not there."""

    def keep_platform(self, platform: Platform) -> None:
        """In the place of the one of its id, if there is one."""

    def platform(self, id: str) -> Platform:
        """Raises NotFound."""

    def platforms(self, school: str) -> list[Platform]:
        """The school's, oldest first."""

    def of_issuer(self, issuer: str) -> list[Platform]:
        """In any school: a cloud has one issuer for many schools."""

    def remove_platform(self, school: str, id: str) -> None:
        """Forget it, whom it has sent, and its assignments. Raises NotFound."""

    def begin(self, pending: Pending) -> None:
        """Remember what was begun."""

    def forget(self, before: datetime) -> int:
        """What has expired before then; how many there were."""

    def take(self, digest: str, now: datetime) -> Pending:
        """What was begun; of two who take it one finds it. Raises NotFound where there is none (any more)."""

    def keep_guest(self, guest: Guest) -> None:
        """In the place of the one of that platform and subject."""

    def guest(self, platform: str, subject: str) -> Guest:
        """Raises NotFound."""

    def guests(self, platform: str) -> list[Guest]:
        """All whom it has sent."""

    def keep_assignment(self, assignment: Assignment) -> None:
        """In the place of the one of its id."""

    def assignment(self, school: str, id: str) -> Assignment:
        """Raises NotFound."""

    def on_link(self, platform: str, link: str) -> Assignment:
        """The assignment behind a platform's link. Raises NotFound."""

    def assignments(self, school: str) -> list[Assignment]:
        """The school's, newest first."""

    def hand_in(self, essay: HandedIn) -> None:
        """In the place of what that person has handed in for the assignment before."""

    def handed_in(self, assignment: str) -> list[HandedIn]:
        """By e-mail address."""


@dataclass(frozen=True, slots=True)
class ToolKey:
    """A key pair of ours, as JSON Web Keys (RFC 7517). private: signs, and is told to nobody. retired: since when a newer one
    signs, None: this one does."""

    private: Mapping[str, Any]
    retired: datetime | None = None

    @property
    def public(self) -> dict[str, Any]:
        """What may be known of it."""
        return {name: self.private[name] for name in ("kty", "kid", "alg", "use", "n", "e")}


class KeyRing(Protocol):
    """The keys that platforms know us by; tests/contract/test_key_ring.py. Raises BadRequest where there are none to be had."""

    def all(self) -> Sequence[ToolKey]:
        """Newest first; that one signs. Of none yet, the first is made."""

    def rotate(self, now: datetime, published: float) -> Sequence[ToolKey]:
        """With a new one in front; those that retired more than `published` seconds ago are gone. Raises BadRequest where keys
        are kept elsewhere: its message says how they are changed there."""
