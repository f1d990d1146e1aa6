"""Embedding a shelf anew by tasks: those of indexing, in the bulk lane. See reembedding.py for what happens.

Nobody waits for the whole: whoever has finished a version looks whether it was the last one."""

from contextlib import suppress

from chapterverse.errors import NotFound
from chapterverse.model import BookVersion, ShelvedBook, VersionKey, VersionState
from chapterverse.usecases.reembedding import begin_beside, beside, not_yet_reembedded, replaced_versions
from chapterverse.usecases.services import Intake, Services
from chapterverse.usecases.tasks import index_tasks, remove_task


def ask_to_reembed(school: str, intake: Intake, asked_by: str) -> list[ShelvedBook]:
    """Ask for the vectors of every book that has none by services.embedder yet: those books; where there is none, the shelf is
    searched with it from now on.

    asked_by: whoever asks again under another word gets the tasks again that may have been lost. Raises BookBusy."""
    left = list(not_yet_reembedded(school, intake.services))
    for _, active in left:
        _ask_for(active, intake, asked_by)
    _switch(school, intake)
    return [book for book, _ in left]


def go_on_reembedding(school: str, intake: Intake) -> None:
    """A version is finished: switch, if all books are; a book that came meanwhile is embedded by both models. Where a school is
    not being embedded anew, nothing happens. Raises BookBusy."""
    services = intake.services
    if services.before is None or not any(_has_begun(book, services) for book in services.catalog.books(school)):
        return
    for book, active in not_yet_reembedded(school, services):
        if beside(active, services) not in {version.key for version in book.versions}:
            _ask_for(active, intake, "go on")
    _switch(school, intake)


def is_reembedded(key: VersionKey, services: Services) -> bool:
    """Whether the version is built beside one that is searched by the model before."""
    active = services.catalog.book(key.school, key.book).active
    searched_before = services.before and active and active.key.model == services.before.model
    return bool(searched_before and active and beside(active, services) == key)


def _ask_for(active: BookVersion, intake: Intake, asked_by: str) -> None:
    """Nothing happens where another file is searched meanwhile: of that it will be asked for."""
    catalog, key = intake.services.catalog, beside(active, intake.services)
    with suppress(NotFound), catalog.claim(key.school, key.book):
        known = next((each for each in catalog.book(key.school, key.book).versions if each.key == key), None)
        if known is None or known.state is not VersionState.INDEXING or not known.batches:
            begin_beside(active, intake.services, intake.batch_sentences)
        for task in index_tasks(catalog.version(key), asked_by):
            intake.queue.add(task)


def _switch(school: str, intake: Intake) -> None:
    if intake.services.catalog.switch(school, intake.services.embedder.model, intake.services.cutter.unit):
        for version in replaced_versions(school, intake.services):
            intake.queue.add(remove_task(version))


def _has_begun(book: ShelvedBook, services: Services) -> bool:
    return any(version.key == beside(version, services) for version in book.versions)
