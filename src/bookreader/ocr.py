"""Text recognition by Tesseract, a program that the operating system brings (Debian: tesseract-ocr, tesseract-ocr-deu), or by
RapidOCR (extra `ocr`), whose models come inside its package and run on ONNX Runtime."""

import csv
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from itertools import groupby
from queue import SimpleQueue
from shutil import which
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from bookreader.errors import RecognitionFailed
from bookreader.numerals import from_roman

Picture = NDArray[np.uint8]
"""A page as grey values, (height, width), 0 black to 255 white."""


class RecognizedWord(NamedTuple):
    """A word and its box in pixels of the picture. confidence: 0 to 1."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    confidence: float


class TextRecognizer(Protocol):
    """Reads the text in pictures of pages (OCR); tests/contract/test_text_recognizer.py. Safe for threads."""

    @property
    def engine(self) -> str:
        """Name of the engine, e.g. "Tesseract"."""

    @property
    def dpi(self) -> int:
        """Pixels per inch of the pictures that it reads best."""

    @property
    def megabytes(self) -> int:
        """MiB of address space that it takes in this process, with two pages at a time."""

    def lines(self, picture: Picture, language: str = "") -> list[list[RecognizedWord]]:
        """The words of each line, left to right; lines in any order, none for a blank page. The lines of the picture are level.

        language: "en" or "de"; "" if unknown, as any other is treated. Raises RecognitionFailed."""


def installed_recognizer() -> TextRecognizer | None:
    """The recognizer of this machine: Tesseract, which takes a third of the time, else RapidOCR; None without either."""
    return tesseract() or rapid_ocr()


SECONDS = 300.0  # for one page, which takes 1 to 3; on a machine with much else to do, many times that
LANGUAGES = {"en": "eng", "de": "deu"}
WORD = "5"  # a row's level
STROKES = frozenset({"l", "!"})


def tesseract() -> "Tesseract | None":
    """The program on this machine; None if it is not installed."""
    program = which("tesseract")
    return Tesseract(program) if program else None


@dataclass(frozen=True)
class Tesseract:
    """TextRecognizer that starts the program once per page, in one thread: two pages at a time are faster than two threads."""

    program: str
    engine: str = "Tesseract"
    dpi: int = 300  # small letters are then 20 pixels high or more, as its makers ask for
    megabytes: int = 0  # it is a process of its own

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """The languages installed that we ask for, by Tesseract's names; any other one if there is none of them."""
        done = self._run([self.program, "--list-langs"], b"")
        found = done.decode().split("\n")[1:]
        wanted = tuple(name for name in LANGUAGES.values() if name in found)
        return wanted or tuple(name for name in found if name and name != "osd")[:1]

    def lines(self, picture: Picture, language: str = "") -> list[list[RecognizedWord]]:
        wanted = LANGUAGES.get(language, "")
        chosen = wanted if wanted in self.languages else "+".join(self.languages)
        command = [self.program, "-", "-", "-l", chosen, "--dpi", str(self.dpi), "tsv"]
        height, width = picture.shape
        grey_map = b"P5\n%d %d\n255\n" % (width, height) + picture.tobytes()  # PGM
        return lines_of(self._run(command, grey_map).decode(), language)

    def _run(self, command: list[str], given: bytes) -> bytes:
        environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
        try:
            done = subprocess.run(  # noqa: S603  # the path comes from the system, the rest is ours
                command, input=given, capture_output=True, env=environment, timeout=SECONDS, check=True
            )
        except subprocess.TimeoutExpired as error:
            raise RecognitionFailed("recognition_too_slow", seconds=round(SECONDS)) from error
        except (OSError, subprocess.SubprocessError) as error:
            raise RecognitionFailed("recognition_broke_off") from error
        return done.stdout


def lines_of(table: str, language: str) -> list[list[RecognizedWord]]:
    """Tesseract's table of words, by line."""
    rows = csv.DictReader(table.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    words = [row for row in rows if row["level"] == WORD and row["text"].strip()]
    by_line = groupby(words, key=lambda row: (row["block_num"], row["par_num"], row["line_num"]))
    return [list(words_of(list(row), language)) for _, row in by_line]


def words_of(rows: Sequence[dict[str, str]], language: str) -> Iterator[RecognizedWord]:
    """The words in rows of the table; Tesseract's confidence is a percentage.

    It takes a narrow capital I for a rule, which prose does not have, and in English for other strokes that are no word; in the
    number of a chapter, which begins its line, for a small l."""
    for i, row in enumerate(rows):
        x, y, width, height = (float(row[name]) for name in ("left", "top", "width", "height"))
        text = row["text"].strip().replace("|", "I")
        text = "I" if language == "en" and text in STROKES else text
        text = numeral_of(text) if i == 0 and not (len(rows) > 1 and rows[1]["text"][:1].islower()) else text
        yield RecognizedWord(text, x, y, x + width, y + height, min(1.0, max(0.0, float(row["conf"]) / 100)))


def numeral_of(text: str) -> str:
    """A roman number without the small letters that were read in it ("Il": "II"); any other word as it is."""
    number = text.replace("l", "I")
    return number if number.isupper() and not text.isupper() and from_roman(number.strip(".").lower()) else text


OPTIONS = {
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,  # two pages at a time are faster than two threads
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
    "Global.log_level": "critical",
    "Global.return_word_box": True,
    "Global.use_cls": False,  # of lines upside down: the page is turned before
}


def rapid_ocr() -> "RapidOcr | None":
    """The engine; None if its package is not installed."""
    return RapidOcr() if find_spec("rapidocr") else None


@dataclass(frozen=True)
class RapidOcr:
    """TextRecognizer by two models: one finds the lines, one reads them. Its letters stand in a row without boxes of their own,
    so a word's box is right within half a letter."""

    engine: str = "RapidOCR"
    dpi: int = 150  # it makes every line 48 pixels high itself; more pixels take longer and are read no better
    megabytes: int = 2048  # 1,700 were seen
    _idle: SimpleQueue[Any] = field(default_factory=SimpleQueue)  # a loaded engine serves one thread at a time

    def lines(self, picture: Picture, language: str = "") -> list[list[RecognizedWord]]:  # noqa: ARG002  # one model for all
        reader = None
        try:
            reader = self._idle.get() if not self._idle.empty() else rapid_reader()
            found = reader(np.repeat(picture[:, :, np.newaxis], 3, axis=2))
        except Exception as error:  # its errors have no base of their own
            no_memory = isinstance(error, MemoryError) or "alloc" in str(error).lower()
            raise RecognitionFailed("recognition_no_memory" if no_memory else "recognition_broke_off") from error
        finally:
            if reader:
                self._idle.put(reader)
        return [line for words in found.word_results if (line := rapid_words(words))] if found.txts else []


def rapid_reader() -> Any:
    """RapidOCR with its models."""
    os.environ["ORT_DISABLE_TELEMETRY"] = "1"  # before the import, or ONNX Runtime reports to its maker
    from rapidocr import RapidOCR

    return RapidOCR(params=OPTIONS)


UNPARTED = re.compile(r"(?<=[,;!?])(?=[^\W\d_])|(?<=[.,;:!?][\"”’)])(?=\w)")  # where a blank is missing: begun,"says


def rapid_words(found: Any) -> list[RecognizedWord]:
    """A line of its words, each (text, confidence, four corners)."""
    words = []
    for text, confidence, corners in found:
        (x0, x1), (y0, y1) = ((min(axis), max(axis)) for axis in zip(*corners, strict=True))
        start, step = float(x0), float(x1 - x0) / max(len(text.strip()), 1)
        for part in UNPARTED.split(text.strip()) if text.strip() else ():
            words.append(RecognizedWord(part, start, float(y0), start + step * len(part), float(y1), float(confidence)))
            start += step * len(part)
    return words
