"""Transcripts in each form, as people and programs write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chapterverse.core.errors import BadRequest
from chapterverse.lectures.transcripts import read_transcript
from tests.support.refusals import refused

SRT = "1\n00:00:01,000 --> 00:00:02,500\nThe tide rose.\n\n2\n00:00:03,000 --> 00:00:04,000\nWe left.\n"
FORMS = {
    "srt": SRT,
    "srt without numbers": SRT.replace("1\n00", "00").replace("2\n00", "00"),
    "srt with a gap below the number": SRT.replace("2\n00", "2\n\n00"),
    "vtt": "WEBVTT\nKind: captions\n\nNOTE of ours\nmore\n\nSTYLE\n::cue { color: red }\n\nintro\n"
    "00:01.000 --> 00:02.500 align:start\nThe tide rose.\n\n00:03.000 --> 00:04.000\nWe left.\n",
    "sbv": "0:00:01.000,0:00:02.500\nThe tide rose.\n\n0:00:03.000,0:00:04.000\nWe left.\n",
}


def said(text: str) -> list[str]:
    return [segment.text for segment in read_transcript(text.encode())]


def cues(*texts: str) -> str:
    return "WEBVTT\n\n" + "\n\n".join(f"00:0{at}.000 --> 00:0{at + 1}.000\n{text}" for at, text in enumerate(texts))


@pytest.mark.parametrize("form", FORMS)
def test_each_form_gives_times_and_texts(form: str) -> None:
    found = [(each.start, each.end, each.text) for each in read_transcript(FORMS[form].encode())]

    assert found == [(1.0, 2.5, "The tide rose."), (3.0, 4.0, "We left.")]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_any_encoding_and_any_end_of_line(encoding: str, end: str) -> None:
    text = SRT.replace("We left", "“Café”, we said").replace("\n", end)

    assert read_transcript(text.encode(encoding))[1].text == "“Café”, we said."


SAID = {
    "captions are put in order of time": (
        "0:00:03.000,0:00:04.000\nWe left.\n\n0:00:01.000,0:00:02.500\nThe tide rose.\n",
        ["The tide rose.", "We left."],
    ),
    "an empty line within a cue loses nothing": (
        "1\n00:01,000 --> 00:02,000\nOne.\n\nTwo.\n\n1859\n\n2\n00:03,000 --> 00:04,000\n3\n",
        ["One. Two. 1859", "3"],
    ),
    "a time without an end still begins a cue": ("0:00:01.000,0:00:02.500\nOne.\n\n0:00:03.000\nTwo.\n", ["One.", "Two."]),
    "tags go and what only looks like one stays": (
        cues("<v Prof. Vale><i>So</i> x &lt; y and y > z</v>", "a <b and <font color='red'>c</font> > d"),
        ["So x < y and y > z", "a <b and c > d"],
    ),
    "lines in brackets go and other brackets stay": (
        cues("[Music]", "♪ Well ♪\n(audience laughs)", "so it [of] is", "[0, 1] is a[i]"),
        ["Well", "so it [of] is", "[0, 1] is a[i]"],
    ),
    "the name of a speaker shows by coming again": (
        cues("PROFESSOR: One.", ">> Two.", "- Anna Lee: Three.", "PROFESSOR: Four.", "Anna Lee: Five.", "Note: six."),
        ["One.", "Two.", "Three.", "Four.", "Five.", "Note: six."],
    ),
    "captions that roll up say each line once": (
        cues(
            "\nso<00:00:00.500><c> today</c><c> we</c>",
            "so today we\n ",
            "so today we\ntalk<00:00:02.500><c> of</c><c> tides</c>",
            "talk of tides\n ",
            "talk of tides\nand talk of tides",
            "talk of tides and\ntalk of tides",
            "talk of tides and talk of tidesmen",
        ),
        ["so today we", "talk of tides", "and talk of tides", "talk of tides and talk of tidesmen"],
    ),
    "lines that grow are said once": (
        cues("so today", "so today we talk", "so today we talk of tides", "Next one."),
        ["so today", "we talk", "of tides", "Next one."],
    ),
    "what is really said twice stays": (
        cues("Okay.", "Okay.", "Okay. So what?", "So what?", "Yes."),
        ["Okay.", "Okay.", "Okay. So what?", "So what?", "Yes."],
    ),
}


@pytest.mark.parametrize(("text", "lines"), SAID.values(), ids=SAID)
def test_captions_are_read_as_they_were_spoken(text: str, lines: list[str]) -> None:
    assert said(text) == lines


def test_plain_text_is_spoken_at_the_pace_of_a_lecture() -> None:
    segments = read_transcript(("The tide rose.\n\nWe left. " + "word " * 30).encode())

    assert [len(segment.text.split()) for segment in segments] == [25, 10]
    assert (segments[1].start, segments[1].end) == (10.0, 14.0)


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (SRT.replace("00:00:03,000 -->", "00:00:0x,000 -->"), "Line 6 "),
        (SRT.replace("00:00:04,000", "00:00:02,000"), "Line 6 ends before it begins"),
        ("Hello.\n" + SRT, "Line 1 "),
    ],
)
def test_what_cannot_be_read_is_named_by_its_line(text: str, line: str) -> None:
    with pytest.raises(BadRequest) as raised:
        read_transcript(text.encode())

    assert str(raised.value).startswith(line)
    assert "rose" not in str(raised.value)


def test_a_transcript_in_which_nobody_speaks_and_what_is_no_text_is_refused() -> None:
    for data in (b"", b"\n \n", b"WEBVTT\n", b"\xef\xbb\xbf", b"[Music]"):
        with refused(BadRequest, "transcript_empty"):
            read_transcript(data)
    for data in (b"%PDF-1.7\n%\xe2", bytes(range(256)) * 8, b"\xff\xfea\x00b", b'{"segments": []}'):
        with pytest.raises(BadRequest):
            read_transcript(data)


@given(st.binary(max_size=300) | st.text(alphabet='0123:.,-> \n[]{}<>"abWEBVTT', max_size=200).map(str.encode))
def test_whatever_it_is_it_is_read_or_refused(data: bytes) -> None:
    try:
        segments = read_transcript(data)
    except BadRequest:
        return
    assert all(segment.start <= segment.end for segment in segments)
