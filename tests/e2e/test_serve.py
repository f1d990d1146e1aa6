"""`chapterverse serve` as a school would use it: a key, an upload, an essay, a page; all in one process on one machine."""

from pathlib import Path

from tests.support.home import Home


def test_an_uploaded_book_is_evidence_for_an_essay_without_any_other_action(tmp_path: Path) -> None:
    with Home(tmp_path).teacher() as teacher:
        teacher.run()  # raises where a step fails
