"""Kept feedback as JSON: what the command line prints with --json and the web answers."""

import json
from typing import Any

from chapterverse.model import KeptFeedback
from chapterverse.usecases.feedback_json import feedback_json
from chapterverse.usecases.kept_feedback import Keeping, feedback_of


def kept_json(kept: KeptFeedback, keeping: Keeping) -> dict[str, Any]:
    """feedback_json, and when it was given and will be forgotten. Raises NotFound."""
    return feedback_json(feedback_of(kept)) | _times(kept, keeping)


def summary_json(kept: KeptFeedback, keeping: Keeping) -> dict[str, Any]:
    """One line of a list; title: the essay's. Also of feedback that another version of chapterverse gave."""
    return {"id": kept.id, "title": json.loads(kept.answer)["evidence"]["title"]} | _times(kept, keeping)


def _times(kept: KeptFeedback, keeping: Keeping) -> dict[str, Any]:
    return {"created": kept.created.isoformat(), "expires": keeping.until(kept).isoformat()}
