"""Sessions: a lecture, and the books beside it. A session names books, it holds none: whatever version of them is the newest is
looked in, and one attached to many sessions is in the index once."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from uuid import UUID, uuid4

from chapterverse.errors import BadRequest, Forbidden, NotFound
from chapterverse.messages import Message
from chapterverse.model import Attached, BookVersion, Citation, Collection, LectureSession, ShelvedBook, VersionState
from chapterverse.usecases.corrections import corrected_book
from chapterverse.usecases.lectures.cutting import beside
from chapterverse.usecases.lectures.desk import LectureDesk
from chapterverse.usecases.lectures.opened import cut_into_paragraphs
from chapterverse.usecases.lectures.shown import document_id
from chapterverse.usecases.tasks import cut_task

MOST_BOOKS = 100  # beside one lecture


class Readiness(StrEnum):
    """How far a book is that is beside a lecture."""

    READY = "ready"
    WAITING = "waiting"  # its file is being read, or it is being cut into paragraphs
    FAILED = "failed"
    GONE = "gone"  # it was removed


@dataclass(frozen=True, slots=True)
class AttachedBook:
    """document: as citations call it. done of total: batches of paragraphs with their vectors; both 0 where there are none
    (yet). reason, message: why it failed."""

    attached: Attached
    document: UUID
    title: str
    state: Readiness
    done: int = 0
    total: int = 0
    reason: str | None = None
    message: Message | None = None


def begin_session(
    school: str, books: Sequence[Attached], desk: LectureDesk, id: UUID | None = None, by: str | None = None
) -> LectureSession:
    """A new session with these books. id: a new one where none is given; by: who begins it, as LectureSession.begun_by. Raises
    NotFound for a book that is not there, BadRequest beyond MOST_BOOKS, CatalogUnavailable, QueueUnavailable."""
    session = LectureSession(id or uuid4(), school, desk.now(), begun_by=by)
    wanted = _with(session, books)
    prepare(wanted, desk)
    desk.store.begin(wanted)
    return wanted


def find_session(school: str, id: UUID, desk: LectureDesk) -> LectureSession:
    """Raises NotFound, also where its days are over, CatalogUnavailable."""
    session = desk.store.find(school, id)
    if session.created < desk.since:
        raise NotFound("no_such_session")
    return session


def refuse_others(session: LectureSession, student: str) -> None:
    """student: the address of one who wants to change the lecture or speak in it. Everybody may follow one whose id they are
    told. Raises Forbidden where somebody else began it."""
    if session.begun_by != student:
        raise Forbidden("lecture_of_another")


def attach(school: str, id: UUID, books: Sequence[Attached], desk: LectureDesk) -> LectureSession:
    """The session with these books, too. Raises as begin_session and find_session do."""
    session = find_session(school, id, desk)
    prepare(_with(session, books), desk)
    return desk.store.change(school, id, lambda was: _with(was, books))


def detach(school: str, id: UUID, book: Attached, desk: LectureDesk) -> LectureSession:
    """The session without that book; its citations stay. Raises NotFound where it is not beside it, CatalogUnavailable."""
    if book not in find_session(school, id, desk).books:
        raise NotFound("document_not_attached")
    return desk.store.change(school, id, lambda was: replace(was, books=tuple(one for one in was.books if one != book)))


def end_session(school: str, id: UUID, desk: LectureDesk) -> None:
    """Forget it with its citations; the books stay. Raises NotFound, CatalogUnavailable."""
    desk.store.remove(school, id)


def resolve(school: str, name: str, desk: LectureDesk, shelf: Collection | None = None) -> Attached:
    """A book by its id, or by the UUID that citations give it: of that shelf, or of the first that has it, the lectures' before
    all others. Raises NotFound, CatalogUnavailable."""
    order = sorted(desk.shelves, key=lambda each: each is not Collection.LECTURES)
    for each in order if shelf is None else [shelf] if shelf in desk.shelves else []:
        for book in desk.shelves[each].catalog.books(school):
            attached = Attached(book.id, each)
            if name in {book.id, str(document_id(school, attached))}:
                return attached
    raise NotFound("no_such_document", name=name)


def prepare(session: LectureSession, desk: LectureDesk) -> None:
    """See to it that its books are cut into paragraphs: those that are not are asked for. Raises NotFound for one that is not
    there, CatalogUnavailable, QueueUnavailable."""
    for attached in session.books:
        book = _book(session.school, attached, desk)
        if attached.shelf is not Collection.LECTURES and book.active:
            key = beside(book.active, desk.services.cutter.unit)
            desk.queue.add(cut_task(book.active, key, str(session.id)))


def attached_books(session: LectureSession, desk: LectureDesk) -> list[AttachedBook]:
    """How far each book of the session is, in their order. Raises CatalogUnavailable."""
    return [_told(session.school, attached, desk) for attached in session.books]


def find_citation(school: str, id: UUID, desk: LectureDesk) -> tuple[Citation, str]:
    """A citation, and the whole paragraph it is from; of a book that was removed or replaced meanwhile, what is kept of it.

    Raises NotFound, CatalogUnavailable, BucketUnavailable."""
    citation = desk.store.get_by_id(school, id)
    find_session(school, citation.session, desk)
    services = desk.shelves[citation.attached.shelf]
    try:
        book = services.catalog.book(school, citation.attached.book)
        key = next(each.key for each in book.versions if citation.chunk_id.startswith(f"{each.key.version}-{each.key.unit}-"))
        return citation, desk.services.chunks_of(key).chunk(citation.chunk_id).text
    except (NotFound, StopIteration):
        return citation, citation.snippet


def list_citations(school: str, id: UUID, desk: LectureDesk) -> list[Citation]:
    """Of a session, by window, then rank. Raises as find_session does."""
    find_session(school, id, desk)
    return desk.store.list_by_session(school, id)


def _with(session: LectureSession, books: Sequence[Attached]) -> LectureSession:
    together = tuple(dict.fromkeys((*session.books, *books)))
    if len(together) > MOST_BOOKS:
        raise BadRequest("too_many_documents_attached", max_documents=MOST_BOOKS)
    return replace(session, books=together)


def _book(school: str, attached: Attached, desk: LectureDesk) -> ShelvedBook:
    if attached.shelf not in desk.shelves:
        raise NotFound("collection_not_for_lectures", collection=attached.shelf)
    return desk.shelves[attached.shelf].catalog.book(school, attached.book)


def _told(school: str, attached: Attached, desk: LectureDesk) -> AttachedBook:
    document = document_id(school, attached)
    try:
        book = _book(school, attached, desk)
    except NotFound:
        return AttachedBook(attached, document, attached.book, Readiness.GONE)
    title, making = corrected_book(book).title, _in_the_making(book, attached, desk)
    if cut_into_paragraphs(book, desk):
        return AttachedBook(attached, document, title, Readiness.READY)
    if making is None:
        return AttachedBook(attached, document, title, Readiness.WAITING)
    state = Readiness.FAILED if making.state is VersionState.FAILED else Readiness.WAITING
    return AttachedBook(attached, document, title, state, making.batches_done, making.batches, making.reason, making.message)


def _in_the_making(book: ShelvedBook, attached: Attached, desk: LectureDesk) -> BookVersion | None:
    """What is to become searched: of a book of another shelf that is ready there, the version beside."""
    if attached.shelf is Collection.LECTURES or book.active is None:
        return book.newest
    key = beside(book.active, desk.services.cutter.unit)
    return next((version for version in book.versions if version.key == key), None)
