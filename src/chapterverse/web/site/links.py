"""Which page leads where: the bar at the top, and below it what belongs to the page that is open."""

from collections.abc import Sequence
from dataclasses import dataclass

from chapterverse.model import KeyScope
from chapterverse.usecases.api_keys import as_wide


@dataclass(frozen=True, slots=True)
class Link:
    """For people of that role and wider ones. beside: pages of the same kind, below its path."""

    path: str
    text: str
    role: KeyScope = KeyScope.STUDENT
    beside: tuple["Link", ...] = ()

    def leads_to(self, here: str) -> bool:
        """The page itself, or one below it."""
        return here == self.path or here.startswith(f"{self.path}/")


LINKS = (
    Link("/books", "Books", KeyScope.TEACHER),
    Link(
        "/essay",
        "Essay",
        beside=(
            Link("/essay/mine", "My essays"),
            Link("/essay/classes", "Classes", KeyScope.TEACHER),
            Link("/essay/assignments", "Assignments", KeyScope.TEACHER),
        ),
    ),
    Link("/ask", "Ask", beside=(Link("/ask/figures", "Figures", KeyScope.TEACHER),)),
    Link("/textbook", "Textbook"),
    Link("/lecture", "Lecture"),
    Link(
        "/help",
        "Help desk",
        beside=(Link("/help/inbox", "Inbox", KeyScope.TEACHER), Link("/help/answers", "Answers", KeyScope.TEACHER)),
    ),
    Link(
        "/settings",
        "Settings",
        KeyScope.TEACHER,
        beside=(
            Link("/settings/evaluation", "Evaluation", KeyScope.TEACHER),
            Link("/settings/people", "People", KeyScope.ADMIN),
        ),
    ),
)


def links_for(role: KeyScope, links: Sequence[Link] = LINKS) -> tuple[Link, ...]:
    """Those in the bar."""
    return tuple(link for link in links if as_wide(role, link.role))


def beside(here: str, role: KeyScope) -> tuple[Link, ...]:
    """The page of the bar that is open or above the one that is, first, and those beside it; nothing where it stands alone."""
    for link in links_for(role):
        if (others := links_for(role, link.beside)) and link.leads_to(here):
            return (link, *others)
    return ()
