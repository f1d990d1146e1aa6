"""Pages of questions on documents with metrics, and of the help desk: chat, inbox, answers."""

from flask import Response

from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.library.text.entries import LONGEST_DEPARTMENT
from chapterverse.questions.helpdesk_schemas import MOST_TEXT
from chapterverse.web.frame import WebSite, page


def offer_ask(site: WebSite) -> None:
    """GET /ask, /ask/figures."""

    def ask(who: Person) -> Response:
        most, here = site.context.limits.question_characters, site.context.files is not None
        return page("ask", "Ask", who, most=most, here_taken=here, may_add=as_wide(who.role, KeyScope.TEACHER))

    def figures(who: Person) -> Response:
        return page("figures", "Figures", who)

    site.offer("GET", "/ask", ask)
    site.offer("GET", "/ask/figures", figures, KeyScope.TEACHER)


def offer_help(site: WebSite) -> None:
    """/help, /help/inbox, /help/answers."""
    desk, here = site.context.helpdesk, site.context.files is not None

    def chat(who: Person) -> Response:
        return page("help", "Help desk", who, most=desk.figures.characters, departments=desk.departments(who.school))

    def inbox(who: Person) -> Response:
        return page("help_inbox", "Inbox", who, most=desk.figures.characters, admin=who.role is KeyScope.ADMIN)

    def answers(who: Person) -> Response:
        return page("help_answers", "Answers", who, most=MOST_TEXT, longest=LONGEST_DEPARTMENT, here_taken=here)

    site.offer("GET", "/help", chat)
    site.offer("GET", "/help/inbox", inbox, KeyScope.TEACHER)
    site.offer("GET", "/help/answers", answers, KeyScope.TEACHER)
