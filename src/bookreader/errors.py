"""All errors of the reader; programs make theirs of the same bases. Each has a message, a sentence's id and its values."""

from bookreader.messages import Message, message


class MessageError(Exception):
    """Base of errors with a message, by its id and values, or whole, e.g. of another error."""

    def __init__(self, id: str | Message, /, **values: object) -> None:
        self.message = id if isinstance(id, Message) else message(id, **values)
        super().__init__(self.message)

    def __str__(self) -> str:
        return str(self.message)

    @property
    def id(self) -> str:
        """Id of the message, stable for programs, e.g. "pdf_empty"."""
        return self.message.id


class ErrorWithReason(MessageError):
    """Base of errors with a `reason`, a stable code."""

    def __init__(self, reason: str, id: str | Message, /, **values: object) -> None:
        super().__init__(id, **values)
        self.args = (reason, self.message)
        self.reason = reason


class ReaderError(MessageError):
    """Base of all errors of this package."""


class BadFile(ErrorWithReason, ReaderError):
    """The file cannot become a book; the message says what to do.

    reason: not_a_pdf, damaged, encrypted, no_pages, no_text, no_language, too_many_bytes, too_many_pages, too_many_words,
    too_slow, too_much_memory, too_complex, unsafe_archive, bad_entries, not_recognized, cannot_draw (a page of it)."""


class PictureTooLarge(ReaderError):
    """A page would have too many pixels."""


class RecognitionFailed(ReaderError):
    """The text recognition ended without a result for a page."""


class TooBusy(ReaderError):
    """The machine had too much else to do: the same file may be read later."""


class RecognitionNeeded(ReaderError):
    """Pages of the file need text recognition, which this process leaves to another one."""
