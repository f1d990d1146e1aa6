"""Who has handed in, by the course's own list, and scores into its gradebook."""

from dataclasses import dataclass, replace
from datetime import datetime

from chapterverse.errors import BadRequest, NotFound, PlatformRefused, PlatformUnavailable
from chapterverse.model import Assignment, HandedIn, KeptFeedback, Member, Score
from chapterverse.usecases.kept_feedback import Keeping, find_feedback
from chapterverse.usecases.lti.roles import learns
from chapterverse.usecases.lti.tool import Tool
from chapterverse.usecases.sign_in import Reception

LONGEST = 2000  # characters of a comment


@dataclass(frozen=True, slots=True)
class Seat:
    """A student of the course. essay: what they have handed in last; feedback: the id under which it is still kept; approved:
    since when they may see it."""

    subject: str
    name: str
    email: str
    essay: HandedIn | None = None
    feedback: str | None = None
    approved: datetime | None = None


@dataclass(frozen=True, slots=True)
class Room:
    """Everybody of whom an essay is expected. whole: whether that is the platform's list; else only those who have been
    here."""

    seats: tuple[Seat, ...]
    whole: bool


def room_of(of: Assignment, *, tool: Tool, reception: Reception, keeping: Keeping) -> Room:
    """By name. Raises CatalogUnavailable; where the platform tells no list, it is of those who have handed in."""
    emails = {guest.subject: guest.email for guest in tool.store.guests(of.platform)}
    essays = {essay.email: essay for essay in tool.store.handed_in(of.id)}
    members, whole = _members(of, tool)
    seats = [
        _seat(each, emails.get(each.subject, ""), essays, keeping) for each in members if learns(each.roles) and each.active
    ]
    listed = {seat.subject for seat in seats}
    others = [
        _seat(Member(subject, _name(of.school, email, reception), email, ()), email, essays, keeping)
        for subject, email in emails.items()
        if email in essays and subject not in listed
    ]
    return Room(tuple(sorted([*seats, *others], key=lambda seat: (seat.name.casefold(), seat.subject))), whole)


def send_score(of: Assignment, subject: str, given: float | None, comment: str, *, tool: Tool, now: datetime) -> Score:
    """A comment, and a score if there is one, into the gradebook; below it where the student finds the feedback. The same twice
    is sent as the same, and changes nothing. Raises BadRequest, NotFound, PlatformRefused, PlatformUnavailable."""
    if (given is not None and not 0 <= given <= of.most) or len(comment) > LONGEST:
        raise BadRequest("grade_invalid", max_score=of.most, max_characters=LONGEST)
    essay = _essay(of, subject, tool)
    score = Score(given, of.most, f"{comment.strip()}\n{_link(of, essay, tool)}".strip(), now)
    if essay.score and replace(essay.score, at=now) == score:
        score = essay.score
    platform, key = tool.store.platform(of.platform), tool.key
    column = tool.services.line_item(platform, of, key)
    if column != of.services.line_item_url:
        of = replace(of, services=replace(of.services, line_item_url=column))
        tool.store.keep_assignment(of)
    tool.services.send(platform, of, subject, score, key)
    tool.store.hand_in(replace(essay, score=score))
    return score


def _link(of: Assignment, essay: HandedIn, tool: Tool) -> str:
    return f"{tool.site}/essay/mine/{essay.feedback}" if essay.feedback else f"{tool.site}/essay?assignment={of.id}"


def _members(of: Assignment, tool: Tool) -> tuple[list[Member], bool]:
    if not of.services.members_url:
        return [], False
    try:
        return tool.services.members(tool.store.platform(of.platform), of.services.members_url, tool.key), True
    except (PlatformRefused, PlatformUnavailable):
        return [], False


def _seat(member: Member, email: str, essays: dict[str, HandedIn], keeping: Keeping) -> Seat:
    essay = essays.get(email)
    seat = Seat(member.subject, member.name or member.email or email, member.email or email, essay)
    kept = _kept(essay, keeping)
    return replace(seat, feedback=kept.id, approved=kept.approved) if kept else seat


def _kept(essay: HandedIn | None, keeping: Keeping) -> KeptFeedback | None:
    try:
        return find_feedback(essay.school, essay.feedback, keeping) if essay and essay.feedback else None
    except NotFound:  # its days are over, or somebody has deleted it
        return None


def _name(school: str, email: str, reception: Reception) -> str:
    there = reception.find(school, email)
    return there.name if there else email


def _essay(of: Assignment, subject: str, tool: Tool) -> HandedIn:
    if essay := tool.essay_of(of.id, tool.store.guest(of.platform, subject).email):
        return essay
    raise NotFound("nothing_submitted")
