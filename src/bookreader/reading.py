"""Read files in a sandbox: one that hangs, crashes or uses too much memory ends a child process and gives BadFile.

The child is a new interpreter, because a fork would copy locks of threads in any state; worker.py describes its messages. It
ends with this process, with the caller's exception and with Ctrl-C."""

import json
import logging
import os
from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from bookreader.book import Book, BookId, Limits, title_of_file
from bookreader.errors import BadFile, RecognitionNeeded, TooBusy
from bookreader.html.files import PAGE_ENDINGS, File, is_epub, is_wanted, pack
from bookreader.messages import from_json
from bookreader.records import BOOK
from bookreader.sandbox import Deadline, WorkerError, ended, output_of, started, tail, was_killed_by
from bookreader.source import BUDGETS, damaged, kind_of, refuse_too_large, too_much_memory, too_slow
from bookreader.worker import SECONDS_PER_PICTURE

log = logging.getLogger(__name__)
Progress = Callable[[int, int], None]
PARSER = ("-m", "bookreader.worker")
OUT_OF_MEMORY = (
    *(b"MemoryError", b"bad_alloc", b"alloc (", b"failed to map segment", b"Cannot allocate memory"),
    b"memory allocation of",  # says Rust
)
NOT_INSTALLED = (b"ImportError", b"ModuleNotFoundError")


def read_path(path: Path, limits: Limits, progress: Progress | None = None) -> Book:
    """The book in a file or a folder, with a title in any case. Raises ReaderError, OSError."""
    data = as_pdf_in_sandbox(bytes_at(path, limits), limits)
    book = parse_in_sandbox(data, BookId(path.stem), limits, progress)
    return replace(book, title=book.title or title_of_file(path.name))


def bytes_at(path: Path, limits: Limits) -> bytes:
    """The file's bytes; a page or a folder of pages as a zip. Raises BadFile before it reads more than the limit, OSError."""
    single = path.name.lower().endswith(PAGE_ENDINGS)
    paths = list(paths_in(path)) if path.is_dir() else [path]
    refuse_too_large(sum(each.stat().st_size for each in paths), limits)
    if path.is_dir() or single:
        return pack(File(each.relative_to(path.parent if single else path).as_posix(), each.read_bytes()) for each in paths)
    return path.read_bytes()


def paths_in(folder: Path, kind: Callable[[str], bool] | None = None) -> Iterator[Path]:
    """The files of a kind, by default pages and what configures their site; hidden folders and links are skipped."""
    for root, folders, names in os.walk(folder):
        here = Path(root)
        folders[:] = sorted(name for name in folders if is_wanted(f"{name}/page.md"))
        yield from (here / name for name in sorted(names) if (kind or is_wanted)(name) and not (here / name).is_symlink())


def parse_in_sandbox(pdf: bytes, book: BookId, limits: Limits, progress: Progress | None = None) -> Book:
    """The book that read_source gives, from a child process within the limits.

    It has SECONDS_PER_PICTURE more for each page read by text recognition, at most limits.recognition_seconds. progress(pages
    done, pages in all) is called in this process. Raises BadFile: the child's own, or too_many_bytes, too_many_words, too_slow,
    too_much_memory, damaged (it crashed); TooBusy if limits.seconds are over first; RecognitionNeeded
    if recognition_seconds is 0 and a page needs it."""
    return BOOK.validate_json(answer_of_parser(pdf, book, limits, progress))


def as_pdf_in_sandbox(data: bytes, limits: Limits) -> bytes:
    """An e-book as a PDF; anything else as it is. Raises BadFile: epub.pdf_of's own, or as parse_in_sandbox does."""
    return answer_of_parser(data, None, limits) if is_epub(data) else data


def answer_of_parser(data: bytes, book: BookId | None, limits: Limits, progress: Progress | None = None) -> bytes:
    """What worker.py answers: the book as JSON, or without an id the e-book as a PDF. Raises BadFile."""
    refuse_too_large(len(data), limits)
    limits = BUDGETS[kind_of(data)].within(len(data), limits)
    limited = {each.name: getattr(limits, each.name) for each in fields(Limits)}
    pictures = 0.0  # seconds for them
    with TemporaryFile() as noise:
        process = started(*PARSER, noise=noise)
        try:
            with Deadline(limits.seconds, process) as deadline:

                def recognizing(pages: int) -> None:
                    nonlocal pictures
                    pictures = seconds_for(pages, limits)
                    deadline.extend(pictures)

                output = output_of(process, {"book": book, "limits": limited}, data)
                answer = read_answer(output, progress, recognizing)
                process.wait()
        finally:
            ended(process)
        if answer is None and deadline.passed:
            if pictures:
                raise too_slow(data, limits.seconds + pictures)
            raise TooBusy("reader_too_busy", seconds=round(limits.seconds))
        if answer is None:
            raise what_ended(process.returncode, tail(noise), too_slow(data, limits.cpu_seconds + pictures))
    return answer


def seconds_for(pictures: int, limits: Limits) -> float:
    """The time for reading so many pages by text recognition; the child's word counts up to the limit of pages.

    Raises RecognitionNeeded if they are not read in this process."""
    if not limits.recognition_seconds:
        raise RecognitionNeeded("recognition_elsewhere", pages=pictures)
    return min(SECONDS_PER_PICTURE * min(pictures, limits.pages), limits.recognition_seconds)


def read_answer(output: IO[bytes], progress: Progress | None, recognizing: Callable[[int], None]) -> bytes | None:
    """The bytes of the book; None if the child ended before it had sent all of them. Raises its BadFile.

    recognizing: called with the number of pages that the child is about to read by text recognition."""
    for line in output:
        if not line.endswith(b"\n"):
            return None
        match json.loads(line):
            case {"progress": [done, total]}:
                if progress:
                    progress(done, total)
            case {"recognizing": pictures}:
                recognizing(pictures)
            case {"refused": [reason, message]}:
                raise BadFile(reason, from_json(message))
            case {"answer": size}:
                data = output.read(size)
                return data if len(data) == size else None
    return None


def what_ended(exit_code: int, output: bytes, slow: BadFile) -> BadFile | WorkerError:
    """The error for a child without an answer: BadFile, or WorkerError if the parser could not be loaded.

    slow: the refusal if its seconds of the processor are used up. A traceback counts as damage: no sound PDF causes one."""
    cause = WorkerError(f"The parser ended with exit code {exit_code}. {output.decode(errors='replace')}")
    if was_killed_by(exit_code, "SIGXCPU"):
        refusal = slow
    elif any(sign in output for sign in OUT_OF_MEMORY) or was_killed_by(exit_code, "SIGKILL"):  # by the kernel, for memory
        refusal = too_much_memory()
    elif any(sign in output for sign in NOT_INSTALLED):
        return cause
    else:
        refusal = damaged("pdf_not_readable")
    log.warning("a PDF was refused because its parser ended", exc_info=cause)
    refusal.__cause__ = cause
    return refusal
