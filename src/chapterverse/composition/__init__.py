"""The composition root: the only place that chooses implementations by the settings. Heavy modules are imported where they
are chosen.

Each setting chooses independently. Without settings, everything runs on one machine, with its data below s.home. Here stands
what the applications need, sign-in and LTI; below it stores and ports."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache, partial
from importlib.util import find_spec
from os import W_OK, access, environ
from pathlib import Path
from shutil import disk_usage
from typing import TYPE_CHECKING

from chapterverse.composition import ports
from chapterverse.composition.ports import late
from chapterverse.core.book import Collection, Limits
from chapterverse.core.errors import ProviderUnavailable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from chapterverse.accounts.model import Provider
    from chapterverse.accounts.oidc import OidcProvider
    from chapterverse.accounts.setup import MailSetup, SchoolSetups
    from chapterverse.accounts.sign_in import SchoolSignIns, SignIn
    from chapterverse.core.ports import Embedder, Post, TaskQueue, Uploads
    from chapterverse.essays.batch.context import BatchContext
    from chapterverse.essays.history import FeedbackHistory
    from chapterverse.essays.service import EssayContext
    from chapterverse.infrastructure.redaction import PresidioRedactor
    from chapterverse.infrastructure.sealing import Seal
    from chapterverse.lectures.citing import LectureContext
    from chapterverse.library.chunks import Chunker, Count
    from chapterverse.library.services import CollectionServices, Intake, Printer
    from chapterverse.lti.launching import LtiTool
    from chapterverse.operations.archive import SchoolStores
    from chapterverse.operations.batch_app import BatchWork
    from chapterverse.operations.retention import Retention
    from chapterverse.questions.helpdesk import HelpdeskContext
    from chapterverse.questions.styles import AnswerSettings
    from chapterverse.settings import Settings
    from chapterverse.web.context import AppContext, HttpLimits


__all__ = ["ports"]


def helpdesk_context(s: Settings, services: CollectionServices, answer_settings: AnswerSettings) -> HelpdeskContext:
    """Everything that the help desk needs. services: those of Collection.HELPDESK."""
    from chapterverse.questions.helpdesk import HelpdeskContext
    from chapterverse.questions.store import SqlAnswers, SqlConversations, SqlFaq

    return HelpdeskContext(
        services=services,
        source_limits=limits(s),
        conversations=ports.sql(s, SqlConversations),
        faq=ports.sql(s, SqlFaq),
        answer_settings=answer_settings,
        redactor=redactor(),
        answers=ports.sql(s, SqlAnswers),
        keep_days=s.keep_days,
    )


def lecture_context(s: Settings, services: CollectionServices | None = None) -> LectureContext:
    """The context of lectures, one per process. services: of any collection, with the online embedder; built if not given."""
    from chapterverse.infrastructure.embedding.batching import RememberedQueries
    from chapterverse.lectures.citing import LectureContext
    from chapterverse.lectures.following import FITTED, MIN_ABOUT, PositionFilter
    from chapterverse.lectures.store import SqlLectures

    services = services or compose(s)
    min_about = MIN_ABOUT if services.embedder.model == FITTED else 0.0  # other models have other scores
    remembering = RememberedQueries(services.embedder)
    store = ports.sql(s, SqlLectures)
    own = replace(services, embedder=remembering, reranker=ports.reranker(s.rerank))
    return LectureContext(
        services=collection_services(s, own, Collection.LECTURES),
        store=store,
        keep_days=s.keep_days,
        reorder=PositionFilter(recall=lambda session: store.list_by_session(session.school, session.id), min_about=min_about),
    )


def compose(s: Settings, model: Embedder | None = None) -> CollectionServices:
    """The services of the books. model: used instead of the embedder that the settings choose."""
    from chapterverse.accounts.store import SqlSchoolSettings
    from chapterverse.core.recent import Recent
    from chapterverse.library.services import CollectionServices, parsed

    recent = Recent()
    return CollectionServices(
        bucket=late(lambda: ports.bucket(s)),
        catalog=late(lambda: ports.catalog(s)),
        index=late(lambda: ports.index(s, recent)),
        embedder=late(lambda: model or ports.embedder(s)),
        parser=parsed,
        recent=recent,
        words=late(lambda: ports.words(s, recent)),
        school_settings=ports.sql(s, SqlSchoolSettings),
    )


def printer(s: Settings) -> Printer:
    """The printer of feedback: MuPDF in a sandbox, on the paper of the settings."""
    from chapterverse.essays.render import print_in_sandbox

    return partial(print_in_sandbox, paper=s.paper)


def intake(s: Settings, services: CollectionServices | None = None, store: Uploads | None = None) -> Intake:
    """What adds uploaded files to the library. services, store: used if given, else built."""
    from chapterverse.library.services import Intake

    services = services or compose(s)
    return Intake(
        services=services,
        uploads=late(lambda: store or ports.uploads(s)),
        queue=late(lambda: ports.queue(s)),
        limits=limits(s),
        batch_sentences=s.max_task_sentences,
        collections=all_collection_services(s, services),
    )


def essay_context(s: Settings, services: CollectionServices, *, is_bulk: bool = False) -> EssayContext:
    """What feedback needs: while a student waits, or in bulk for batches, which have more time."""
    from chapterverse.essays.evidence import usefulness_model
    from chapterverse.essays.service import EssayContext
    from chapterverse.infrastructure.llm.readers import trained_reader
    from chapterverse.search.plan import ESSAY_BATCH, ESSAY_FEEDBACK

    writing, plan = ports.writing(s, is_bulk=is_bulk), ESSAY_BATCH if is_bulk else ESSAY_FEEDBACK
    usefulness = usefulness_model(trained_reader.chances)
    return EssayContext(services, feedback_history(s), writing, plan, usefulness, is_bulk=is_bulk)


def batch_context(s: Settings, services: CollectionServices | None = None, queue: TaskQueue | None = None) -> BatchContext:
    """What batches of essays need. services: with the bulk embedder, built if None; queue: used instead of the one that the
    settings choose."""
    from chapterverse.essays.batch.context import BatchContext
    from chapterverse.essays.batch.store import SqlBatches

    services = services or compose(s, ports.embedder(s, is_bulk=True))
    results = late(lambda: ports.results(s))
    return BatchContext(
        essays=essay_context(s, services, is_bulk=True),
        store=ports.sql(s, SqlBatches),
        results=results,
        queue=late(lambda: queue or ports.batch_queue(s)),
        predictor=ports.predictor(s, results) if s.llm_tasks == "batch" else None,
    )


def feedback_history(s: Settings) -> FeedbackHistory:
    """The store of feedback, with the number of days it is kept."""
    from chapterverse.accounts.model import SchoolSettings
    from chapterverse.accounts.store import SqlSchoolSettings
    from chapterverse.essays.history import FeedbackHistory
    from chapterverse.essays.store import SqlFeedback

    settings = ports.sql(s, SqlSchoolSettings)
    return FeedbackHistory(
        ports.sql(s, SqlFeedback), s.keep_days, settings_of=lambda school: SchoolSettings.of(settings.of_school(school))
    )


def retention(s: Settings, context: BatchContext | None = None) -> Retention:
    """The stores whose content expires."""
    from chapterverse.accounts.store import SqlSchoolSettings
    from chapterverse.lectures.store import SqlLectures
    from chapterverse.lti.store import SqlLti
    from chapterverse.operations.retention import Retention
    from chapterverse.questions.store import SqlConversations

    settings = ports.sql(s, SqlSchoolSettings)
    return Retention(
        context or batch_context(s),
        ports.sql(s, SqlConversations),
        ports.sql(s, SqlLectures),
        ports.sql(s, SqlLti),
        lambda: {school: int(days) for school, days in settings.by_school("keep_days").items()},
    )


def school_stores(s: Settings) -> SchoolStores:
    """All stores that hold data of a school: what is removed, exported and imported."""
    from chapterverse.accounts.store import SqlKeys
    from chapterverse.operations.archive import SchoolStores, SqlRows

    services = compose(s)
    return SchoolStores(
        collections=tuple(all_collection_services(s, services).values()),
        uploads=late(lambda: ports.uploads(s)),
        batches=batch_context(s, services),
        keys=ports.sql(s, SqlKeys),
        rows=ports.sql(s, SqlRows),
    )


def app_context(s: Settings, address: str = "", *, hold: float = 0.0) -> AppContext:
    """The context of the web application. address: its own URL, to which files are uploaded without a bucket; hold: seconds
    that a request with lecture segments may wait for its citations, for platforms where threads stop between requests."""
    from bookreader.drawing import draw_at_once
    from chapterverse.accounts.store import SqlKeys, SqlSchoolSettings
    from chapterverse.assignments.store import SqlAssignments
    from chapterverse.essays.text import text_in_sandbox
    from chapterverse.infrastructure.embedding.batching import RememberedQueries
    from chapterverse.infrastructure.sql import utc_now
    from chapterverse.lectures.citing import cite_windows
    from chapterverse.lectures.service import LiveLectures, WindowPool
    from chapterverse.questions.store import SqlAnswers
    from chapterverse.web.context import AppContext
    from chapterverse.web.limits import evenly, in_background

    files = None if s.uploads else ports.folder_uploads(s)
    online, bulk = _online_and_bulk(s)
    essays, batches = essay_context(s, online), batch_context(s, bulk)
    batches = replace(batches, essays=replace(batches.essays, turns=essays.turns))
    caching_embedder = RememberedQueries(online.embedder)
    by_collection = all_collection_services(s, replace(online, embedder=caching_embedder))
    return AppContext(
        services=online,
        intake=replace(intake(s, bulk, files), turns=essays.turns),
        keys=ports.sql(s, SqlKeys),
        draw=draw_at_once(),
        printer=printer(s),
        find_text=text_in_sandbox,
        limits=http_limits(s),
        now=utc_now,
        essays=essays,
        batches=batches,
        retention=retention(s, batches),
        school_settings=ports.sql(s, SqlSchoolSettings),
        setups=school_setups(s),
        archive=partial(school_stores, s),
        collections=by_collection,
        answer_settings=(shared := answer_settings(s, caching_embedder)),
        helpdesk=helpdesk_context(s, by_collection[Collection.HELPDESK], shared),
        lectures=LiveLectures(cited := lecture_context(s, online), WindowPool(partial(cite_windows, context=cited)), hold=hold),
        rates=ports.rates(s),
        sign_in=sign_in(s, address),
        schools=school_sign_ins(s),
        lti=lti(s, address),
        assignments=ports.sql(s, SqlAssignments),
        answers=ports.sql(s, SqlAnswers),
        files=files,
        free_bytes=lambda: disk_usage(s.home if s.home.exists() else Path.cwd()).free,
        is_writable=lambda: not s.home.exists() or access(s.home, W_OK),
        later=evenly if hold else in_background(),
    )


def _online_and_bulk(s: Settings) -> tuple[CollectionServices, CollectionServices]:
    """Two sets of services that differ only in the embedder's priority."""
    if s.embedder_is_elsewhere:
        online = compose(s)
        return online, replace(online, embedder=late(lambda: ports.embedder(s, is_bulk=True)))
    embedders = ports.batching_embedder(s)
    online = compose(s, embedders.online)
    return online, replace(online, embedder=late(lambda: embedders.bulk))


def batch_work(s: Settings) -> BatchWork:
    """What the Cloud Function run_nightly_batches needs."""
    from chapterverse.assignments.service import AssignmentContext
    from chapterverse.assignments.store import SqlAssignments
    from chapterverse.essays.text import text_in_sandbox
    from chapterverse.infrastructure.sql import utc_now
    from chapterverse.lti.hand_ins import HandInContext
    from chapterverse.operations.batch_app import BatchWork

    context = batch_context(s)
    coursework = AssignmentContext(ports.sql(s, SqlAssignments), sign_in(s), context, context.services, utc_now)
    hand_ins = HandInContext(lti(s), coursework, school_setups(s), text_in_sandbox)
    return BatchWork(retention(s, context), authenticator(s, s.batch_url), s.max_open_requests, hand_ins)


def answer_settings(s: Settings, embedder: Embedder) -> AnswerSettings:
    """How questions are answered: by the language model if there is one, else by quoting sources."""
    from chapterverse.questions.styles import SHARE, AnswerSettings

    return AnswerSettings(
        embedder=embedder,
        paid=ports.paid_model(s) if s.llm else None,
        redactor=redactor(),
        seconds=s.max_feedback_seconds / SHARE,
        school_model=ports.school_model(s),
    )


def redactor() -> PresidioRedactor:
    """Presidio, loaded at its first text."""
    from chapterverse.infrastructure.redaction import PresidioRedactor

    return late(PresidioRedactor)


QUESTION_COLLECTIONS = (Collection.DOCUMENTS, Collection.TEXTBOOK, Collection.HELPDESK)


def collection_services(s: Settings, services: CollectionServices, collection: Collection) -> CollectionServices:
    """The services for another collection: its catalog and chunker."""
    if collection is services.collection:
        return services

    from chapterverse.infrastructure.llm.readers import answer_reader
    from chapterverse.library import chunks

    def count(texts: Sequence[str]) -> list[int]:  # opens the embedder at the first chunked source
        return services.embedder.count_tokens(texts)

    # each another unit: equal ones would share a partition of the index
    chunkers: Mapping[Collection, Callable[[Count], Chunker]] = {
        Collection.BOOKS: lambda _count: chunks.SENTENCES,
        Collection.DOCUMENTS: lambda _count: chunks.windows(),
        Collection.TEXTBOOK: chunks.sections,
        Collection.HELPDESK: chunks.passages,
        Collection.LECTURES: chunks.paragraphs,
    }
    return replace(
        services,
        read_answers=answer_reader.log_odds if collection in QUESTION_COLLECTIONS else None,
        catalog=late(lambda: ports.catalog(s, collection)),
        collection=collection,
        chunker=chunkers[collection](count),
    )


def all_collection_services(s: Settings, services: CollectionServices) -> dict[Collection, CollectionServices]:
    return {collection: collection_services(s, services, collection) for collection in Collection}


def limits(s: Settings) -> Limits:
    """What a school may store, and what one PDF may cost."""
    import bookreader
    from chapterverse.library.model import SCHOOL_LIMITS

    return replace(SCHOOL_LIMITS, books=s.max_books, seconds=(SCHOOL_LIMITS if s.queue else bookreader.DEFAULT_LIMITS).seconds)


def http_limits(s: Settings) -> HttpLimits:
    """The limits of the HTTP interface. On Cloud Run streams have places of their own, as many as requests
    (terraform/sizing.tf): more would keep it from starting instances for requests."""
    from chapterverse.web.context import HttpLimits

    streams = {"open_streams": s.max_open_requests} if "K_SERVICE" in environ else {}
    return HttpLimits(requests_per_minute=s.requests_per_minute, open_requests=s.max_open_requests, **streams)


def lti(s: Settings, address: str = "") -> LtiTool:
    """The LTI tool for Moodle, Canvas and others. address: of the pages, if the settings have none."""
    from chapterverse.assignments.store import SqlAssignments
    from chapterverse.lti.launching import LtiTool
    from chapterverse.lti.messages import KeySets, LtiMessages, ToolKeys
    from chapterverse.lti.services import PlatformServices
    from chapterverse.lti.store import SqlLti

    return LtiTool(
        ports.sql(s, SqlLti),
        ports.sql(s, SqlAssignments),
        ToolKeys(s.home / "lti-keys.json", s.lti_keys.get_secret_value()),
        late(LtiMessages),
        late(lambda: PlatformServices(KeySets().check)),
        (s.site_url or address).rstrip("/"),
    )


def sign_in(s: Settings, address: str = "") -> SignIn:
    """Sign-in by links. address: of the pages, if the settings have none."""
    from chapterverse.accounts.sign_in import SignIn
    from chapterverse.accounts.store import SqlPeople

    site = (s.site_url or address).rstrip("/")
    return SignIn(
        ports.sql(s, SqlPeople),
        late(lambda: post(s)),
        site=site,
        is_outbox=not s.mail_server.get_secret_value(),
        school_post=school_setups(s).post,
    )


def school_setups(s: Settings) -> SchoolSetups:
    """What admins of schools have set up, and what the operator decides instead. Where schools share a database, their admins
    may name no hosts of private networks."""
    from chapterverse.accounts.setup import MAIL, MODEL, SchoolSetups
    from chapterverse.accounts.store import SqlSchoolSettings

    def open_post(setup: MailSetup) -> Post:
        from chapterverse.infrastructure.mail import SmtpPost

        return SmtpPost(setup.address, setup.sender)

    def check_host(host: str) -> None:
        from chapterverse.infrastructure.sealing import refuse_private

        refuse_private(host)

    decided = {MAIL: ("MAIL_SERVER", s.mail_server.get_secret_value()), MODEL: ("LLM_MODEL", s.llm_model)}
    by_operator = {name: f"CHAPTERVERSE_{variable}" for name, (variable, value) in decided.items() if value}
    store = ports.sql(s, SqlSchoolSettings)
    is_shared = bool(s.catalog.get_secret_value())
    return SchoolSetups(store, seal(s), by_operator, check_host if is_shared else None, open_post)


def seal(s: Settings) -> Seal | None:
    """What encrypts secrets in the database: a key of the settings, or of a file on one machine; None without either."""
    key = s.setup_key.get_secret_value()
    if not find_spec("joserfc") or (s.catalog.get_secret_value() and not key):
        return None

    @late
    def made() -> Seal:
        from chapterverse.infrastructure.sealing import Seal
        from chapterverse.infrastructure.storage.folder import load_secret

        return Seal(key.encode() or load_secret(s.home / "secret"))

    return made


def post(s: Settings) -> Post:
    """The mail server, or a folder for mails."""
    if server := s.mail_server.get_secret_value():
        from chapterverse.infrastructure.mail import SmtpPost

        return SmtpPost(server, s.mail_from)
    from chapterverse.infrastructure.mail import FolderPost

    return FolderPost(s.home / "outbox")


def school_sign_ins(s: Settings) -> SchoolSignIns:
    """The schools' sign-in providers, with the secrets that admins set."""
    from chapterverse.accounts.sign_in import SchoolSignIns
    from chapterverse.accounts.store import SqlAccounts

    @cache  # each caches addresses and keys; a changed registration is another provider
    def ask(provider: Provider, secret: str) -> OidcProvider:
        from chapterverse.accounts.oidc import OidcProvider

        return OidcProvider(provider, secret)

    setups = school_setups(s)

    def ask_with_secret(provider: Provider) -> OidcProvider:
        if not (secret := setups.secrets(provider.school).get(provider.id)):
            raise ProviderUnavailable("provider_secret_missing", provider=provider.id)
        return ask(provider, secret)

    return SchoolSignIns(ports.sql(s, SqlAccounts), ask_with_secret, lambda provider: ask(provider, "").check())


def authenticator(s: Settings, audience: str) -> Callable[[str], object]:
    """A function that verifies a service caller's Authorization header; it admits everybody if ALLOWED_CALLERS is empty."""
    from chapterverse.web.auth import ServiceAuthenticator

    callers = frozenset(filter(None, map(str.strip, s.allowed_callers.split(","))))
    behind_cloud_run = "K_SERVICE" in os.environ
    return ServiceAuthenticator(audience, callers, verified=behind_cloud_run).admit if callers else lambda _: None
