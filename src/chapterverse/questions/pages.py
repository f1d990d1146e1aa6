"""Pages of questions on documents, answer statistics and the help desk."""

from datetime import timedelta

from flask import Response

from bookreader.text.entries import LONGEST_DEPARTMENT
from chapterverse.accounts.keys import as_wide
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.core.book import Collection
from chapterverse.questions.helpdesk_schemas import MAX_TEXT
from chapterverse.web.frame import WebSite, page

UNANSWERED_SINCE = timedelta(days=30)


def offer_ask(site: WebSite) -> None:
    """GET /ask, /ask/figures."""

    def ask(who: Person) -> Response:
        max_characters, direct_upload = site.context.limits.question_characters, site.context.files is not None
        return page(
            "ask",
            "Ask",
            who,
            max_characters=max_characters,
            direct_upload=direct_upload,
            may_add=as_wide(who.role, KeyScope.TEACHER),
            of_class=sorted(site.context.class_sources(who, Collection.DOCUMENTS)),
        )

    def metrics(who: Person) -> Response:
        return page("metrics", "Answer quality", who)

    site.offer("GET", "/ask", ask)
    site.offer("GET", "/ask/figures", metrics, KeyScope.TEACHER)


def offer_help(site: WebSite) -> None:
    """GET /help, /help/inbox, /help/answers."""
    context, direct_upload = site.context.helpdesk, site.context.files is not None

    def chat(who: Person) -> Response:
        return page(
            "help", "Help desk", who, max_characters=context.limits.characters, departments=context.departments(who.school)
        )

    def inbox(who: Person) -> Response:
        return page("help_inbox", "Inbox", who, max_characters=context.limits.characters, admin=who.role is KeyScope.ADMIN)

    def answers(who: Person) -> Response:
        return page(
            "help_answers", "Answers", who, max_answer=MAX_TEXT, max_department=LONGEST_DEPARTMENT, direct_upload=direct_upload
        )

    site.offer("GET", "/help", chat)
    site.offer("GET", "/help/inbox", inbox, KeyScope.TEACHER)
    site.offer("GET", "/help/answers", answers, KeyScope.TEACHER)
