"""Everything that can go wrong. Each message says what to do and holds no student text.

ChapterverseError                HTTP  exit  who acts
    PermanentError                           never retried
        BadRequest                400     2  the caller, from the message
        Unauthenticated           401    20  the caller: a valid key or token
        Forbidden                 403    21  the caller: a key of a wider scope
        NotFound                  404     3  the caller
        TooLarge                  413     4  the caller, from the limit named
        BadBook                   422     5  the teacher; code says why: not_a_pdf, damaged, encrypted, no_pages, no_text,
                                             too_many_bytes, too_many_pages, too_many_words, too_slow, too_much_memory,
                                             unsafe_archive, bad_entries,
                                             cannot_draw (a page of it)
        NotInBook                 422    22  the teacher, from the message
        TakenByAnother            409    30  the agent: another one has the conversation
        ChangedMeanwhile          409    36  the teacher, who has another look
        DimensionMismatch         500     6  us: the wrong model for this index
        ModelUnavailable          500     7  the operator: no weights for the model named
        ModelRefused              502    23  nobody: feedback is then written by rules
        SignInRefused             403    32  whoever comes by a school's account; reason says why: stale, refused, invalid,
                                             stranger, unverified
        PlatformRefused           502    34  the school: what the learning platform lets us do
    RetryableError                           raised: retried with back-off
        IndexUnavailable          503    10  the platform, then an alert
        EmbedderUnavailable       503    11  the platform, then an alert
        CatalogUnavailable        503    12  the platform, then an alert
        BookBusy                  409    13  the caller, when the other has finished
        BucketUnavailable         503    14  the platform, then an alert
        QueueUnavailable          503    15  the platform, then an alert
        RateLimited               429    16  the caller, after Retry-After
        Overloaded                429    17  the caller, after Retry-After; the platform adds instances
        CertsUnavailable          503    18  the platform, then an alert
        LanguageModelUnavailable  503    19  the platform; feedback is then written by rules
        BadAnswer                 502    24  us, once, if there is time; then as above
        CeilingReached            503    25  the operator: the ceiling; until tomorrow rules write
        EssayBusy                 409    26  nobody: whoever is at work on the essay brings it to its end
        ProofreaderUnavailable    503    27  the operator; feedback then says that grammar was not checked
        StillPredicting           503    28  nobody: it is asked again until the batch prediction has ended
        PostUnavailable           503    29  the operator: the server that takes letters
        ProviderUnavailable       503    33  the operator: the school's own sign-in, or what is set of it
        PlatformUnavailable       503    31  the school: the learning platform does not answer
"""

from typing import ClassVar


class ChapterverseError(Exception):
    """Base of all our errors; status is the HTTP status, exit_code that of the command line."""

    status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 1

    @property
    def code(self) -> str:
        """A stable name for programs, e.g. "not_found"."""
        return code_of(type(self))


def code_of(error: type[ChapterverseError]) -> str:
    """That of errors of this kind, unless they have reasons of their own (BadBook)."""
    return "".join("_" + c.lower() if c.isupper() else c for c in error.__name__).lstrip("_")


class PermanentError(ChapterverseError):
    """Trying again changes nothing."""


class BadRequest(PermanentError):
    """The input is not usable as it is."""

    status, exit_code = 400, 2


class Unauthenticated(PermanentError):
    """No key or token, or one that is not valid (any more)."""

    status, exit_code = 401, 20


class Forbidden(PermanentError):
    """The key or token is valid, but not for this."""

    status, exit_code = 403, 21


class NotFound(PermanentError):
    """What was named does not exist here."""

    status, exit_code = 404, 3


class TooLarge(PermanentError):
    """The input is beyond a limit, which the message names."""

    status, exit_code = 413, 4


class BadBook(PermanentError):
    """The file cannot become a book; `reason` is a stable code (see the table above), the message says what to do."""

    status, exit_code = 422, 5

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason

    @property
    def code(self) -> str:
        return self.reason


class NotInBook(PermanentError):
    """A correction is of a chapter or a page that the book does not have."""

    status, exit_code = 422, 22


class TakenByAnother(PermanentError):
    """Somebody else has taken what one alone may have."""

    status, exit_code = 409, 30


class ChangedMeanwhile(PermanentError):
    """Somebody else has changed it since the caller saw it."""

    status, exit_code = 409, 36


class DimensionMismatch(PermanentError):
    """The index was made with another embedding model."""

    status, exit_code = 500, 6


class ModelUnavailable(PermanentError):
    """The weights of a model are not here and cannot be fetched."""

    status, exit_code = 500, 7


class ModelRefused(PermanentError):
    """The language model would not answer this."""

    status, exit_code = 502, 23


class SignInRefused(PermanentError):
    """Nobody is signed in by the school's account; `reason` is a stable code (see the table above)."""

    status, exit_code = 403, 32

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class PlatformRefused(PermanentError):
    """The learning platform does not let us do this, or does not answer as the standard says."""

    status, exit_code = 502, 34


class RetryableError(ChapterverseError):
    """The same call may succeed later. retry_after: seconds after which to try, for HTTP's Retry-After."""

    status, exit_code = 503, 9

    def __init__(self, message: str = "", retry_after: int = 5) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class IndexUnavailable(RetryableError):
    """The vector index does not answer or is not whole."""

    exit_code = 10


class EmbedderUnavailable(RetryableError):
    """The embedding model does not answer."""

    exit_code = 11


class CatalogUnavailable(RetryableError):
    """The catalog's database does not answer or is held by somebody else."""

    exit_code = 12


class BookBusy(RetryableError):
    """Somebody else is adding, removing or rebuilding the same book just now."""

    status, exit_code = 409, 13


class BucketUnavailable(RetryableError):
    """The object store does not answer."""

    exit_code = 14


class QueueUnavailable(RetryableError):
    """The task queue does not answer."""

    exit_code = 15


class RateLimited(RetryableError):
    """A key has called more often than it may."""

    status, exit_code = 429, 16


class Overloaded(RetryableError):
    """More is being asked at once than is taken in."""

    status, exit_code = 429, 17


class CertsUnavailable(RetryableError):
    """The public keys that callers' tokens are checked with cannot be fetched."""

    exit_code = 18


class LanguageModelUnavailable(RetryableError):
    """The language model does not answer; nothing was written, so nothing is owed."""

    exit_code = 19


class BadAnswer(RetryableError):
    """What the language model answered cannot be used: it is late, broke off, or is not what was asked for."""

    status, exit_code = 502, 24


class CeilingReached(RetryableError):
    """A school's language model has cost what it may in a day."""

    exit_code = 25


class EssayBusy(RetryableError):
    """Somebody else is at work on the same essay of a batch."""

    status, exit_code = 409, 26


class ProofreaderUnavailable(RetryableError):
    """The grammar checker does not answer, or something else does."""

    exit_code = 27


class StillPredicting(RetryableError):
    """The batch prediction that writes for a batch has not ended yet."""

    exit_code = 28


class PostUnavailable(RetryableError):
    """The server that takes letters does not."""

    exit_code = 29


class ProviderUnavailable(RetryableError):
    """The school's own sign-in does not answer, or not as it should."""

    exit_code = 33


class PlatformUnavailable(RetryableError):
    """The learning platform does not answer."""

    exit_code = 31
