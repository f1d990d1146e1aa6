"""`chapterverse serve`: the HTTP interface on this machine."""

from __future__ import annotations

import logging
from contextlib import nullcontext, suppress
from datetime import UTC, datetime, timedelta
from errno import EADDRNOTAVAIL
from functools import partial
from os import strerror
from socket import AF_INET, AF_INET6, EAI_NONAME, create_server
from sys import setswitchinterval, stdout
from threading import Event, Thread
from typing import TYPE_CHECKING, Annotated, Any

import typer

from chapterverse import composition
from chapterverse.cli.session import SERVED, at_home, here
from chapterverse.cli.terminal import print_line, web_address
from chapterverse.core.errors import BadRequest
from chapterverse.core.names import LOOPBACK

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from flask import Flask

    from chapterverse.core.tasks import Task
    from chapterverse.operations.retention import Retention
    from chapterverse.settings import Settings
    from chapterverse.web.context import AppContext

SPARE_THREADS = 16  # beyond the requests that are answered: for refusals and health checks
SWITCH_SECONDS = 0.0005  # after which a thread lets another one run: short requests need the interpreter often
GRACE_SECONDS = 30  # for open requests when the program is told to end
RETRY_SECONDS = 60  # between two attempts to repair the index while its server does not answer
FIRST_ADMIN = "admin@localhost"
FORGOTTEN = "forgotten"  # a file of the home folder: when expired data was last removed
TRUSTED = timedelta(days=7)  # that the clock may be ahead of that time
log = logging.getLogger(__name__)


def serve(
    host: Annotated[str, typer.Option(help="Address to listen at; 0.0.0.0 for all addresses of the machine.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port to listen at.")] = 8080,
    address: Annotated[
        str | None, typer.Option(help="Where clients reach it; else http://HOST:PORT.", callback=web_address)
    ] = None,
) -> None:
    """Serve the HTTP interface and the pages. This process also handles uploads, unless the settings name a queue."""
    from chapterverse.infrastructure.logs import start_logging
    from chapterverse.infrastructure.storage.folder import locked

    start_logging(logging.WARNING)  # also of failed tasks
    at = address or f"http://{f'[{host}]' if ':' in host else host}:{port}"
    s = at_home()
    refuse_taken(host, port)
    busy = BadRequest("cli_home_served", home=s.home, address=here())
    shared = bool(s.catalog.get_secret_value())  # PostgreSQL, which a release and the next one may use at once
    with nullcontext() if shared else locked(s.home / "serving", busy=busy):
        (s.home / SERVED).write_text(at, "utf-8")
        app = app_at(at, s)
        print_line(f"Chapterverse runs at {at}. The interface for programs is described at {at}/api/v1/openapi.json.")
        print_line("Programs need a key: chapterverse keys create --scope teacher")
        print_line("People need a link to sign in: chapterverse people invite EMAIL --role teacher")
        if host in LOOPBACK and (link := first_link(at, s)):
            print_line(f"Open this link to begin, as admin; it works once: {link}")
        stdout.flush()  # a pipe or a log would get the link at the end
        limits = composition.http_limits(s)
        run(app, host, port, limits.open_requests + limits.open_streams + SPARE_THREADS, GRACE_SECONDS)


def first_link(at: str, s: Settings) -> str | None:
    """A link that signs in a first admin, who is at this machine; None where there is one already."""
    from chapterverse.accounts.model import KeyScope
    from chapterverse.accounts.sign_in import INVITATION, address_of, enrol, link_for

    sign_in, now = composition.sign_in(s, at), datetime.now(UTC)
    if any(person.role is KeyScope.ADMIN for person in sign_in.people.of_school(s.school)):
        return None
    admin = enrol(s.school, FIRST_ADMIN, "", KeyScope.ADMIN, sign_in=sign_in, now=now)
    return address_of(link_for(admin, sign_in, now, good_for=INVITATION), at)


def refuse_taken(host: str, port: int) -> None:
    """Raises BadRequest if this process cannot listen there."""
    try:
        with create_server((host, port), family=AF_INET6 if ":" in host else AF_INET):
            pass
    except OSError as error:
        if error.errno in {EADDRNOTAVAIL, EAI_NONAME}:
            raise BadRequest("cli_no_such_host", host=host) from error
        raise BadRequest("cli_port_taken", host=host, port=port, reason=strerror(error.errno or 0)) from error


def app_at(address: str, s: Settings) -> Flask:
    """The app that the settings choose, with background work, also that which an earlier process left undone."""
    from chapterverse.web.app import create_app

    context = composition.app_context(s, address)
    Thread(target=forget_daily, args=(context.retention, s.home / FORGOTTEN), daemon=True).start()
    if not s.queue:
        start_tasks(context, context.intake.queue, s.school)
        start_batches(context, context.batches.queue)
    start_lectures(context, s.school)
    Thread(target=context.answer_settings.get_ready, daemon=True).start()
    return create_app(context)


def forget_daily(retention: Retention, last: Path, end: Event | None = None) -> None:
    """Remove expired data now and every day until `end`; a store that does not answer is tried again the next day. last: a file
    with the time at which this was done; if that seems long ago, the clock may be wrong, and this waits for a day."""
    from chapterverse.core.errors import RetryableError
    from chapterverse.operations.retention import forget_old

    ended, waited = end or Event(), False
    while True:
        now = retention.batches.history.now()
        if not waited and is_long_ago(last, now):
            log.warning("expired data is removed in a day: by the clock, it was last done long ago; is the clock right?")
            waited = True
        else:
            with suppress(RetryableError):
                forget_old(retention)
                last.write_text(now.isoformat(), "utf-8")
            waited = False
        if ended.wait(timedelta(days=1).total_seconds()):
            return


def is_long_ago(last: Path, now: datetime) -> bool:
    """Whether the time in the file is more than TRUSTED ago; False without such a file."""
    with suppress(FileNotFoundError, ValueError, TypeError):
        return now - datetime.fromisoformat(last.read_text("utf-8")) > TRUSTED
    return False


def start_tasks(context: AppContext, queue: Any, school: str) -> None:
    """Run tasks in this process, first those that an earlier process left."""
    from chapterverse.essays.batch.service import begin_all
    from chapterverse.library.intake import resume, run_task

    schools = sorted({file.name.partition("/")[0] for file in context.intake.uploads.files("")} | {school})
    if not repair(schools, context):
        Thread(target=repair_later, args=(schools, context), daemon=True).start()
    for each in schools:
        for intake in context.intake.of_each():
            resume(each, intake)

    def work(task: Task, attempt: int) -> None:
        run_task(task, attempt, context.intake)
        begin_all(context.batches, task.school, running=True)  # essays that waited for their first book

    queue.start(work)


def repair(schools: Sequence[str], context: AppContext) -> bool:
    """Rebuild what the index lacks, and publish the help desk's answers; False if a store does not answer."""
    from chapterverse.core.errors import RetryableError
    from chapterverse.library.versions import repair_index
    from chapterverse.questions.faq import publish_all

    try:
        for each in schools:
            for intake in context.intake.of_each():
                repair_index(each, intake.services)
            publish_all(each, context.helpdesk)
    except RetryableError as error:
        log.warning("the index was not repaired: %s", error.code)
        return False
    return True


def repair_later(schools: Sequence[str], context: AppContext, end: Event | None = None) -> None:
    """Try `repair` again and again until every store has answered, or until `end`."""
    ended = end or Event()
    while not ended.wait(RETRY_SECONDS) and not repair(schools, context):
        pass


def start_batches(context: AppContext, queue: Any) -> None:
    """Run batches, and what was handed in at learning platforms, in this process; first what an earlier process left."""
    from chapterverse.essays.batch.service import begin_all
    from chapterverse.lti.hand_ins import resume_hand_ins
    from chapterverse.operations.batch_app import run_essay_task

    begin_all(context.batches, running=True)
    resume_hand_ins(context.hand_ins)
    queue.start(partial(run_essay_task, batches=context.batches, hand_ins=context.hand_ins))


def start_lectures(context: AppContext, school: str) -> None:
    """Load the models of lectures if the school has lectures, so that the next window need not wait for them."""
    from chapterverse.core.errors import RetryableError
    from chapterverse.lectures.service import warm_up

    with suppress(RetryableError):  # the first lecture loads them
        if context.lectures.context.store.of_school(school, context.lectures.context.since, limit=1):
            warm_up(context.lectures)


def run(app: Flask, host: str, port: int, threads: int, grace: int) -> None:
    """Serve with waitress in this process until told to end; open requests then have `grace` seconds."""
    from chapterverse.library.model import SCHOOL_LIMITS
    from chapterverse.web.server import ServerLimits, server_of

    setswitchinterval(SWITCH_SECONDS)
    limits = ServerLimits(body_bytes=SCHOOL_LIMITS.bytes + app.config["MAX_CONTENT_LENGTH"])  # a form is larger than its file
    server_of(app, (host, port), threads, limits).serve_until_ended(grace)
