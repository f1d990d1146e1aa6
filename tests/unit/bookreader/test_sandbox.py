import json
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE, Popen
from time import sleep

import pytest

from bookreader.book import DEFAULT_LIMITS, BookId, Limits
from bookreader.drawing import DRAWER
from bookreader.errors import BadFile, RecognitionNeeded, TooBusy
from bookreader.pdf.parse import parse_book
from bookreader.reading import parse_in_sandbox, seconds_for, what_ended
from bookreader.sandbox import Deadline, ForkingWorkers, SandboxLimits, SpareWorkers, WorkerError
from bookreader.source import BUDGETS, too_slow
from chapterverse.essays.text_worker import MAX_XML_BYTES
from tests.support.documents import zipped
from tests.support.epubs import epub
from tests.support.pdfs import PROSE, a_locked_pdf, a_pdf, a_pdf_that_draws, a_picture_of_a_page, pictures_of
from tests.support.serving import eventually
from tests.support.sites import folder

BOOK = BookId("essay")
A_LETTER = b"BT /F1 9 Tf (x) Tj ET "  # drawn ten million times, it keeps MuPDF busy for half a minute
LIMITS = SandboxLimits(seconds=60.0, megabytes=1536)
PAGE = {"pages": [[0, []]], "scale": 0.5}


def refusal(pdf: bytes, limits: Limits = DEFAULT_LIMITS) -> BadFile:
    with pytest.raises(BadFile) as caught:
        parse_in_sandbox(pdf, BOOK, limits)
    return caught.value


def test_the_child_gives_or_refuses_what_the_parser_does_and_tells_how_far_it_is() -> None:
    pdf, seen = a_pdf("One page. It has two sentences.", "Another page."), list[tuple[int, int]]()
    assert parse_in_sandbox(pdf, BOOK, DEFAULT_LIMITS, lambda *done: seen.append(done)) == parse_book(pdf, BOOK)
    assert seen[-1] == (2, 2)

    with pytest.raises(BadFile) as direct:
        parse_book(a_locked_pdf("secret"), BOOK)
    error = refusal(a_locked_pdf("secret"))
    assert (error.reason, str(error)) == (direct.value.reason, str(direct.value))


def test_a_scan_is_read_where_a_recognizer_is_and_else_only_a_file_without_one() -> None:
    elsewhere, pdf = replace(DEFAULT_LIMITS, recognition_seconds=0), a_pdf()
    assert parse_in_sandbox(pdf, BOOK, elsewhere) == parse_book(pdf, BOOK)
    with pytest.raises(RecognitionNeeded):
        parse_in_sandbox(a_picture_of_a_page(), BOOK, elsewhere)

    book = parse_in_sandbox(pictures_of(a_pdf()), BOOK, DEFAULT_LIMITS)
    assert book.report.recognized_pages == (0,)


def test_pages_and_size_decide_how_much_time_a_file_has() -> None:
    limits = replace(DEFAULT_LIMITS, recognition_seconds=1320)
    assert [seconds_for(pages, limits) for pages in (2, 3000)] == [60, 1320]

    small, large = (BUDGETS["folder"].within(size, DEFAULT_LIMITS) for size in (3_367, 100 * 2**20))
    assert (round(small.cpu_seconds), small.megabytes) == (20, 768)
    assert (large.cpu_seconds, large.megabytes) == (DEFAULT_LIMITS.cpu_seconds, DEFAULT_LIMITS.megabytes)


def test_a_pdf_that_takes_too_long_or_too_much_memory_is_stopped() -> None:
    start = time.monotonic()
    error = refusal(a_pdf_that_draws(A_LETTER, 10**7), replace(DEFAULT_LIMITS, cpu_seconds=2))
    assert error.reason == "too_slow"
    assert "2 seconds" in str(error)
    assert time.monotonic() - start < 30

    assert refusal(a_pdf_that_draws(A_LETTER, 2 * 10**7), replace(DEFAULT_LIMITS, megabytes=700)).reason == "too_much_memory"
    assert refusal(a_pdf(), replace(DEFAULT_LIMITS, bytes=10)).reason == "too_many_bytes"


@pytest.mark.skipif(sys.platform == "win32", reason="no signals there")
@pytest.mark.parametrize(
    ("killed_by", "said", "code"),
    [
        ("SIGSEGV", b"", "damaged"),
        ("SIGXCPU", b"", "too_slow"),
        ("SIGKILL", b"", "too_much_memory"),
        ("SIGABRT", b"terminate called after throwing an instance of 'std::bad_alloc'", "too_much_memory"),
    ],
)
def test_every_way_to_die_has_its_refusal(killed_by: str, said: bytes, code: str) -> None:
    error = what_ended(-getattr(signal, killed_by), said, too_slow(b"%PDF-", 300))

    assert error.reason == code


def test_neither_a_busy_machine_nor_a_parser_that_cannot_be_loaded_is_the_files_fault() -> None:
    with pytest.raises(TooBusy):
        parse_in_sandbox(a_pdf(), BOOK, replace(DEFAULT_LIMITS, seconds=0.01))

    assert isinstance(what_ended(1, b"ModuleNotFoundError: No module named 'pymupdf'", too_slow(b"%PDF-", 300)), WorkerError)


def test_only_seconds_of_the_processor_are_counted_against_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    waits = "import runpy, time; time.sleep(2.2); runpy.run_module('bookreader.worker', run_name='__main__')"
    monkeypatch.setattr("bookreader.reading.PARSER", ("-c", waits))

    assert parse_in_sandbox(a_pdf(), BOOK, replace(DEFAULT_LIMITS, cpu_seconds=2)).sentences


@pytest.mark.skipif(sys.platform != "linux", reason="macOS does not limit address space")
def test_text_recognition_gets_the_memory_that_it_needs() -> None:
    program = "import numpy; from bookreader import worker; worker.confine(60, 700); {}; numpy.empty(2**27)"  # 1 GiB

    for meanwhile, code in (("pass", 1), ("worker.allow(30, 1500)", 0)):
        ended = subprocess.run([sys.executable, "-c", program.format(meanwhile)], capture_output=True, check=False)
        assert ended.returncode == code


@pytest.mark.parametrize(
    ("data", "what"),
    [(b"%PDF-", "a PDF"), (epub([("One", "")]), "an e-book"), (folder({"a.md": "A"}), "a folder of pages"), (b"[]", "a list")],
)
def test_a_file_that_is_stopped_is_told_what_it_is(data: bytes, what: str) -> None:
    assert f"({what}" in str(too_slow(data, 20))


def test_a_callers_exception_ends_the_child_too() -> None:
    def interrupted(done: int, total: int) -> None:
        raise KeyboardInterrupt

    others = children_of(os.getpid())

    with pytest.raises(KeyboardInterrupt):
        parse_in_sandbox(a_pdf(*[PROSE] * 3), BOOK, DEFAULT_LIMITS, interrupted)

    assert set(children_of(os.getpid())) <= set(others)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child of its parent's death")
def test_the_child_dies_with_its_parent(tmp_path: Path) -> None:
    slow = tmp_path / "slow.pdf"
    slow.write_bytes(a_pdf_that_draws(A_LETTER, 10**7))
    program = "import sys, bookreader; bookreader.read(sys.argv[1])"
    parent = Popen([sys.executable, "-c", program, str(slow)])
    [child] = eventually(lambda: children_of(parent.pid))
    eventually(lambda: Path(f"/proc/{child}/cmdline").read_bytes().find(b"bookreader.worker") > 0)

    killed(parent)

    eventually(lambda: not is_running(child))


def killed(process: Popen[bytes]) -> None:
    process.kill()
    process.wait()


def children_of(pid: int) -> list[int]:
    """Running processes started by that one; empty where there is no /proc."""
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for task in tasks for child in task.read_text().split() if is_running(int(child))]


def is_running(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


class Counting:
    """What starts children, and counts them."""

    started = 0

    def _started(self) -> Popen[bytes]:
        self.started += 1
        return super()._started()


class Counted(Counting, SpareWorkers): ...


class Patient(Counting, ForkingWorkers): ...


def test_who_comes_at_once_finds_a_child_that_has_started_already() -> None:
    children = Counted(DRAWER, at_hand=2)
    with children.answer_of(PAGE, a_pdf(), LIMITS):
        assert children.started == 1

    with ExitStack() as both:
        answers = [both.enter_context(children.answer_of(PAGE, a_pdf(), LIMITS)) for _ in range(2)]
        assert children.started == 3
        assert [json.loads(answer.readline()).keys() for answer in answers] == [{"png"}, {"png"}]


def test_a_worker_that_ended_while_it_waited_is_replaced_whatever_it_does() -> None:
    children = Counted(DRAWER)
    with children.answer_of(PAGE, a_pdf(), LIMITS):
        pass
    [spare] = children._spare
    killed(spare)
    with children.answer_of(PAGE, a_pdf(), LIMITS) as answer:
        assert json.loads(answer.readline()).keys() == {"png"}

    workers = Patient("chapterverse.essays.text_worker")
    workers.ask(a_pdf(), LIMITS)
    [(_, process)] = workers._waiting
    killed(process)
    assert json.loads(workers.ask(a_pdf(), LIMITS))
    assert workers.started == 2


def test_a_child_that_was_in_time_is_not_killed_later() -> None:
    with Popen([sys.executable, "-c", "input()"], stdin=PIPE, text=True) as child:
        with Deadline(0.1, child):
            pass
        sleep(0.3)

        child.communicate("\n")
    assert child.returncode == 0


def test_one_worker_reads_several_files_and_a_hostile_one_does_not_end_it() -> None:
    workers = Patient("chapterverse.essays.text_worker")
    good, bomb = a_pdf("Silencing an opinion robs mankind of truth."), zipped("word/document.xml", " " * (MAX_XML_BYTES + 1))

    assert "robs mankind" in json.loads(workers.ask(good, LIMITS))["text"]
    assert "refused" in json.loads(workers.ask(bomb, LIMITS))
    assert json.loads(workers.ask(good, SandboxLimits(seconds=0.001, megabytes=1536))) is None  # its child is ended
    assert "robs mankind" in json.loads(workers.ask(good, LIMITS))["text"]
    assert workers.started == 1
