"""Assignments: a teacher creates them within the platform, students submit essays, scores go into the course's gradebook."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from secrets import token_hex, token_urlsafe

from chapterverse.accounts.keys import as_wide, digest_of
from chapterverse.accounts.model import KeyScope
from chapterverse.accounts.sign_in import SignIn
from chapterverse.assignments.model import Assignment, AssignmentSubmission, SentScore
from chapterverse.assignments.overview import Roster, RosterEntry, Submissions, submissions_of
from chapterverse.assignments.service import AssignmentContext
from chapterverse.core.errors import BadRequest, NotFound, PlatformRefused, PlatformUnavailable, Unauthenticated
from chapterverse.core.names import is_safe, one_line
from chapterverse.lti.launching import ID_BYTES, LaunchResult, LtiTool, learns
from chapterverse.lti.model import LaunchKind, Member, Pending
from chapterverse.lti.services import platform_errors_as_ours
from lti_assets import NoticeType

CHOICE_LIFETIME = timedelta(hours=2)  # a teacher writes instructions meanwhile
SECRET_BYTES = 32
MAX_TITLE, MAX_TEXT, MAX_POINTS = 200, 4000, 10_000.0  # characters, characters, points


def begin_choice(launched: LaunchResult, tool: LtiTool, now: datetime) -> str:
    """The secret that the choice must come with, once: a page in a frame has no session. Raises BadRequest, Unauthenticated if
    the person is no teacher."""
    launch, platform = launched.launch, launched.platform
    if launch.kind is not LaunchKind.CHOICE or not as_wide(launched.person.role, KeyScope.TEACHER):
        raise Unauthenticated("only_teachers_assign")
    if not is_safe(launch.return_url):
        raise BadRequest("lms_no_return_address")
    secret = token_urlsafe(SECRET_BYTES)
    if launch.takes_processors and not launch.notices_url:
        raise BadRequest("lms_no_notices")
    data = {"return_url": launch.return_url, "data": launch.data, "deployment": launch.deployment}
    if launch.takes_processors:
        data |= {"takes_processors": "yes", "notices_url": launch.notices_url}
    tool.store.begin(Pending(digest_of(secret), platform.id, data, now + CHOICE_LIFETIME))
    return secret


def choose(
    secret: str, title: str, instructions: str, books: Sequence[str], max_score: str, *, tool: LtiTool, now: datetime
) -> tuple[Mapping[str, str], str]:
    """Store the assignment; returns the data of the begun choice, and the signed answer for its return_url.

    Raises BadRequest, Unauthenticated, PlatformRefused and PlatformUnavailable if its notices cannot be subscribed to."""
    title, instructions = one_line(title), instructions.replace("\0", "").strip()
    if not title or len(title) > MAX_TITLE or len(instructions) > MAX_TEXT:
        raise BadRequest("assignment_title_invalid", max_title=MAX_TITLE, max_text=MAX_TEXT)
    points = _points(max_score)
    try:
        begun = tool.store.take(digest_of(secret), now)
        platform = tool.store.platform(begun.platform)
    except NotFound:
        raise Unauthenticated("launch_expired") from None
    chosen = Assignment(token_hex(ID_BYTES), platform.school, platform.id, title, instructions, tuple(books), points, now)
    if url := begun.data.get("notices_url"):  # before the answer, so that no notice is missed
        with platform_errors_as_ours():
            tool.services.assets(platform, tool.key).subscribe(url, NoticeType.SUBMISSION, tool.notices_url)
    tool.assignments.keep_assignment(chosen)
    return begun.data, tool.messages.choose(platform, begun.data, chosen, tool.launch_url, tool.key)


def _points(text: str) -> float:
    try:
        points = float(text.strip().replace(",", "."))
    except ValueError:
        points = 0.0
    if not 0 < points <= MAX_POINTS:
        raise BadRequest("highest_score_invalid", highest=MAX_POINTS)
    return points


MAX_COMMENT = 2000  # characters


def roster_of_course(of: Assignment, *, tool: LtiTool, context: AssignmentContext) -> Roster:
    """The roster sorted by name; without NRPS, or if the platform does not answer, only students who submitted. Raises
    CatalogUnavailable."""
    emails = {guest.subject: guest.email for guest in tool.store.guests(of.platform or "")}
    submitted = submissions_of(of, context)
    members, whole = _members(of, tool)
    entries = [
        _entry(each, emails.get(each.subject, ""), submitted, context) for each in members if learns(each.roles) and each.active
    ]
    listed = {entry.student for entry in entries}
    others = [
        _entry(Member(subject, _name(of.school, email, context.sign_in), email, ()), email, submitted, context)
        for subject, email in emails.items()
        if email in submitted.by_email and subject not in listed
    ]
    return Roster(tuple(sorted([*entries, *others], key=lambda each: (each.name.casefold(), each.student))), whole)


def send_score(of: Assignment, subject: str, given: float | None, comment: str, *, tool: LtiTool, now: datetime) -> SentScore:
    """Send a comment, and a score if given, to the gradebook, with a link to the feedback. Sending it again changes nothing.

    Raises BadRequest, NotFound, PlatformRefused, PlatformUnavailable."""
    if (given is not None and not 0 <= given <= of.most) or len(comment) > MAX_COMMENT:
        raise BadRequest("grade_invalid", max_score=of.most, max_characters=MAX_COMMENT)
    essay = _essay(of, subject, tool)
    score = SentScore(given, of.most, f"{comment.strip()}\n{_link(of, essay, tool)}".strip(), now)
    if essay.score and replace(essay.score, at=now) == score:
        score = essay.score
    platform, key = tool.store.platform(of.platform or ""), tool.key
    column = tool.services.line_item(platform, of, key)
    if column != of.services.line_item_url:
        of = replace(of, services=replace(of.services, line_item_url=column))
        tool.assignments.keep_assignment(of)
    tool.services.send(platform, of, subject, score, key)
    tool.assignments.submit(replace(essay, score=score))
    return score


def _link(of: Assignment, essay: AssignmentSubmission, tool: LtiTool) -> str:
    return f"{tool.site}/essay/mine/{essay.feedback}" if essay.feedback else f"{tool.site}/essay?assignment={of.id}"


def _members(of: Assignment, tool: LtiTool) -> tuple[list[Member], bool]:
    if not of.services.members_url:
        return [], False
    try:
        return tool.services.members(tool.store.platform(of.platform or ""), of.services.members_url, tool.key), True
    except (PlatformRefused, PlatformUnavailable):
        return [], False


def _entry(member: Member, email: str, submitted: Submissions, context: AssignmentContext) -> RosterEntry:
    name = member.name or member.email or email
    return submitted.entry(member.subject, name, email, context, member.email or email)


def _name(school: str, email: str, sign_in: SignIn) -> str:
    there = sign_in.find(school, email)
    return there.name if there else email


def _essay(of: Assignment, subject: str, tool: LtiTool) -> AssignmentSubmission:
    if essay := tool.assignments.essay_of(of.id, tool.store.guest(of.platform or "", subject).email):
        return essay
    raise NotFound("nothing_submitted")
