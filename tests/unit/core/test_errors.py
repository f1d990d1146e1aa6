import pickle
from collections.abc import Iterator

from chapterverse.core import errors
from chapterverse.core.errors import BadBook, BadRequest, ChapterverseError, Exit, RateLimited, RetryableError, TooLarge
from chapterverse.messages import message


def tree(root: type[ChapterverseError]) -> Iterator[type[ChapterverseError]]:
    for child in root.__subclasses__():
        yield child
        yield from tree(child)


def test_the_command_line_has_six_exit_codes() -> None:
    assert list(Exit) == [0, 1, 2, 3, 4, 5]
    assert {error.exit_code for error in tree(ChapterverseError)} == set(Exit) - {Exit.DONE}
    assert {error.exit_code for error in tree(RetryableError)} == {Exit.TRY_AGAIN}


def test_an_error_goes_by_its_class_or_reason_reads_as_english_and_is_the_same_in_another_process() -> None:
    assert errors.IndexUnavailable("index_incomplete").code == "index_unavailable"
    assert BadBook("encrypted", "pdf_has_password").code == "encrypted"

    error = TooLarge("essay_too_long", words=12_000, max_words=10_000)
    assert (error.id, error.values) == ("essay_too_long", {"words": 12_000, "max_words": 10_000})
    assert str(error) == "The essay has 12,000 words; the limit is 10,000. Shorten it, or submit only part of it."

    limited = pickle.loads(pickle.dumps(RateLimited("rate_limited", who=message("this_key"), retry_after=9)))
    damaged = pickle.loads(pickle.dumps(BadBook("damaged", "zip_damaged")))
    assert (limited.id, limited.retry_after) == ("rate_limited", 9)
    assert (damaged.id, damaged.reason) == ("zip_damaged", "damaged")
    assert BadRequest(damaged.message).id == "zip_damaged"  # a message may be that of another error
