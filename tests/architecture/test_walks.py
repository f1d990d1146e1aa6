"""How many files a reader opens who follows an essay or a question: those with a function that is called with its text, or with
what is made of the whole of it."""

import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import FrameType

import chapterverse
from chapterverse.core.hits import Scope
from chapterverse.core.paid_model import PaidModel
from chapterverse.essays.model import Essay
from chapterverse.essays.service import FeedbackRequest, feedback_on
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.questions.answers import Question
from chapterverse.questions.service import ask
from chapterverse.questions.styles import AnswerSettings
from scripts.bench.simulated_model import SimulatedModel
from tests.support.batches import TRUTH, a_batch_context
from tests.support.intake import SCHOOL
from tests.support.shelved import document_library

ROOT = Path(chapterverse.__file__).parent
ESSAY = f"# Speech\n\n{TRUTH}\n\nMy uncle sings."
QUESTION = "Phones stay silent inside bags"


def walk(act: Callable[[], object], is_it: Callable[[object], bool]) -> set[str]:
    """The files with a function, in any thread, that is called with it."""
    seen = set[str]()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(str(ROOT)):
            arguments = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
            if any(is_it(frame.f_locals.get(name)) for name in arguments):
                seen.add(str(Path(code.co_filename).relative_to(ROOT)))

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        act()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return seen


def test_an_essay_passes_ten_files_at_most_with_a_language_model_and_without(tmp_path: Path) -> None:
    def is_it(value: object) -> bool:
        return isinstance(value, Essay | FeedbackRequest) or (isinstance(value, str) and ESSAY in value)

    with a_batch_context(tmp_path) as context:
        request, essays = FeedbackRequest(ESSAY, Scope("school")), context.essays
        ledger = SqlLedger(f"sqlite:///{tmp_path}/ledger.db")
        paid = PaidModel(SimulatedModel(first=0.0, pace=0.0), ledger, ceiling=10**12)
        written = replace(essays, writing=replace(essays.writing, paid=paid))
        walks = [walk(lambda by=by: feedback_on(request, by), is_it) for by in (essays, written)]
        ledger.close()

    assert all("essays/evidence.py" in files for files in walks)
    assert [sorted(files) for files in walks if len(files) > 10] == []


def test_a_question_passes_eight_files_at_most(tmp_path: Path) -> None:
    def is_it(value: object) -> bool:
        return isinstance(value, Question) or (isinstance(value, str) and value.rstrip("?") == QUESTION)

    with document_library(tmp_path) as services:
        settings = AnswerSettings(services.embedder)
        files = walk(lambda: ask(QUESTION, Scope(SCHOOL), services, settings), is_it)

    assert "questions/compose.py" in files
    assert len(files) <= 8, sorted(files)
