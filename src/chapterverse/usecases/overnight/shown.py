"""The files of a batch as teachers have its feedback shown: what was written at night stays, their choices lie over it."""

import json
from typing import Any

from chapterverse.errors import NotFound
from chapterverse.model import BatchKey, KeptFeedback, Origin
from chapterverse.usecases.feedback_html import feedback_html
from chapterverse.usecases.kept_json import feedback_shown
from chapterverse.usecases.overnight.collected import WRITTEN_AS
from chapterverse.usecases.overnight.kept import HTML, JSONL, batch_folder, result_of
from chapterverse.usecases.overnight.night import Night


def all_as_shown(key: BatchKey, name: str, night: Night) -> bytes:
    """JSONL or CSV. Raises NotFound."""
    chosen = {kept.origin: kept for kept in night.keeping.store.chosen_in(key)}
    if not chosen:
        return night.results.read(f"{batch_folder(key)}{name}")
    results = map(json.loads, night.results.read(f"{batch_folder(key)}{JSONL}").splitlines())
    return WRITTEN_AS[name](_as_shown(one, chosen.get(Origin(key.batch, one["number"]))) for one in results)


def page_as_shown(key: BatchKey, name: str, night: Night) -> bytes:
    """The page of one student. Raises NotFound."""
    page = night.results.read(f"{batch_folder(key)}{HTML}{name}")
    try:
        kept = night.keeping.store.on_essay(key.school, Origin(key.batch, int(name.partition("-")[0])))
    except NotFound:  # nothing is to be kept here, or no longer
        return page
    return feedback_html(feedback_shown(kept)).encode("utf-8", "replace") if kept.choices else page


def _as_shown(result: dict[str, Any], kept: KeptFeedback | None) -> dict[str, Any]:
    if kept is None:
        return result
    try:
        return result_of(result["number"], result["id"], feedback_shown(kept))
    except NotFound as error:  # of another version of chapterverse: rather nothing than what a teacher has hidden
        return {"number": result["number"], "id": result["id"], "error": {"code": error.code, "message": str(error)}}
