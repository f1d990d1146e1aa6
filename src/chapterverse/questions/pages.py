"""Pages of questions on documents, answer statistics and the help desk."""

from flask import Response

from bookreader.text.entries import LONGEST_DEPARTMENT
from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.core.book import Collection
from chapterverse.library.versions import count_unread
from chapterverse.questions.api import MAX_TEXT
from chapterverse.questions.api import entries as list_entries
from chapterverse.questions.helpdesk import MAX_MESSAGE
from chapterverse.web.frame import WebSite, page, see_other
from chapterverse.web.operations import answer_to


def offer_ask(site: WebSite) -> None:
    """GET /ask."""

    def ask(who: Person) -> Response:
        askable = (Collection.DOCUMENTS, Collection.TEXTBOOK)
        of_class = sorted({source for each in askable for source in site.context.class_sources(who, each)})
        shown = {"max_characters": site.context.limits.question_characters, "may_add": as_wide(who.role, KeyScope.TEACHER)}
        return page("ask", "Ask", who, **shown, reading=count_unread(who.school, site.context.services), of_class=of_class)

    site.offer("GET", "/ask", ask)


def offer_help(site: WebSite) -> None:
    """GET /help, /help/inbox."""
    context, direct_upload = site.context.helpdesk, site.context.files is not None

    def chat(who: Person) -> Response:
        if as_wide(who.role, KeyScope.TEACHER):
            return see_other("/help/inbox")
        return page("help", "Help desk", who, max_characters=MAX_MESSAGE, departments=context.departments(who.school))

    def inbox(who: Person) -> Response:
        limits = {"max_characters": MAX_MESSAGE, "max_answer": MAX_TEXT, "max_department": LONGEST_DEPARTMENT}
        entries = answer_to(who, site.context, list_entries)[::-1]
        may = {"admin": who.role is KeyScope.ADMIN, "direct_upload": direct_upload}
        return page("help_inbox", "Help desk", who, **limits, **may, entries=entries)

    site.offer("GET", "/help", chat)
    site.offer("GET", "/help/inbox", inbox, KeyScope.TEACHER)
