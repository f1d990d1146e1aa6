"""Everything that the HTTP interface uses; made by composition.app_context, or by a test."""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime

from bookreader.drawing import PageDrawer
from chapterverse.accounts.model import KeyScope, Person
from chapterverse.accounts.setup import SchoolSetups
from chapterverse.accounts.sign_in import SchoolSignIns, SignIn
from chapterverse.accounts.store import SqlKeys, SqlSchoolSettings
from chapterverse.assignments.service import AssignmentContext, assignments_of
from chapterverse.assignments.store import SqlAssignments
from chapterverse.core.book import BookId, Collection
from chapterverse.core.ports import TokenBuckets
from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.service import EssayContext
from chapterverse.essays.text import MAX_WORDS
from chapterverse.infrastructure.quotas import MemoryTokenBuckets
from chapterverse.infrastructure.storage.folder import FolderUploads
from chapterverse.lectures.service import LiveLectures
from chapterverse.library.intake import uses_of
from chapterverse.library.services import CollectionServices, Intake, Printer, TextFinder
from chapterverse.lti.hand_ins import HandInContext
from chapterverse.lti.launching import LtiTool
from chapterverse.operations.archive import SchoolStores
from chapterverse.operations.retention import Retention
from chapterverse.questions.helpdesk import HelpdeskContext
from chapterverse.questions.store import SqlAnswers
from chapterverse.questions.styles import TEXTBOOK_CHAT, AnswerSettings, AnswerStyle
from chapterverse.web.sse import UnderWay


@dataclass(frozen=True, slots=True)
class HttpLimits:
    """The limits of the HTTP interface."""

    requests_per_minute: int  # of one person, or of one key
    open_requests: int  # of this process
    essay_words: int = MAX_WORDS
    body_bytes: int = 2**20
    upload_url_seconds: int = 900  # that an upload address is valid
    batch_bytes: int = 32 * 2**20
    question_characters: int = 1000
    open_streams: int = 200  # of this process, in addition to the open requests
    segments_per_minute: int = 1200  # of lectures, of one key: 20 lectures, one a second
    stream_seconds: float = 540.0  # Cloud Run is given 600; beats keep proxies from closing it


@dataclass(frozen=True, slots=True)
class AppContext:
    """files: None if uploads go to a bucket and not through this app. intake.services: for bulk work; services: for people who
    wait; collections: services per collection. answers: numbers about given answers. rates: where calls are counted. lectures:
    sessions and citations; sign_in: sign-in; schools: sign-in by the school's accounts; lti: learning platforms; assignments:
    theirs and those of classes here. school_settings: each school's own; setups: what their admins set up; archive: the stores
    from which a school is exported. under_way: feedback that is being written. free_bytes: on the disk of the home folder;
    is_writable: whether that folder is. later: does work that nobody should wait for, or learn from its time whether it was
    done."""

    services: CollectionServices
    intake: Intake
    keys: SqlKeys
    draw: PageDrawer
    printer: Printer
    find_text: TextFinder
    limits: HttpLimits
    now: Callable[[], datetime]
    essays: EssayContext
    batches: BatchContext
    retention: Retention
    collections: Mapping[Collection, CollectionServices]
    answer_settings: AnswerSettings
    answers: SqlAnswers
    helpdesk: HelpdeskContext
    sign_in: SignIn
    schools: SchoolSignIns
    lti: LtiTool
    assignments: SqlAssignments
    lectures: LiveLectures
    school_settings: SqlSchoolSettings
    setups: SchoolSetups
    archive: Callable[[], SchoolStores]
    rates: TokenBuckets = field(default_factory=MemoryTokenBuckets)
    files: FolderUploads | None = None
    textbook_style: AnswerStyle = TEXTBOOK_CHAT
    under_way: UnderWay = field(default_factory=UnderWay)
    free_bytes: Callable[[], int] = lambda: sys.maxsize
    is_writable: Callable[[], bool] = lambda: True
    later: Callable[[Callable[[], None]], None] = lambda work: work()

    @property
    def coursework(self) -> AssignmentContext:
        """What assignments need."""
        return AssignmentContext(self.assignments, self.sign_in, self.batches, self.services, self.now)

    @property
    def hand_ins(self) -> HandInContext:
        """What files need that are handed in at learning platforms."""
        return HandInContext(self.lti, self.coursework, self.setups, self.find_text)

    def class_sources(self, who: Person, collection: Collection) -> frozenset[BookId]:
        """The sources of the collection that are books of assignments of the student's classes. Empty where no assignment names
        books, and for teachers: then there is no choice between the class's and all."""
        if who.role is not KeyScope.STUDENT:
            return frozenset()
        named = {BookId(book) for each in assignments_of(who, self.assignments) for book in each.books}
        found = (book for book in self.services.catalog.books(who.school) if book.id in named) if named else ()
        intake = self.intake.of(Collection.BOOKS)
        return frozenset(each.id for each in found if collection is Collection.BOOKS or collection in uses_of(each, intake))
