"""One essay of a batch: written on once, however often it is asked for and whoever is killed.

What is written is kept before the essay is noted as done: who finds it kept writes nothing again."""

from contextlib import suppress
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from chapterverse.errors import NotFound, PermanentError
from chapterverse.essay import Essay, parse_essay
from chapterverse.model import BatchEssay, BatchKey, EssayState
from chapterverse.usecases.essay_feedback import find_evidence
from chapterverse.usecases.feedback_html import feedback_html
from chapterverse.usecases.feedback_json import feedback_json
from chapterverse.usecases.overnight.collected import collect
from chapterverse.usecases.overnight.entries import Entry
from chapterverse.usecases.overnight.kept import HandedIn, batch_folder, load_essays, load_result, save_page, save_result
from chapterverse.usecases.overnight.night import Night
from chapterverse.usecases.overnight.tasks import Attempt
from chapterverse.usecases.write_feedback import Feedback, write_feedback


def do_essay(attempt: Attempt, number: int, night: Night) -> None:
    """Feedback on it is kept, or why there is none; with the last one, what is written on all is collected.

    Of a batch that was removed, is due, or was begun again: nothing happens but that nothing is left behind. Raises EssayBusy
    and every other RetryableError."""
    try:
        if _is_under_way(attempt, night):
            with night.store.claim(attempt.key, number) as essay:
                left = _end(attempt.key, essay, night)
            if not left:
                collect(attempt.key, night)
    except NotFound:
        night.results.delete(batch_folder(attempt.key))


def give_up_essay(attempt: Attempt, number: int, code: str, message: str, night: Night) -> None:
    """It is not tried again in this window, and why: it is left for the next one."""
    with suppress(NotFound):
        night.store.note(attempt.key, number, EssayState.WAITING, code, message)


def _is_under_way(attempt: Attempt, night: Night) -> bool:
    """Raises NotFound."""
    batch = night.store.batch(attempt.key)
    return batch.began == attempt.began and batch.due is not None and night.now() < batch.due


def _end(key: BatchKey, essay: BatchEssay, night: Night) -> int:
    """How many essays wait after this one. Raises NotFound where the batch is gone."""
    if essay.state is not EssayState.WAITING:
        return night.store.batch(key).waiting
    handed_in = _handed_in(key, night)
    try:
        _see_to_it(key, handed_in, essay.number, night)
    except PermanentError as error:
        if error.status >= HTTPStatus.INTERNAL_SERVER_ERROR:  # a setting that is wrong is not the essay's fault
            raise
        return night.store.note(key, essay.number, EssayState.FAILED, error.code, str(error))
    return night.store.note(key, essay.number, EssayState.DONE)


def _see_to_it(key: BatchKey, handed_in: HandedIn, number: int, night: Night) -> None:
    try:
        load_result(night.results, key, number)
    except NotFound:
        entry = handed_in.entries[number]
        feedback = _written(key.school, entry, handed_in, night)
        save_page(night.results, key, entry, feedback_html(feedback))
        save_result(night.results, key, number, result_json(entry, feedback))  # the last: who finds it does nothing again


def result_json(entry: Entry, feedback: Feedback) -> dict[str, Any]:
    """feedback_json, and whose it is."""
    return {"number": entry.number, "id": entry.id, **feedback_json(feedback)}


def _written(school: str, entry: Entry, handed_in: HandedIn, night: Night) -> Feedback:
    essay, began = essay_of(entry, night.limits.essay_words), night.writing.clock()
    found = find_evidence(essay, handed_in.scope(school), night.services, night.plan)
    return Feedback(found, tuple(write_feedback(found, school, night.writing, began)))


def essay_of(entry: Entry, most_words: int) -> Essay:
    """The essay, by the title that its teacher gives it. Raises BadRequest, TooLarge."""
    essay = parse_essay(entry.text, most_words)
    return replace(essay, title=entry.title or essay.title)


def _handed_in(key: BatchKey, night: Night) -> HandedIn:
    """Read once a process: a batch's tasks come one after the other."""
    return night.services.recent.get(("batch", key), lambda: load_essays(night.results, key))
