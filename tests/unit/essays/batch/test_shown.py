"""What a teacher has chosen after the night is in what is downloaded after it."""

from dataclasses import replace

import pytest

from chapterverse.citations.model import VerdictKind
from chapterverse.essays.batch.context import Night
from chapterverse.essays.batch.files import CSV, JSONL
from chapterverse.essays.batch.model import BatchKey
from chapterverse.essays.batch.results import files_of, read_file
from chapterverse.essays.model import Choice, StoredFeedback, Origin, Show
from chapterverse.essays.review import Library, choose
from chapterverse.essays.writing.writing import each
from chapterverse.library.artefacts import load_book
from tests.support.essays import always
from tests.support.nights import TRUTH, begun, entries, lines, queue_of
from tests.support.shelved import shelve

OTHER = "Who silences opinion robs mankind of truth."
PAGE = "0001-ada.html"


@pytest.fixture
def key(night: Night) -> BatchKey:
    """A batch that is done; ada's essay has evidence."""
    batch = begun(night, entries(TRUTH, "My uncle sings."))
    queue_of(night).do_all(night)
    return batch.key


def adas(key: BatchKey, night: Night) -> StoredFeedback:
    return night.keeping.store.on_essay("school", Origin(key.batch, 1))


def chosen(choice: Choice, key: BatchKey, night: Night) -> None:
    library = Library("school", night.services, each(always(VerdictKind.SUPPORTS)))
    choose(adas(key, night).id, choice, night.keeping, library)


def downloaded(key: BatchKey, night: Night) -> dict[str, bytes]:
    return {name: read_file(key, name, night) for name in files_of(key, night)}


def test_hidden_evidence_is_in_no_file_any_more_and_comes_back(night: Night, key: BatchKey) -> None:
    before = downloaded(key, night)

    chosen(Choice(1, Show.HIDDEN), key, night)
    hidden = downloaded(key, night)
    chosen(Choice(1), key, night)

    [ada, ben] = lines(hidden[JSONL])
    assert (ada["id"], ada["feedback"], ada["evidence"]) == ("ada", adas(key, night).id, [])
    assert ben == lines(before[JSONL])[1]
    for name in (CSV, PAGE):
        assert (b"On Liberty" in before[name], b"On Liberty" in hidden[name]) == (True, False)
    assert downloaded(key, night) == before


def test_a_sentence_put_in_the_place_of_another_is_in_every_file(night: Night, key: BatchKey) -> None:
    other = shelve(night.services, "On Truth", [OTHER]).versions[0].key
    [sentence] = (one for one in load_book(night.services.bucket, other).sentences if one.text == OTHER)

    chosen(Choice(1, sentence=sentence.id), key, night)

    files = downloaded(key, night)
    assert [one["sentence"]["text"] for one in lines(files[JSONL])[0]["evidence"]] == [OTHER]
    assert b"On Truth" in files[CSV]
    assert OTHER.encode() in files[PAGE]


def test_a_mark_alone_changes_no_file(night: Night, key: BatchKey) -> None:
    before = downloaded(key, night)

    night.keeping.store.change("school", adas(key, night).id, lambda kept: replace(kept, approved=None))

    assert downloaded(key, night) == before


def test_when_feedback_is_not_kept_any_more_its_files_are_what_was_written(night: Night, key: BatchKey) -> None:
    before = downloaded(key, night)

    night.keeping.store.remove_batch(key)

    assert downloaded(key, night) == before
