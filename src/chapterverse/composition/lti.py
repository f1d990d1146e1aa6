"""What learning platforms are served with."""

from __future__ import annotations

from typing import TYPE_CHECKING

from chapterverse.composition import stores
from chapterverse.composition.tracing import traced

if TYPE_CHECKING:
    from chapterverse.ports import KeyRing, LtiStore
    from chapterverse.settings import Settings
    from chapterverse.usecases.lti.tool import CourseService, Messages, Tool


def lti(s: Settings, address: str = "") -> Tool:
    """Moodle, Canvas and their like; address: of the pages, where the settings name none."""
    from chapterverse.usecases.lti.tool import Tool

    site = (s.site_url or address).rstrip("/")
    return Tool(traced("lti", lambda: store(s)), key_ring(s), traced("lti", messages), traced("lti", services), site)


def store(s: Settings) -> LtiStore:
    """In the catalog's database."""
    from chapterverse.adapters.sql_lti import SqlLti

    return SqlLti(stores.database(s))


def key_ring(s: Settings) -> KeyRing:
    """A secret, or a file."""
    from chapterverse.adapters.lti_keys import FileKeys, SecretKeys

    secret = s.lti_keys.get_secret_value()
    return SecretKeys(secret) if secret else FileKeys(s.home / "lti-keys.json")


def messages() -> Messages:
    """By PyLTI1p3."""
    from chapterverse.adapters.lti_messages import Messages

    return Messages()


def services() -> CourseService:
    """Likewise."""
    from chapterverse.adapters.lti_services import Services

    return Services()
