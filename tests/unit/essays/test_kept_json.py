from datetime import timedelta
from pathlib import Path

from chapterverse.essays.history import find_feedback, store_feedback
from chapterverse.essays.records import FeedbackResponse, StoredResponse, Summary, with_offsets
from tests.support.keeping import keeping_in, some_feedback
from tests.support.nights import TEN, Clock

BEGINS = "Silencing opinion robs us of truth. My uncle sings every morning."
TIMES = {"created": TEN.isoformat(), "expires": (TEN + timedelta(days=30)).isoformat(), "approved": TEN.isoformat()}


def test_kept_feedback_is_what_was_given_with_its_times(tmp_path: Path) -> None:
    with keeping_in(tmp_path, Clock()) as keeping:
        given = store_feedback(some_feedback(), "school", keeping)
        kept = find_feedback("school", str(given.id), keeping)

        nothing = {"changed": False, "marks": [], "choices": [], "thumbs": []}
        assert (
            with_offsets(StoredResponse.of_stored(kept, keeping))
            == with_offsets(FeedbackResponse.of_feedback(given)) | TIMES | nothing
        )
        assert (
            with_offsets(Summary.of(kept, keeping))
            == {"id": given.id, "title": "Speech", "begins": BEGINS, "thumbs": {"up": 0, "down": 0}} | TIMES
        )
