"""The HTTP app on real storage, with books typed in the test, and callers with keys."""

import json
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from bookreader.pdf.parse import parse_book
from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.oidc import OidcProvider
from chapterverse.accounts.setup import SchoolSetups
from chapterverse.accounts.sign_in import SchoolSignIns, SignIn
from chapterverse.accounts.store import SqlAccounts, SqlKeys, SqlPeople, SqlSchoolSettings
from chapterverse.assignments.store import SqlAssignments
from chapterverse.core.book import Collection
from chapterverse.core.errors import reader_errors_as_ours
from chapterverse.core.tasks import Task
from chapterverse.essays.batch.context import BatchContext, BatchLimits
from chapterverse.essays.batch.service import run_batch_task
from chapterverse.essays.batch.store import SqlBatches
from chapterverse.essays.history import FeedbackHistory
from chapterverse.essays.print_worker import print_html
from chapterverse.essays.service import EssayContext
from chapterverse.essays.store import SqlFeedback
from chapterverse.essays.text_worker import text_in
from chapterverse.infrastructure.local_queue import LocalQueue
from chapterverse.infrastructure.mail import FolderPost
from chapterverse.infrastructure.sealing import Seal
from chapterverse.infrastructure.sql import Database
from chapterverse.infrastructure.storage.folder import FolderBucket, FolderUploads
from chapterverse.library.chunks import paragraphs, passages, sections, windows
from chapterverse.library.intake import add_book, run_task
from chapterverse.library.model import CatalogBook
from chapterverse.library.services import CollectionServices, Intake
from chapterverse.library.store import SqlCatalog
from chapterverse.lti.launching import LtiTool
from chapterverse.lti.messages import LtiMessages, ToolKeys
from chapterverse.lti.services import PlatformServices
from chapterverse.lti.store import SqlLti
from chapterverse.operations.archive import SchoolStores, SqlRows
from chapterverse.operations.retention import Retention
from chapterverse.questions.store import SqlAnswers
from chapterverse.questions.styles import AnswerSettings
from chapterverse.search.plan import ESSAY_FEEDBACK
from chapterverse.web.app import create_app
from chapterverse.web.context import AppContext, HttpLimits
from tests.support.books import LIMITS
from tests.support.desk import desk_of
from tests.support.listening import listening_to
from tests.support.made import make_key
from tests.support.pdfs import draw_here
from tests.support.shelved import empty_library

HTTP_LIMITS = HttpLimits(
    essay_words=2000,
    body_bytes=64 * 2**10,
    requests_per_minute=10**6,
    open_requests=8,
    upload_url_seconds=900,
    batch_bytes=2**20,
    question_characters=200,
    open_streams=4,
    segments_per_minute=10**6,
    stream_seconds=1.0,
)
WITHIN = 60.0  # seconds; a busy machine is slow
ESSAY = "Silencing opinion robs mankind of truth. My uncle sings."


@contextmanager
def web_parts(folder: Path, **limits: Any) -> Iterator[AppContext]:
    """Everything on one machine, no book in it; limits: other values than HTTP_LIMITS."""
    store = FolderUploads(folder / "uploads")
    database = Database(f"sqlite:///{folder}/catalog.db")
    settings, keys, assignments = SqlSchoolSettings(database), SqlKeys(database), SqlAssignments(database)
    with (
        empty_library(folder, database) as services,
        listening_to(collections := all_collections(services, database), database) as lectures,
        closing(LocalQueue()) as queue,  # a thread that goes on would find the next test's files
        closing(_WithoutWaiting()) as of_essays,
    ):
        intake = Intake(services, store, queue, LIMITS, batch_sentences=2, attempts=3, collections=collections)
        history = FeedbackHistory(SqlFeedback(database), days=30, settings_of=services.settings_of)
        few = replace(HTTP_LIMITS, **limits)
        essays = EssayContext(services, history, plan=replace(ESSAY_FEEDBACK, min_score=0.6), max_words=few.essay_words)
        in_batches, results = EssayContext(services, history), FolderBucket(folder / "results")
        context = BatchContext(in_batches, SqlBatches(database), results, of_essays, limits=BatchLimits(essays=10))
        yield AppContext(
            services=services,
            intake=intake,
            keys=keys,
            essays=essays,  # its threshold is for words that are equal or not
            draw=draw_here,
            printer=partial(print_html, paper="a4"),  # likewise
            find_text=text_in,  # likewise
            limits=few,
            now=lambda: datetime.now(UTC),
            batches=context,
            retention=Retention(context),
            collections=collections,
            answer_settings=AnswerSettings(services.embedder),
            answers=SqlAnswers(database),
            helpdesk=desk_of(collections[Collection.HELPDESK], database),
            lectures=lectures,
            school_settings=settings,
            archive=lambda: SchoolStores(tuple(collections.values()), store, context, keys, SqlRows(database)),
            setups=SchoolSetups(settings, Seal(b"a secret of sixteen bytes")),
            files=store,
            assignments=assignments,
            lti=LtiTool(
                SqlLti(database),
                assignments,
                ToolKeys(folder / "lti-keys.json"),
                LtiMessages(),
                PlatformServices(),
                "https://school.example",
            ),
            sign_in=SignIn(SqlPeople(database), FolderPost(folder / "outbox"), site="https://school.example"),
            schools=SchoolSignIns(SqlAccounts(database), lambda provider: OidcProvider(provider, "a client's secret")),
        )


def all_collections(books: CollectionServices, database: Database) -> dict[Collection, CollectionServices]:
    """The services of every collection, in the same database; the chunks of a typed document are a sentence or two."""
    cutters = {
        Collection.DOCUMENTS: windows(80, 10),
        Collection.TEXTBOOK: sections(books.embedder.count_tokens, 5, 20, 2),
        Collection.HELPDESK: passages(books.embedder.count_tokens, 5, 20, 2),
        Collection.LECTURES: paragraphs(books.embedder.count_tokens),
    }
    return {Collection.BOOKS: books} | {
        each: replace(books, catalog=SqlCatalog(database, collection=each), collection=each, chunker=chunker)
        for each, chunker in cutters.items()
    }


@dataclass(frozen=True)
class Caller:
    """Whoever holds a key of that school and scope."""

    app: Flask
    token: str

    def __call__(
        self, method: str, path: str, json: Any = None, headers: Mapping[str, str] | None = None, **more: Any
    ) -> TestResponse:
        """The answer to a request with the key."""
        with_key = {"Authorization": f"Bearer {self.token}"} | dict(headers or {})
        return self.app.test_client().open(path, method=method, json=json, headers=with_key, **more)

    def send(self, path: str, data: bytes, name: str, **fields: str) -> TestResponse:
        """The answer to a form with that file and these fields."""
        form = {"file": (BytesIO(data), name), **fields}
        return self("POST", path, data=form, content_type="multipart/form-data")


@dataclass(frozen=True)
class Site:
    """A running app with what it stands on."""

    parts: AppContext
    app: Flask

    @property
    def services(self) -> CollectionServices:
        return self.parts.services

    def but(self, **parts: Any) -> "Site":
        """The same with other parts."""
        changed = replace(self.parts, **parts)
        return Site(changed, create_app(changed))

    def do_tasks(self) -> None:
        """Do what waits in the library's queue, and what comes from it."""
        queue = self.parts.intake.queue
        queue.start(partial(run_task, intake=self.parts.intake))
        queue.wait_until_idle(WITHIN)

    def caller(self, scope: KeyScope = KeyScope.STUDENT, school: str = "school") -> Caller:
        return Caller(self.app, make_key(school, scope, "for a test", self.parts.keys, self.parts.now())[1])

    def anybody(self, method: str, path: str, **more: Any) -> TestResponse:
        """The answer to a request without a key."""
        return self.app.test_client().open(path, method=method, **more)


def shelve_pdf(services: CollectionServices, pdf: bytes, name: str = "On Principle", school: str = "school") -> CatalogBook:
    """Add a real PDF, parsed in this process: the parser's own one gives way to all others, for a minute on a busy machine."""
    limits = replace(LIMITS, bytes=10**8, megabytes=2048)
    with reader_errors_as_ours():
        return add_book(pdf, name if "." in name else f"{name}.pdf", school, replace(services, parser=parse_book), limits).book


@contextmanager
def site(folder: Path, **limits: Any) -> Iterator[Site]:
    """The app in this process."""
    with web_parts(folder, **limits) as parts:
        yield Site(parts, create_app(parts))


def events_in(stream: TestResponse) -> list[tuple[str, str, dict[str, Any]]]:
    """Id, name and data of each event."""
    blocks = ([line for line in block.split("\n") if line and not line.startswith(":")] for block in stream.text.split("\n\n"))
    fields = [dict(line.split(": ", 1) for line in block) for block in blocks if block]
    return [(each.get("id", ""), each["event"], json.loads(each["data"])) for each in fields]


class _WithoutWaiting(LocalQueue):
    """Does a task at once that was to wait for a student's page: tests have none open."""

    def add(self, task: Task) -> None:
        super().add(replace(task, wait=0))


def wait_for_essays(context: BatchContext) -> None:
    """Let the essays in its queue be done, now and whenever this is called again."""
    if not context.queue._threads:
        context.queue.start(partial(run_batch_task, context=context))
    context.queue.wait_until_idle(WITHIN)
