"""Build learning platforms, sign-in, the schools' own sign-in providers, and the evaluation of a school's texts."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from chapterverse.composition import stores
from chapterverse.composition.plans import shelves
from chapterverse.core.errors import ProviderUnavailable
from chapterverse.infrastructure.telemetry.spans import traced_port

if TYPE_CHECKING:
    from chapterverse.accounts.model import Provider
    from chapterverse.accounts.oidc import OidcProvider
    from chapterverse.accounts.sign_in import SchoolSignIns, SignIn
    from chapterverse.core.ports import Post, TaskQueue
    from chapterverse.essays.batch.context import BatchContext
    from chapterverse.evaluation.measurements import MeasuringContext
    from chapterverse.evaluation.store import SqlMeasurements
    from chapterverse.lti.launching import LtiTool
    from chapterverse.lti.messages import LtiMessages
    from chapterverse.lti.model import KeyRing
    from chapterverse.lti.services import PlatformServices
    from chapterverse.lti.store import SqlLti
    from chapterverse.settings import Settings


def lti(s: Settings, address: str = "") -> LtiTool:
    """Moodle, Canvas and their like; address: of the pages, where the settings name none."""
    from chapterverse.lti.launching import LtiTool

    site = (s.site_url or address).rstrip("/")
    return LtiTool(
        traced_port("lti", lambda: store(s)), key_ring(s), traced_port("lti", messages), traced_port("lti", services), site
    )


def store(s: Settings) -> SqlLti:
    """In the catalog's database."""
    from chapterverse.lti.store import SqlLti

    return SqlLti(stores.database(s))


def key_ring(s: Settings) -> KeyRing:
    """A secret, or a file."""
    from chapterverse.lti.keys import FileKeys, SecretKeys

    secret = s.lti_keys.get_secret_value()
    return SecretKeys(secret) if secret else FileKeys(s.home / "lti-keys.json")


def messages() -> LtiMessages:
    """By PyLTI1p3."""
    from chapterverse.lti.messages import LtiMessages

    return LtiMessages()


def services() -> PlatformServices:
    """Likewise."""
    from chapterverse.lti.services import PlatformServices

    return PlatformServices()


def measuring(s: Settings, batches: BatchContext) -> MeasuringContext:
    """With the services and the language model of batches, whose deadlines are long."""
    from chapterverse.evaluation.measurements import MeasuringContext
    from chapterverse.search.plan import ESSAY_BATCH

    return MeasuringContext(
        store=traced_port("measurements", lambda: measuring_store(s)),
        queue=traced_port("measuring_queue", lambda: queue(s)),
        shelves=shelves(s, batches.services),
        plan=replace(ESSAY_BATCH, rerank_seconds=math.inf),
        paid=batches.essays.writing.paid,
    )


def measuring_store(s: Settings) -> SqlMeasurements:
    """In the catalog's database."""
    from chapterverse.evaluation.store import SqlMeasurements

    return SqlMeasurements(stores.database(s))


def queue(s: Settings) -> TaskQueue:
    """The queue of batches; without one, a queue in this process that runs one measurement after the other."""
    if s.queue:
        return stores.batch_queue(s)
    from chapterverse.infrastructure.queue.local import LocalQueue

    return LocalQueue()


def sign_in(s: Settings, address: str = "") -> SignIn:
    """Who may sign in, and how links reach them; address: of the pages, where the settings name none."""
    from chapterverse.accounts.sign_in import SignIn

    site = (s.site_url or address).rstrip("/")
    is_outbox = not s.mail_server.get_secret_value()
    return SignIn(
        traced_port("people", lambda: stores.people(s)), traced_port("post", lambda: post(s)), site=site, is_outbox=is_outbox
    )


def post(s: Settings) -> Post:
    """A mail server, or a folder."""
    if server := s.mail_server.get_secret_value():
        from chapterverse.infrastructure.mail import SmtpPost

        return SmtpPost(server, s.mail_from)
    from chapterverse.infrastructure.mail import FolderPost

    return FolderPost(s.home / "outbox")


def school_sign_ins(s: Settings) -> SchoolSignIns:
    """By which accounts people may sign in; each is asked with the secret that the settings have for it."""
    from chapterverse.accounts.sign_in import SchoolSignIns

    @cache  # each remembers addresses and keys; one that is registered otherwise is another one
    def ask(provider: Provider) -> OidcProvider:
        from chapterverse.accounts.oidc import OidcProvider

        if not (secret := s.oidc_secrets.get(provider.id)):
            raise ProviderUnavailable("provider_secret_missing", provider=provider.id)
        return OidcProvider(provider, secret.get_secret_value())

    return SchoolSignIns(traced_port("accounts", lambda: stores.accounts(s)), ask)
