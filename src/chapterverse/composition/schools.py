"""Build LTI, sign-in, the schools' own sign-in providers, and measurements on a school's texts."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from chapterverse.composition import stores
from chapterverse.composition.plans import all_collection_services
from chapterverse.core.errors import ProviderUnavailable
from chapterverse.infrastructure.telemetry.spans import traced_port

if TYPE_CHECKING:
    from chapterverse.accounts.model import Provider
    from chapterverse.accounts.oidc import OidcProvider
    from chapterverse.accounts.sign_in import SchoolSignIns, SignIn
    from chapterverse.assignments.store import SqlAssignments
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
    """The LTI tool for Moodle, Canvas and others. address: of the pages, if the settings have none."""
    from chapterverse.lti.launching import LtiTool

    site = (s.site_url or address).rstrip("/")
    return LtiTool(
        traced_port("lti", lambda: lti_store(s)),
        assignment_store(s),
        key_ring(s),
        traced_port("lti", messages),
        traced_port("lti", services),
        site,
    )


def assignment_store(s: Settings) -> SqlAssignments:
    """The store of classes and assignments, in the catalog's database."""
    from chapterverse.assignments.store import SqlAssignments

    return traced_port("assignments", lambda: SqlAssignments(stores.database(s)))


def lti_store(s: Settings) -> SqlLti:
    """The store of LTI platforms, in the catalog's database."""
    from chapterverse.lti.store import SqlLti

    return SqlLti(stores.database(s))


def key_ring(s: Settings) -> KeyRing:
    """The keys of the LTI tool, from a secret or a file."""
    from chapterverse.lti.keys import FileKeys, SecretKeys

    secret = s.lti_keys.get_secret_value()
    return SecretKeys(secret) if secret else FileKeys(s.home / "lti-keys.json")


def messages() -> LtiMessages:
    """The reader of LTI messages, by PyLTI1p3."""
    from chapterverse.lti.messages import LtiMessages

    return LtiMessages()


def services() -> PlatformServices:
    """The client of platforms' services, by PyLTI1p3."""
    from chapterverse.lti.services import PlatformServices

    return PlatformServices()


def measuring_context(s: Settings, batches: BatchContext) -> MeasuringContext:
    """What measurements need: the services and the language model of batches, which have time."""
    from chapterverse.evaluation.measurements import MeasuringContext
    from chapterverse.search.plan import ESSAY_BATCH

    return MeasuringContext(
        store=traced_port("measurements", lambda: measuring_store(s)),
        queue=traced_port("measuring_queue", lambda: measuring_queue(s)),
        collections=all_collection_services(s, batches.services),
        plan=replace(ESSAY_BATCH, rerank_seconds=math.inf),
        paid=batches.essays.writing.paid,
    )


def measuring_store(s: Settings) -> SqlMeasurements:
    """The store of measurements, in the catalog's database."""
    from chapterverse.evaluation.store import SqlMeasurements

    return SqlMeasurements(stores.database(s))


def measuring_queue(s: Settings) -> TaskQueue:
    """The queue of batches; without one, a queue in this process that runs one measurement at a time."""
    if s.queue:
        return stores.batch_queue(s)
    from chapterverse.infrastructure.queue.local import LocalQueue

    return LocalQueue()


def sign_in(s: Settings, address: str = "") -> SignIn:
    """Sign-in by links. address: of the pages, if the settings have none."""
    from chapterverse.accounts.sign_in import SignIn

    site = (s.site_url or address).rstrip("/")
    is_outbox = not s.mail_server.get_secret_value()
    return SignIn(
        traced_port("people", lambda: stores.people(s)), traced_port("post", lambda: post(s)), site=site, is_outbox=is_outbox
    )


def post(s: Settings) -> Post:
    """The mail server, or a folder for mails."""
    if server := s.mail_server.get_secret_value():
        from chapterverse.infrastructure.mail import SmtpPost

        return SmtpPost(server, s.mail_from)
    from chapterverse.infrastructure.mail import FolderPost

    return FolderPost(s.home / "outbox")


def school_sign_ins(s: Settings) -> SchoolSignIns:
    """The schools' sign-in providers, with their secrets from the settings."""
    from chapterverse.accounts.sign_in import SchoolSignIns

    @cache  # each caches addresses and keys; a changed registration is another provider
    def ask(provider: Provider) -> OidcProvider:
        from chapterverse.accounts.oidc import OidcProvider

        if not (secret := s.oidc_secrets.get(provider.id)):
            raise ProviderUnavailable("provider_secret_missing", provider=provider.id)
        return OidcProvider(provider, secret.get_secret_value())

    return SchoolSignIns(traced_port("accounts", lambda: stores.accounts(s)), ask)
