"""Windows over what is said, however it arrives (S3, "Sliding Window Logic")."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from chapterverse.lectures.model import Segment, Window
from chapterverse.lectures.windows import Stream, all_windows, ends_sentence

WORDS = [
    "the", "law", "of", "a", "sum", "is", "so.", "and", "then,", "why?", "Dr.", "Lin", "etc.", "stop!",
    "well...", "Mill", "U.S.", "3.", "(yes)", "—", "it", "no.",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)
LONG = st.sampled_from([1, 4, 40, 90]).flatmap(
    lambda n: st.lists(st.sampled_from(["so", "we", "go,"]), min_size=n, max_size=n + 70)
)


@st.composite
def lectures(draw: st.DrawFn) -> list[Segment]:
    """Segments in order, none shorter than a breath, with pauses."""
    texts = draw(st.lists(st.one_of(TEXTS, LONG.map(" ".join)), max_size=20))
    segments, now = list[Segment](), 0.0
    for at, text in enumerate(texts):
        start = now + draw(st.sampled_from([0.0, 0.3, 2.0, 9.0]))
        now = start + draw(st.sampled_from([1.5, 4.0, 7.5]))
        segments.append(Segment(f"s{at}", start, now, text))
    return segments


def sentence(words: int, stop: str = ".") -> str:
    """With a comma now and then, as whoever sets stops sets those, too."""
    return " ".join(["word," if at % 10 == 9 else "word" for at in range(words - 1)] + ["last" + stop])


def spoken(*texts: str, pause: float = 0.0) -> list[Segment]:
    """Three words a second."""
    segments, now = list[Segment](), 0.0
    for at, text in enumerate(texts):
        end = now + max(1, len(text.split())) / 3
        segments.append(Segment(f"s{at}", now, end, text))
        now = end + pause
    return segments


def lengths(windows: list[Window]) -> list[int]:
    return [len(window.text.split()) for window in windows]


@given(lectures())
def test_windows_of_30_to_150_words_overlap_and_lose_or_repeat_no_word(segments: list[Segment]) -> None:
    windows = all_windows(segments)
    counts = lengths(windows)

    new = (window.text[window.overlap :] for window in windows)
    assert " ".join(new).split() == [word for segment in segments for word in segment.text.split()]
    assert all(count <= 150 for count in counts)
    assert all(count >= 30 for count in counts[:-1])
    assert all(after.text.startswith(after.text[: after.overlap]) for after in windows)
    assert all(before.text.endswith(after.text[: after.overlap]) for before, after in pairwise(windows))
    assert [window.index for window in windows] == list(range(len(windows)))
    assert all_windows([segment for segment in segments for _ in range(2)]) == windows  # one that comes twice counts once


@given(lectures(), st.integers(1, 9))
def test_how_speech_is_cut_into_segments_does_not_matter_where_nobody_pauses(segments: list[Segment], size: int) -> None:
    words = [word for segment in segments for word in segment.text.split()]
    text = lambda many: [window.text for window in all_windows(many)]  # noqa: E731

    in_pieces = [" ".join(words[at : at + size]) for at in range(0, len(words), size)]
    assert text(spoken(*in_pieces)) == text(spoken(" ".join(words)))


def test_a_window_closes_with_its_last_word_not_later() -> None:
    stream, windows = Stream(), list[Window]()
    for segment in spoken(sentence(12), sentence(12), sentence(12)):
        assert windows == []
        windows = stream.push([segment])

    assert lengths(windows) == [36]


def test_two_sentences_are_enough_where_they_are_long_three_or_more_where_they_are_short() -> None:
    assert lengths(all_windows(spoken(*[sentence(30)] * 4)))[:2] == [60, 60]
    assert lengths(all_windows(spoken(*[sentence(12)] * 7)))[:3] == [36, 36, 36]
    assert lengths(all_windows(spoken(*["Yes. No."] * 40)))[0] == 30


def test_the_overlap_is_the_last_sentence_or_what_fits_of_its_end() -> None:
    short = [f"{word} {sentence(15)}" for word in ("One", "Two", "Three")]
    _, second, *_ = all_windows(spoken(*short, *[sentence(20)] * 3))

    assert second.text[: second.overlap] == "Three " + sentence(15)
    windows = all_windows(spoken(sentence(20), sentence(100), sentence(120)))

    assert lengths(windows) == [120, 150]
    assert windows[1].text[: windows[1].overlap] == " ".join(sentence(100).split()[-30:])


def test_a_sentence_of_up_to_150_words_stays_whole_and_a_longer_one_is_split() -> None:
    whole = all_windows(spoken(*["so we go on," * 1] * 36 + ["until it ends."]))
    split = all_windows(spoken(*["so we go on,"] * 60 + ["until it ends."]))

    assert lengths(whole) == [147]
    assert len(split) > 2
    assert max(lengths(split)) <= 150


def test_speech_without_marks_is_cut_by_count_and_at_pauses() -> None:
    counts = lengths(all_windows(spoken(*["so we go on and on and on"] * 60)))
    paused = all_windows(spoken(*["so we go on and on and on and so it goes"] * 30, pause=1.2))

    assert all(30 <= count <= 90 for count in counts)
    assert all(window.text.endswith("goes") for window in paused)


def test_marks_may_begin_and_stop_in_the_middle_of_a_lecture() -> None:
    raw, marked = ["and so we go on to the next one"] * 30, [sentence(15)] * 20
    windows = all_windows(spoken(*raw, *marked, *raw))

    assert max(lengths(windows)) <= 90
    assert any(window.text.count("last.") == 3 and window.text.startswith("word") for window in windows)


def test_a_window_names_its_segments_and_has_the_times_of_its_words_within_them() -> None:
    first, second = all_windows([Segment("a", 10, 40, sentence(20) + " " + sentence(40)), Segment("b", 40, 50, sentence(20))])
    assert (first.segments, second.segments) == (("a",), ("a", "b"))

    assert (first.start, first.end) == pytest.approx((10.0, 40.0))
    assert (second.start, second.end) == pytest.approx((20.0, 50.0))


KEPT = TypeAdapter(Stream)


@given(lectures(), st.lists(st.integers(0, 20), max_size=5))
def test_however_the_requests_part_it_the_windows_are_those_of_the_whole(segments: list[Segment], cuts: list[int]) -> None:
    stream, windows = Stream(), list[Window]()
    for start, end in pairwise([0, *sorted(cuts), len(segments)]):
        stream = KEPT.validate_json(KEPT.dump_json(stream))
        windows += stream.push(segments[start:end])

    assert [*windows, *stream.flush()] == all_windows(segments)


def test_a_lecture_may_go_on_after_its_end_of_which_no_word_is_kept() -> None:
    stream, first = Stream(), spoken(*["Sentence number three is said here."] * 40)
    stream.push(first)

    assert stream.flush()
    assert stream.ended
    assert b"Sentence" not in KEPT.dump_json(stream)
    assert stream.push([first[3]]) == []
    assert not stream.ended


SAID = [
    "The rain stopped.| Was it over?| It was!| They left.|",
    "we saw dr. Lin and Dr. Ames and Prof. Odum today.| so what?|",
    "Boats, nets, etc. And then the sea.| It rose.|",
    "I think... The sea is rising… We wait.|",
    "all in lower case.| no capitals at all.| still three sentences.|",
    "He moved to the U.S. Senate and stayed in the U.S.| The end.|",
    "Look at Fig. 3 and p. 12 now.| J. S. Mill wrote it.|",
    "1. The first point is this.| It was in 1859.| Then came 3.5 more.| Don't.| Go.|",
    'He said "no."| She said (why not?)| Then [laughs] nothing.|',
    "Is it so ?| It is .|",
    "a word with no mark and another",
]


@pytest.mark.parametrize("marked", SAID)
def test_sentences_end_where_a_listener_would_say(marked: str) -> None:
    assert cut(marked.replace("|", "")) == marked


def cut(text: str) -> str:
    words, sentence, out = text.split(), list[str](), list[str]()
    for word, following in zip(words, [*words[1:], "The"], strict=True):
        sentence.append(word)
        ends = ends_sentence(sentence) if ends_sentence(sentence) is not None else ends_sentence(sentence, following)
        out.append(word + "|" if ends else word)
        sentence = [] if ends else sentence
    return " ".join(out)


def test_only_after_what_may_be_short_for_something_the_next_word_is_waited_for() -> None:
    assert [ends_sentence(["a", word]) for word in ("theorem.", "why?", "stop!", "done.)")] == [True] * 4
    assert [ends_sentence(["a", word]) for word in ("U.S.", "St.", "x.", "no.")] == [None] * 4
