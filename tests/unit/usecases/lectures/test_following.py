"""What windows found, in the order of where the lecture is."""

from datetime import UTC, datetime
from uuid import UUID

import numpy as np

from chapterverse.model import BookId, Hit, LectureSession, Record, SentenceId, Window
from chapterverse.usecases.lectures.following import Following

ONE = LectureSession(UUID(int=1), "school", datetime(2026, 1, 1, tzinfo=UTC))
OTHER = LectureSession(UUID(int=2), "school", datetime(2026, 1, 1, tzinfo=UTC))


def hit(number: int, score: float) -> Hit:
    id = SentenceId(f"0123456789abcdef-paragraph-24-254-{number:05d}")
    record = Record(id, BookId("book"), "0123456789abcdef", None, "", "", None, None)
    return Hit(record, score, np.ones(1, np.float32))


def found(number: int, score: float = 0.8) -> list[Hit]:
    return [hit(number, score), *(hit(other, 0.1) for other in range(40) if other != number)]


def window(index: int) -> Window:
    return Window(index, 0.0, 1.0, "")


def lecture(following: Following, numbers: range, session: LectureSession = ONE) -> None:
    following(session, [window(index) for index in range(len(numbers))], [found(number) for number in numbers])


def doubtful() -> list[Hit]:
    """30 and 12 score alike, 30 a little better."""
    return [hit(30, 0.82), hit(12, 0.8), *(hit(other, 0.1) for other in range(12))]


def test_a_session_is_followed_from_window_to_window_and_no_other_one() -> None:
    following = Following(least=0.4, sure=0.0)
    lecture(following, range(2, 12))

    [here] = following(ONE, [window(10)], [doubtful()])
    [elsewhere] = following(OTHER, [window(10)], [doubtful()])

    assert here[0].record.id.endswith("00012")
    assert elsewhere[0].record.id.endswith("00030")


def test_a_lecture_that_begins_anew_is_not_where_it_ended() -> None:
    following = Following(least=0.4, sure=0.0)
    lecture(following, range(2, 12))

    [again] = following(ONE, [window(0)], [doubtful()])

    assert again[0].record.id.endswith("00030")


def test_a_window_that_is_asked_once_more_gets_the_same_again() -> None:
    following = Following(least=0.4, sure=0.0)
    lecture(following, range(2, 6))

    assert following(ONE, [window(4)], [doubtful()]) == following(ONE, [window(4)], [doubtful()])


def test_a_window_that_comes_too_late_does_not_move_the_lecture() -> None:
    following, undisturbed = Following(least=0.4, sure=0.0), Following(least=0.4, sure=0.0)
    for each in (following, undisturbed):
        lecture(each, range(2, 12))
    following(ONE, [window(3)], [found(35)])

    assert following(ONE, [window(10)], [doubtful()]) == undisturbed(ONE, [window(10)], [doubtful()])


def test_what_scores_too_low_or_might_stand_anywhere_is_cited_nowhere() -> None:
    everywhere = [hit(number, 0.5) for number in range(40)]

    told = Following(least=0.4, sure=0.5)(ONE, [window(0), window(1), window(2)], [found(3, 0.35), everywhere, found(3)])

    assert [bool(its) for its in told] == [False, False, True]


def test_where_nothing_was_found_nothing_is_cited() -> None:
    assert Following(least=0.4, sure=0.5)(ONE, [window(0)], [[]]) == [[]]
