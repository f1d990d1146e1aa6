"""What students hand in at a learning platform: feedback is written and its report sent, without a click.

A notice stores each file and adds a task. A task reads the file's record first and does the rest, so a repeated notice, a task
delivered twice or a killed process changes nothing: feedback has an id made of the file's, and the platform takes the latest
report of a file."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from secrets import token_urlsafe

from chapterverse.accounts.keys import digest_of
from chapterverse.accounts.setup import SchoolSetups
from chapterverse.assignments.model import Assignment, AssignmentSubmission
from chapterverse.assignments.service import AssignmentContext, books_of, options_for
from chapterverse.core.errors import BadRequest, NotFound, PermanentError, PlatformRefused, TooLarge
from chapterverse.core.hits import Scope
from chapterverse.core.tasks import Task, TaskKind, named_task
from chapterverse.essays.history import find_feedback, visible_feedback
from chapterverse.essays.model import StoredFeedback, Submission
from chapterverse.essays.service import FeedbackOptions, FeedbackRequest, feedback_on
from chapterverse.essays.text import MAX_FILE_BYTES, text_of, text_of_html
from chapterverse.library.services import TextFinder
from chapterverse.library.versions import understood
from chapterverse.lti.launching import CHOICE_LIFETIME, SECRET_BYTES, LaunchResult, LtiTool, hand_in_id, known_person
from chapterverse.lti.messages import PRODUCT
from chapterverse.lti.model import ASSIGNMENT_PARAMETER, Agreement, HandIn, HandInState, Pending, Platform
from chapterverse.lti.services import platform_errors_as_ours
from chapterverse.messages import Message, in_words, message
from lti_assets.notices import AssetTooLarge, Notice, ServiceRefused, SubmissionNotice
from lti_assets.services import ErrorCode, Progress, Report

REPORT_TYPE = "chapterverse-feedback"
HTML = "text/html"  # of texts that students type into the platform


PLATFORM_CODES = {PlatformRefused: ErrorCode.DOWNLOAD, TooLarge: ErrorCode.TOO_LARGE, BadRequest: ErrorCode.UNSUPPORTED}


@dataclass(frozen=True)
class HandInContext:
    """What hand-ins need; their tasks go to the queue of batches, whose work nobody waits for on a page. setups: the language
    of a school's letters, which its reports have, too."""

    tool: LtiTool
    coursework: AssignmentContext
    setups: SchoolSetups
    find_text: TextFinder


def receive_notices(notices: Sequence[tuple[Platform, Notice]], context: HandInContext) -> None:
    """Store the files of checked notices and add their tasks; other notices need nothing. Raises CatalogUnavailable,
    QueueUnavailable: then the platform, or a teacher, sends the notice again."""
    for platform, notice in notices:
        if not isinstance(notice, SubmissionNotice):
            continue
        assignment = str((notice.custom or {}).get(ASSIGNMENT_PARAMETER, ""))
        for file in notice.files:
            id, at = hand_in_id(platform, file.asset_id), file.timestamp or notice.at
            new = HandIn(id, platform.school, platform.id, assignment, notice.user, file, notice.report_url, at)
            context.coursework.batches.queue.add(hand_in_task(context.tool.store.add_hand_in(new), notice.id))


@dataclass(frozen=True, slots=True)
class HandInTask:
    """What a task is about: the id of a file."""

    hand_in: str


def hand_in_task(of: HandIn, asked_by: str) -> Task:
    """The task of a file. asked_by: part of its name; another word is another task."""
    return named_task(TaskKind.HAND_IN, {"school": of.school, "hand_in": of.id, "asked_by": asked_by})


def resume_hand_ins(context: HandInContext) -> None:
    """Add the tasks of files without a report, for a process that keeps its queue in memory. Call it at the start."""
    for each in context.tool.store.waiting_hand_ins():
        context.coursework.batches.queue.add(hand_in_task(each, "resumed"))


def report_again(school: str, feedback: Sequence[str], context: HandInContext) -> None:
    """Send the reports of this feedback again: it was released, or is no longer. Other feedback is ignored."""
    asked_by = context.coursework.now().isoformat()
    for each in context.tool.store.hand_ins_with(school, feedback):
        context.coursework.batches.queue.add(hand_in_task(each, asked_by))


def run_hand_in(task: Task, attempt: int, context: HandInContext) -> None:
    """Do the task. attempt: number of this delivery, from 1; beyond the limit of batches a failure is reported.

    Raises RetryableError, BadRequest as `understood` does, and unexpected errors; the task is then delivered again."""
    limit = context.coursework.batches.limits.attempts
    about = understood(task, HandInTask, attempt, limit)
    if about is None:
        return
    try:
        of = context.tool.store.hand_in(about.hand_in)
        platform = context.tool.store.platform(of.platform)
    except NotFound:
        return  # removed, with its platform or by time
    if attempt > limit:
        gave_up = message("hand_in_gave_up")
        _fail(of, platform, "gave_up", gave_up, context, progress=Progress.PENDING_MANUAL)  # a teacher may send it again
    elif of.feedback:
        _send(of, platform, find_feedback(of.school, of.feedback, context.coursework.history), context)
    else:
        _process(of, platform, context)


def _process(of: HandIn, platform: Platform, context: HandInContext) -> None:
    if context.tool.store.has_declined(platform.id, of.subject):
        _fail(of, platform, "not_agreed", message("hand_in_not_agreed"), context, platform_code=ErrorCode.EULA)
        return
    try:
        assignment = context.coursework.store.assignment(of.school, of.assignment)
        with platform_errors_as_ours():
            services = context.tool.services.assets(platform, context.tool.key)
            services.send(of.report_url, _report(of, Progress.PROCESSING, context.coursework.now()))
            data = services.download(of.file, MAX_FILE_BYTES)
        text = text_of(data, context.find_text)
        essay = text_of_html(text) if (of.file.content_type or "").startswith(HTML) else text
        stored = _feedback(of, assignment, essay, platform, context)
    except AssetTooLarge:
        too_large = message("file_too_large", name=of.file.filename or of.file.title or "", max_bytes=MAX_FILE_BYTES)
        _fail(of, platform, "too_large", too_large, context, platform_code=ErrorCode.TOO_LARGE)
    except PermanentError as error:
        platform_code = next((code for kind, code in PLATFORM_CODES.items() if isinstance(error, kind)), None)
        _fail(of, platform, error.code, error.message, context, platform_code=platform_code)
    else:
        done = replace(of, state=HandInState.DONE, feedback=stored.id, error=None)
        context.tool.store.keep_hand_in(done)
        _send(done, platform, stored, context)


def _feedback(of: HandIn, assignment: Assignment, text: str, platform: Platform, context: HandInContext) -> StoredFeedback:
    """The stored feedback on the file, written if there is none; the student's essay for the assignment is the latest file.

    Raises PermanentError for an essay that cannot be used, RetryableError."""
    coursework = context.coursework
    person = known_person(of.subject, platform, tool=context.tool, sign_in=coursework.sign_in, now=coursework.now())
    before = coursework.store.essay_of(assignment.id, person.email)
    submission = Submission(person.email, before.feedback if before else None, of.id, is_held=assignment.is_held)
    scope = Scope(of.school, tuple(books_of(assignment, coursework.services.catalog)))
    options = options_for(assignment, FeedbackOptions())
    request = FeedbackRequest(text, scope, options, submission, by_student=True, charged=assignment.charged)
    written = feedback_on(request, coursework.batches.essays)
    if written.id is None:
        raise BadRequest("hand_in_not_stored")
    if before is None or before.at <= of.at:
        new = AssignmentSubmission(of.school, assignment.id, person.email, written.id, of.at)
        coursework.store.submit(replace(new, score=before.score) if before else new)
    return find_feedback(of.school, written.id, coursework.history)


def _send(of: HandIn, platform: Platform, stored: StoredFeedback, context: HandInContext) -> None:
    """Report that the feedback is there; students see it once it is released."""
    comments = len(visible_feedback(stored).comments)
    result = _words(of, message("hand_in_result", comments=comments), context)
    processed = _report(of, Progress.PROCESSED, context.coursework.now())
    report = replace(processed, result=result, visible_to_owner=stored.approved is not None)
    with platform_errors_as_ours():
        context.tool.services.assets(platform, context.tool.key).send(of.report_url, report)


def _fail(
    of: HandIn,
    platform: Platform,
    code: str,
    words: Message,
    context: HandInContext,
    *,
    platform_code: ErrorCode | None = None,
    progress: Progress = Progress.FAILED,
) -> None:
    """Report why there is no feedback, which a teacher reads beside the file. code: ours; platform_code: the platform's."""
    failed = _report(of, progress, context.coursework.now())
    report = replace(failed, comment=_words(of, words, context), error_code=platform_code)
    with platform_errors_as_ours(), suppress(ServiceRefused):  # an address that is gone; the record says why
        context.tool.services.assets(platform, context.tool.key).send(of.report_url, report)
    context.tool.store.keep_hand_in(replace(of, state=HandInState.FAILED, error=code))


def _report(of: HandIn, progress: Progress, now: datetime) -> Report:
    return Report(of.file.asset_id, REPORT_TYPE, now, progress, title=PRODUCT)


def _words(of: HandIn, words: Message, context: HandInContext) -> str:
    return in_words(words, context.setups.language(of.school) or "en")


def begin_agreement(launched: LaunchResult, tool: LtiTool, now: datetime) -> str:
    """The secret that the student's answer must come with, once."""
    secret = token_urlsafe(SECRET_BYTES)
    data = {"subject": launched.launch.subject, "eula_url": launched.launch.eula_url}
    tool.store.keep(Pending(digest_of(secret), launched.platform.id, data, now + CHOICE_LIFETIME))
    return secret


def agree(pending: Pending, accepted: bool, *, tool: LtiTool, now: datetime) -> None:
    """Store a student's answer to the terms, here and at the platform. Raises PlatformRefused, PlatformUnavailable."""
    platform, subject = tool.store.platform(pending.platform), pending.data["subject"]
    with platform_errors_as_ours():
        tool.services.assets(platform, tool.key).agree(pending.data["eula_url"], subject, accepted, now)
    tool.store.keep(Agreement(platform.id, subject, accepted, now))
