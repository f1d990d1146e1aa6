from datetime import timedelta
from pathlib import Path

from chapterverse.essays.history import find_feedback, store_feedback
from chapterverse.essays.records import FeedbackResponse, StoredResponse, Summary
from tests.support.batches import EVENING, Clock
from tests.support.essays import some_feedback
from tests.support.history import history_in

BEGINS = "Silencing opinion robs us of truth. My uncle sings every morning."
TIMES = {"created": EVENING, "expires": EVENING + timedelta(days=30), "approved": EVENING}


def test_stored_feedback_is_what_was_given_with_its_times(tmp_path: Path) -> None:
    with history_in(tmp_path, Clock()) as history:
        given = store_feedback(some_feedback(), "school", history)
        kept = find_feedback("school", str(given.id), history)

        edits = {"changes": (), "grade": "", "levels": (), "note": "", "order": (), "own": ()}
        nothing = {"changed": False, "choices": [], "thumbs": (), "hidden": [], "edits": edits}
        nothing |= dict.fromkeys(("grade_given", "note", "written_by"), "")
        assert (
            StoredResponse.of_stored(kept, history).model_dump()
            == FeedbackResponse.of_feedback(given).model_dump() | TIMES | nothing
        )
        entry = {"id": given.id, "title": "Speech", "begins": BEGINS, "thumbs": {"up": 0, "down": 0}, "written_by": ""}
        entry |= {"words": 23, "version_of": None, "changed": False, "assignment": ""}
        assert Summary.of(kept, history).model_dump() == entry | TIMES
