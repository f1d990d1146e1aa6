"""Children that wait; what they answer about pages is tried in test_pages.py."""

import json
import sys
from contextlib import ExitStack
from dataclasses import dataclass
from subprocess import PIPE, Popen
from time import sleep

from bookreader.drawing import DRAWER
from bookreader.sandbox import Deadline, ForkingWorkers, SandboxLimits, SpareWorkers
from chapterverse.essays.text_worker import MAX_XML_BYTES
from tests.support.documents import zipped
from tests.support.pdfs import a_pdf

LIMITS = SandboxLimits(seconds=60.0, megabytes=1536)
PAGE = {"pages": [[0, []]], "scale": 0.5}


@dataclass
class Counted(SpareWorkers):
    started: int = 0

    def _started(self) -> Popen[bytes]:
        self.started += 1
        return super()._started()


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
    spare.kill()
    spare.wait()
    with children.answer_of(PAGE, a_pdf(), LIMITS) as answer:
        assert json.loads(answer.readline()).keys() == {"png"}

    workers = Patient("chapterverse.essays.text_worker")
    workers.ask(a_pdf(), LIMITS)
    [(_, process)] = workers._waiting
    process.kill()
    process.wait()
    assert json.loads(workers.ask(a_pdf(), LIMITS))
    assert workers.started == 2


def test_a_child_that_was_in_time_is_not_killed_later() -> None:
    with Popen([sys.executable, "-c", "input()"], stdin=PIPE, text=True) as child:
        with Deadline(0.1, child):
            pass
        sleep(0.3)

        child.communicate("\n")
    assert child.returncode == 0


@dataclass
class Patient(ForkingWorkers):
    started: int = 0

    def _started(self) -> Popen[bytes]:
        self.started += 1
        return super()._started()


def test_one_worker_reads_several_files_and_a_hostile_one_does_not_end_it() -> None:
    workers = Patient("chapterverse.essays.text_worker")
    good, bomb = a_pdf("Silencing an opinion robs mankind of truth."), zipped("word/document.xml", " " * (MAX_XML_BYTES + 1))

    assert "robs mankind" in json.loads(workers.ask(good, LIMITS))["text"]
    assert "refused" in json.loads(workers.ask(bomb, LIMITS))
    assert json.loads(workers.ask(good, SandboxLimits(seconds=0.001, megabytes=1536))) is None  # its child is ended
    assert "robs mankind" in json.loads(workers.ask(good, LIMITS))["text"]
    assert workers.started == 1
