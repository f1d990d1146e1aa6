from datetime import timedelta
from pathlib import Path

from chapterverse.essays.history import find_feedback, store_feedback
from chapterverse.essays.records import FeedbackResponse, StoredResponse, Summary, with_offsets
from tests.support.batches import EVENING, Clock
from tests.support.essays import some_feedback
from tests.support.history import history_in

BEGINS = "Silencing opinion robs us of truth. My uncle sings every morning."
TIMES = {"created": EVENING.isoformat(), "expires": (EVENING + timedelta(days=30)).isoformat(), "approved": EVENING.isoformat()}


def test_stored_feedback_is_what_was_given_with_its_times(tmp_path: Path) -> None:
    with history_in(tmp_path, Clock()) as history:
        given = store_feedback(some_feedback(), "school", history)
        kept = find_feedback("school", str(given.id), history)

        edits = {"changes": [], "grade": "", "levels": [], "note": "", "order": [], "own": []}
        nothing = {"changed": False, "choices": [], "thumbs": [], "hidden": [], "edits": edits}
        nothing |= dict.fromkeys(("grade_given", "note", "written_by"), "")
        assert (
            with_offsets(StoredResponse.of_stored(kept, history))
            == with_offsets(FeedbackResponse.of_feedback(given)) | TIMES | nothing
        )
        assert (
            with_offsets(Summary.of(kept, history))
            == {"id": given.id, "title": "Speech", "begins": BEGINS, "thumbs": {"up": 0, "down": 0}, "written_by": ""} | TIMES
        )
