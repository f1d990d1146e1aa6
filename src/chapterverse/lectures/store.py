"""Lectures, their windows and citations in the catalogue's database: tables and SqlLectures."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy import JSON, ForeignKey, Index, String, Text, and_, case, delete, false, func, or_, select
from sqlalchemy.orm import Mapped, Session, mapped_column

from chapterverse.core.errors import NotFound
from chapterverse.core.requests import adapter
from chapterverse.infrastructure.sql import CatalogTable, SqlStore, UtcTime, fact_of, found, of_one, row_of, storable
from chapterverse.lectures.model import LectureCitation, LectureSession, Window, WindowResult
from chapterverse.lectures.windows import Stream

VERSION = 1  # of a stored result


@dataclass(frozen=True, slots=True)
class LectureNews:
    """results: with a higher number than the one named, `after`, by number, with their citations, without the spoken words.
    ended: whether speech has ended and all windows were searched."""

    results: Sequence[tuple[int, WindowResult]]
    after: int
    ended: bool

    @property
    def last(self) -> int:
        """The highest number, or the one named if there are none."""
        return self.results[-1][0] if self.results else self.after


class LectureRow(CatalogTable):
    """A lecture session. details: the fields of LectureSession without a column. stream: state of its windowing, as JSON.
    begun_by: an e-mail address, None for a program."""

    __tablename__ = "lecture_sessions"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    school: Mapped[str] = mapped_column(String(255), index=True)
    created: Mapped[datetime] = mapped_column(UtcTime, index=True)
    books: Mapped[list[str]] = mapped_column(JSON)
    stream: Mapped[str] = mapped_column(Text, server_default="")
    begun_by: Mapped[str | None] = mapped_column(String(320))
    details: Mapped[dict[str, Any]] = mapped_column(JSON)
    code: Mapped[str | None] = mapped_column(String(16))
    ended: Mapped[bool] = mapped_column(server_default=false())
    __table_args__ = (Index(None, "code", unique=True),)


class LectureWindowRow(CatalogTable):
    """A searched window of a lecture: its times, the duration of the search and the failed stage, without its words."""

    __tablename__ = "lecture_windows"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=True)
    session_id: Mapped[str] = mapped_column(ForeignKey("lecture_sessions.id", ondelete="CASCADE"))
    window_index: Mapped[int]
    told: Mapped[dict[str, Any]] = mapped_column(JSON)
    __table_args__ = (Index(None, "session_id", "window_index", unique=True), {"sqlite_autoincrement": True})


class CitationRow(CatalogTable):
    """A sentence of a book shown for a window of a lecture (S3-19), without the spoken words. details: the fields of
    LectureCitation without a column."""

    __tablename__ = "citations"

    id: Mapped[str] = mapped_column(String(36), primary_key=True)
    session_id: Mapped[str] = mapped_column(ForeignKey("lecture_sessions.id", ondelete="CASCADE"))
    window_index: Mapped[int]
    rank: Mapped[int]
    details: Mapped[dict[str, Any]] = mapped_column(JSON)
    __table_args__ = (Index(None, "session_id", "window_index", "rank", unique=True),)


class SqlLectures(SqlStore):
    """Lecture sessions and their citations (S3-19; tests/contract/test_lecture_store.py).

    Another school's sessions are not found. Of the speech, only words that are in no window yet are stored, and
    the words of windows where the school wants them. Every method raises CatalogUnavailable."""

    def begin(self, session: LectureSession) -> None:
        """Store a new session; its id must be unused."""
        with self._writing() as transaction:
            transaction.add(row_of(LectureRow, session, id=str(session.id)))

    def find(self, school: str, id: UUID) -> LectureSession:
        """Raises NotFound."""
        with self._reading() as transaction:
            return _with_times(transaction, [_found(transaction, school, id)])[0]

    def with_code(self, school: str, code: str) -> LectureSession:
        """The session that is shared by that code. Raises NotFound."""
        wanted = select(LectureRow).where(LectureRow.school == school, LectureRow.code == storable(code))
        with self._reading() as transaction:
            return _with_times(transaction, [found(transaction, wanted, NotFound("no_such_lecture_code"))])[0]

    def of_school(self, school: str, since: datetime, limit: int, begun_by: str | None = None) -> list[LectureSession]:
        """The newest `limit` sessions that began since then, newest first. begun_by: only theirs; None: everyone's."""
        wanted = select(LectureRow).where(LectureRow.school == school, LectureRow.created >= since)
        wanted = wanted if begun_by is None else wanted.where(LectureRow.begun_by == begun_by)
        newest_first = wanted.order_by(LectureRow.created.desc(), LectureRow.id).limit(limit)
        with self._reading() as transaction:
            return _with_times(transaction, transaction.scalars(newest_first).all())

    def change(self, school: str, id: UUID, change: Callable[[LectureSession], LectureSession]) -> LectureSession:
        """Apply `change` to the session under a lock; store its books, details and code; return it. Raises NotFound."""
        with self._writing() as transaction:
            row = _found(transaction, school, id, alone=True)
            changed = change(_with_times(transaction, [row])[0])
            transaction.merge(row_of(LectureRow, changed, id=row.id, stream=row.stream))
            return changed

    def create_batch(self, session: UUID, results: Sequence[WindowResult], now: datetime, *, with_words: bool = False) -> None:
        """Store the results of these windows, replacing earlier ones. Each result gets a number, higher than all of the
        session before. now: from then on, the session was last received at this time. with_words: store what was said, too.
        Raises NotFound."""
        windows = [result.window.index for result in results]
        with self._writing() as transaction:
            lecture = transaction.get(LectureRow, str(session), with_for_update=True)  # so that numbers appear in order
            if lecture is None:
                raise NotFound("no_such_session")
            for rows in (CitationRow, LectureWindowRow):
                transaction.execute(delete(rows).where(rows.session_id == str(session), rows.window_index.in_(windows)))
            transaction.add_all(_window_row(session, result, now, with_words) for result in results)
            citations = [citation for result in results for citation in result.citations]
            transaction.add_all(row_of(CitationRow, one, id=str(one.id), session_id=str(session)) for one in citations)

    def news(self, after: Mapping[UUID, int]) -> dict[UUID, LectureNews]:
        """Of each of these lectures that is there what is behind the number named. Two queries for all lectures together where
        nothing is new, else three."""
        newest = select(func.max(LectureWindowRow.window_index)).where(LectureWindowRow.session_id == LectureRow.id)
        stream = case((LectureRow.ended, LectureRow.stream), else_="")
        state = select(LectureRow.id, stream, newest.scalar_subquery())
        later = [and_(LectureWindowRow.session_id == str(id), LectureWindowRow.number > number) for id, number in after.items()]
        found = select(LectureWindowRow).where(or_(false(), *later)).order_by(LectureWindowRow.number)
        news: dict[str, list[tuple[int, WindowResult]]] = defaultdict(list)
        with self._reading() as transaction:
            states = transaction.execute(state.where(LectureRow.id.in_(map(str, after)))).all()
            rows = transaction.scalars(found).all()
            cited = _citations_of(transaction, rows)
        for row in rows:
            citations = tuple(cited[row.session_id, row.window_index])
            told = adapter(WindowResult).validate_python(row.told)
            news[row.session_id].append((row.number, replace(told, citations=citations)))
        return {UUID(id): LectureNews(news[id], after[UUID(id)], _is_over(stream, newest)) for id, stream, newest in states}

    def change_stream(self, school: str, session: UUID, step: Callable[[Stream], list[Window]]) -> list[Window]:
        """What `step` returns, which changes the state of the windowing under a lock; that holds only words that are in no
        window yet. Raises NotFound."""
        with self._writing() as transaction:
            row = _found(transaction, school, session, alone=True)
            stream = adapter(Stream).validate_json(row.stream) if row.stream else Stream()
            completed = step(stream)
            row.stream, row.ended = adapter(Stream).dump_json(stream).decode(), stream.ended
            return completed

    def list_by_session(self, school: str, session: UUID) -> list[LectureCitation]:
        """Citations by window, then rank. Raises NotFound."""
        of_session = select(CitationRow).where(CitationRow.session_id == str(session))
        with self._reading() as transaction:
            _found(transaction, school, session)
            rows = transaction.scalars(of_session.order_by(CitationRow.window_index, CitationRow.rank))
            return [fact_of(LectureCitation, row) for row in rows]

    def get_by_id(self, school: str, id: UUID) -> LectureCitation:
        """Raises NotFound."""
        wanted = select(CitationRow).join(LectureRow).where(LectureRow.school == school, CitationRow.id == str(id))
        return fact_of(LectureCitation, self._row(wanted, NotFound("no_such_citation")))

    def remove(self, school: str, id: UUID) -> None:
        """Delete the session and its citations, also from the database file. Raises NotFound."""
        self._forget(LectureRow.id, LectureRow.school == school, LectureRow.id == str(id), missing=NotFound("no_such_session"))

    def remove_before(self, created: datetime, school: str | None = None) -> int:
        """Delete the sessions of the school, else of all, that began before `created`, also from the database file; returns how
        many."""
        return self._forget(LectureRow.id, LectureRow.created < created, *of_one(LectureRow.school, school))


def _citations_of(transaction: Session, windows: Sequence[LectureWindowRow]) -> Mapping[tuple[str, int], list[LectureCitation]]:
    """Citations by lecture and index of the window, by rank."""
    cited: dict[tuple[str, int], list[LectureCitation]] = defaultdict(list)
    its = [and_(CitationRow.session_id == each.session_id, CitationRow.window_index == each.window_index) for each in windows]
    if its:
        for row in transaction.scalars(select(CitationRow).where(or_(*its)).order_by(CitationRow.rank)):
            cited[row.session_id, row.window_index].append(fact_of(LectureCitation, row))
    return cited


def _found(transaction: Session, school: str, id: UUID, *, alone: bool = False) -> LectureRow:
    """The row of a session; alone: locked until the transaction ends. Raises NotFound."""
    wanted = select(LectureRow).where(LectureRow.school == school, LectureRow.id == str(id))
    return found(transaction, wanted, NotFound("no_such_session"), alone=alone)


def _is_over(stream: str, newest: int | None) -> bool:
    """Whether all windows of a speech that has ended were searched. stream: empty until then; newest: index of a window."""
    return bool(stream) and (-1 if newest is None else newest) >= adapter(Stream).validate_json(stream).windows - 1


def _with_times(transaction: Session, rows: Sequence[LectureRow]) -> list[LectureSession]:
    """The sessions, with the time of the newest window of each."""
    of_these = LectureWindowRow.session_id.in_([row.id for row in rows])
    newest = select(func.max(LectureWindowRow.number)).where(of_these).group_by(LectureWindowRow.session_id)
    windows = select(LectureWindowRow.session_id, LectureWindowRow.told).where(LectureWindowRow.number.in_(newest))
    received = {session: datetime.fromisoformat(told["at"]) for session, told in transaction.execute(windows)}
    return [replace(fact_of(LectureSession, row), received=received.get(row.id)) for row in rows]


def _window_row(session: UUID, result: WindowResult, now: datetime, with_words: bool) -> LectureWindowRow:
    """told: the result as JSON without its citations, which have a table; of its words those that are new, where the school
    keeps transcripts."""
    window = result.window
    words = window.text[window.overlap :].strip() if with_words else ""
    stored = replace(result, window=replace(window, text=words, overlap=0), citations=(), keywords=())
    told = {**adapter(WindowResult).dump_python(stored, mode="json"), "version": VERSION, "at": now.isoformat()}
    return LectureWindowRow(session_id=str(session), window_index=window.index, told=told)
