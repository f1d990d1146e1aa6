"""All errors. Each has the id of a message and its values, and contains no text of students.

The sentence is made where it is shown, in the reader's language (messages); str(error) is English. It says who has to do what.
A RetryableError comes again by itself, with back-off, in an event or task; one that stays is an alert. The command line has six
exit codes (Exit); the exact error is in the message's id and in --json."""

import errno
import sqlite3
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from enum import IntEnum
from typing import ClassVar

from bookreader.errors import BadFile, ErrorWithReason, MessageError, PictureTooLarge, ReaderError, RecognitionNeeded, TooBusy
from chapterverse.messages import Message, Value


class Exit(IntEnum):
    """Exit code of a command."""

    DONE = 0
    FAILED = 1  # a defect or an incomplete installation: trying again changes nothing
    BAD_INPUT = 2
    NOT_FOUND = 3
    REFUSED = 4  # not allowed, or someone else was first
    TRY_AGAIN = 5  # a service is unavailable or busy


class ChapterverseError(MessageError):
    """Base of all errors. status: of HTTP; exit_code: of the command line."""

    status: ClassVar[int] = 500
    exit_code: ClassVar[Exit] = Exit.FAILED

    @property
    def values(self) -> Mapping[str, Value]:
        return self.message.values

    @property
    def code(self) -> str:
        """Kind of error, stable for programs, e.g. "not_found"."""
        return code_of(type(self))


def code_of(error: type[ChapterverseError]) -> str:
    """Error code of a class: "not_found" for NotFound. BadBook has its reason as the code."""
    return "".join("_" + c.lower() if c.isupper() else c for c in error.__name__).lstrip("_")


class PermanentError(ChapterverseError):
    """Trying again changes nothing."""


class BadRequest(PermanentError):
    """The input is not usable."""

    status, exit_code = 400, Exit.BAD_INPUT


class Unauthenticated(PermanentError):
    """The key or token is missing, invalid or expired."""

    status, exit_code = 401, Exit.REFUSED


class Forbidden(PermanentError):
    """The key or token is valid, but does not allow this."""

    status, exit_code = 403, Exit.REFUSED


class NotFound(PermanentError):
    """The thing named does not exist here."""

    status, exit_code = 404, Exit.NOT_FOUND


class TooLarge(PermanentError):
    """The input exceeds a limit, which the message names."""

    status, exit_code = 413, Exit.BAD_INPUT


class BadBook(ErrorWithReason, PermanentError):
    """The file is not usable.

    reason: that of the reader's BadFile."""

    status, exit_code = 422, Exit.BAD_INPUT

    @property
    def code(self) -> str:
        return self.reason


class NotInBook(PermanentError):
    """A correction names a chapter or page that the book does not have."""

    status, exit_code = 422, Exit.NOT_FOUND


class TakenByAnother(PermanentError):
    """Someone else has the conversation."""

    status, exit_code = 409, Exit.REFUSED


class ChangedMeanwhile(PermanentError):
    """Someone else changed it since the caller read it."""

    status, exit_code = 409, Exit.REFUSED


class DimensionMismatch(PermanentError):
    """The index was made with another embedding model."""


class CatalogOutdated(PermanentError):
    """The catalogue's tables lack what cannot be added to them."""


class ModelUnavailable(PermanentError):
    """The weights of a model are missing and cannot be fetched."""


class ModelRefused(PermanentError):
    """The language model refused to answer."""

    status = 502


class SignInRefused(ErrorWithReason, PermanentError):
    """Sign-in with the school's account failed.

    reason: stale, refused, invalid, stranger, unverified."""

    status, exit_code = 403, Exit.REFUSED


class PlatformRefused(PermanentError):
    """The learning platform refused, or its response violates the standard."""

    status, exit_code = 502, Exit.REFUSED


class RetryableError(ChapterverseError):
    """The call may succeed later. retry_after: seconds, for HTTP's Retry-After."""

    status, exit_code = 503, Exit.TRY_AGAIN

    def __init__(self, id: str | Message, /, *, retry_after: int = 5, **values: object) -> None:
        super().__init__(id, **values)
        self.retry_after = retry_after


class IndexUnavailable(RetryableError):
    """The vector index does not answer or is incomplete."""


class EmbedderUnavailable(RetryableError):
    """The embedding model does not answer."""


class CatalogUnavailable(RetryableError):
    """The catalog's database does not answer or is locked."""


class BookBusy(RetryableError):
    """The book is being added, removed or rebuilt."""

    status = 409


class BucketUnavailable(RetryableError):
    """The object store does not answer."""


class StorageFull(RetryableError):
    """The disk is full; nothing was stored."""

    status = 507


class RecognitionElsewhere(RetryableError):
    """Pages of the file need text recognition, which this process leaves to another one."""


class QueueUnavailable(RetryableError):
    """The task queue does not answer."""


class RateLimited(RetryableError):
    """A key exceeded its rate limit."""

    status = 429


class Overloaded(RetryableError):
    """Too many requests at once."""

    status = 429


class CertsUnavailable(RetryableError):
    """The public keys for checking callers' tokens cannot be fetched."""


class LanguageModelUnavailable(RetryableError):
    """The language model does not answer; the call costs nothing."""


class LanguageModelUnusable(LanguageModelUnavailable):
    """The language model cannot be called until the operator acts; the message says how."""


class BadAnswer(RetryableError):
    """The answer of the language model is late, incomplete or invalid."""

    status = 502


class CeilingReached(RetryableError):
    """The daily cost ceiling of the school's language model is reached."""


class EssayBusy(RetryableError):
    """Another process is writing feedback on the same essay of a batch."""

    status = 409


class StillPredicting(RetryableError):
    """The batch prediction has not ended yet."""


class PostUnavailable(RetryableError):
    """The mail server does not accept mail."""


class ProviderUnavailable(RetryableError):
    """The school's own sign-in does not answer correctly."""


class PlatformUnavailable(RetryableError):
    """The learning platform does not answer."""


@contextmanager
def reader_errors_as_ours() -> Iterator[None]:
    """Turn errors of the package that reads books into ours."""
    try:
        yield
    except ReaderError as error:
        raise of_reader(error) from error


def of_reader(error: ReaderError) -> ChapterverseError:
    """Our error for one of the package that reads books."""
    match error:
        case BadFile():
            return BadBook(error.reason, error.message)
        case PictureTooLarge():
            return TooLarge(error.message)
        case RecognitionNeeded():
            return RecognitionElsewhere(error.message)
        case TooBusy():
            return Overloaded(error.message)
        case _:
            return PermanentError(error.message)


FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


def is_about_full_disk(error: BaseException) -> bool:
    """Whether the disk is full, by the error or one that caused it."""
    return is_about_disk(error, FULL, "database or disk is full")


def is_about_disk(error: BaseException | None, numbers: Set[int], words: str) -> bool:
    """Whether the error, or one that caused it, has one of these numbers, or is SQLite's and has these words."""
    while error is not None:
        if isinstance(error, OSError) and error.errno in numbers:
            return True
        if isinstance(error, sqlite3.Error) and words in str(error):
            return True
        error = error.__cause__
    return False
