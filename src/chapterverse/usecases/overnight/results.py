"""The files that a teacher fetches."""

import re

from chapterverse.errors import NotFound
from chapterverse.model import BatchKey, BatchState
from chapterverse.usecases.overnight.collected import collect
from chapterverse.usecases.overnight.kept import CSV, HTML, JSONL, batch_folder, load_essays, page_name
from chapterverse.usecases.overnight.night import Night
from chapterverse.usecases.overnight.shown import all_as_shown, page_as_shown

PAGE = re.compile(r"[0-9]{4,}-[\w-]+\.html")


def files_of(key: BatchKey, night: Night, *, unfinished: bool = False) -> list[str]:
    """Names of the files with the feedback: the two of all essays, then one a student; none while essays are being done, unless
    what is there is wanted unfinished. Those left say so in them. Raises NotFound."""
    batch, folder = night.store.batch(key), batch_folder(key)
    state = batch.state(night.now())
    if state in (BatchState.WAITING, BatchState.RUNNING) and not unfinished:
        return []
    if state is BatchState.DONE:
        _see_to_files_of_all(key, night)
    else:
        collect(key, night)
    pages = [name.removeprefix(f"{folder}{HTML}") for name in night.results.names(f"{folder}{HTML}")]
    return [JSONL, CSV, *pages]


def read_file(key: BatchKey, name: str, night: Night) -> bytes:
    """One of those, as teachers have its feedback shown now. Raises NotFound."""
    batch = night.store.batch(key)
    if name in (JSONL, CSV):
        if batch.state(night.now()) is BatchState.DONE:
            _see_to_files_of_all(key, night)
        return all_as_shown(key, name, night)
    if PAGE.fullmatch(name):
        return page_as_shown(key, name, night)
    raise NotFound("no_such_batch_file")


def pages_of(key: BatchKey, night: Night) -> list[tuple[int, str, str]]:
    """Number and id of each essay, and the name of its page, be it there or not. Raises NotFound."""
    entries = load_essays(night.results, key).entries.values()
    return [(entry.number, entry.id, page_name(entry)) for entry in entries]


def _see_to_files_of_all(key: BatchKey, night: Night) -> None:
    """Whoever was to write them was killed, or one of the essays was forgotten since."""
    if not night.results.names(f"{batch_folder(key)}{CSV}"):
        collect(key, night)
