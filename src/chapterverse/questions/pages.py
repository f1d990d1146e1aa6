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
from chapterverse.web.context import AppContext
from chapterverse.web.frame import Pages, page, see_other
from chapterverse.web.operations import answer_to

pages = Pages()


@pages.offer("GET", "/ask")
def ask(who: Person, context: AppContext) -> Response:
    """Where to ask documents and textbooks."""
    askable = (Collection.DOCUMENTS, Collection.TEXTBOOK)
    of_class = sorted({source for each in askable for source in context.class_sources(who, each)})
    shown = {"max_characters": context.limits.question_characters, "may_add": as_wide(who.role, KeyScope.TEACHER)}
    return page("ask", "Ask", who, **shown, reading=count_unread(who.school, context.services), of_class=of_class)


@pages.offer("GET", "/help")
def chat(who: Person, context: AppContext) -> Response:
    """The chat of a student with the help desk; teachers go to its inbox."""
    if as_wide(who.role, KeyScope.TEACHER):
        return see_other("/help/inbox")
    return page("help", "Help desk", who, max_characters=MAX_MESSAGE, departments=context.helpdesk.departments(who.school))


@pages.offer("GET", "/help/inbox", KeyScope.TEACHER)
def inbox(who: Person, context: AppContext) -> Response:
    """The questions that the help desk has to answer, and its questions and answers."""
    limits = {"max_characters": MAX_MESSAGE, "max_answer": MAX_TEXT, "max_department": LONGEST_DEPARTMENT}
    entries = answer_to(who, context, list_entries)[::-1]
    may = {"admin": who.role is KeyScope.ADMIN, "direct_upload": context.files is not None}
    return page("help_inbox", "Help desk", who, **limits, **may, entries=entries)
