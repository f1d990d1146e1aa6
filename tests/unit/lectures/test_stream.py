from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from chapterverse.lectures.model import Segment, Window
from chapterverse.lectures.windows import CORRECTABLE, Stream, all_windows

KEPT = TypeAdapter(Stream)


def segment(number: int, text: str) -> Segment:
    return Segment(f"s{number}", number * 4.0, number * 4.0 + 4, text)


def spoken(sentences: int) -> list[Segment]:
    return [
        segment(number, f"This is sentence number {number} of what somebody tells a class of students. ")
        for number in range(sentences)
    ]


def heard(groups: list[list[Segment]]) -> tuple[Stream, list[Window]]:
    """Handed in group by group, kept and read again in between."""
    stream, windows = Stream(), list[Window]()
    for group in groups:
        stream, more = KEPT.validate_json(KEPT.dump_json(stream)).push(group)
        windows += more
    stream, last = stream.flush()
    return stream, [*windows, *last]


@given(st.lists(st.integers(0, 90), max_size=12))
def test_however_it_is_parted_the_windows_are_those_of_the_whole(cuts: list[int]) -> None:
    segments = spoken(90)
    groups = [segments[start:end] for start, end in pairwise([0, *sorted(cuts), len(segments)])]

    assert heard(groups)[1] == all_windows(segments)


def test_what_is_kept_does_not_grow_with_the_lecture() -> None:
    stream, _ = heard([[each] for each in spoken(400)])

    assert len(stream.buffer.taken) <= CORRECTABLE + 8
    assert len(KEPT.dump_json(stream)) < 20_000


def test_a_segment_of_long_ago_that_comes_again_changes_nothing() -> None:
    segments = spoken(90)
    stream, _ = Stream().push(segments)

    assert stream.push([segments[3]]) == (stream, [])


def test_a_lecture_that_goes_on_after_its_end_has_not_ended() -> None:
    stream, _ = Stream().push(spoken(3))
    stream, _ = stream.flush()
    assert stream.ended

    assert not stream.push([segment(9, "And one more thing.")])[0].ended


def test_after_the_end_no_word_is_kept() -> None:
    stream, _ = Stream().push([segment(at, f"Sentence number {at} is said here.") for at in range(40)])
    ended, windows = stream.flush()

    assert windows
    assert "Sentence" not in TypeAdapter(Stream).dump_json(ended).decode()
    assert ended.push([segment(3, "Sentence number 3 is said here.")])[1] == []
