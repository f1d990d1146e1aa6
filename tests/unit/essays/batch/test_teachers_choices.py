"""Downloads of a batch contain the teacher's later choices."""

import pytest

from chapterverse.essays.batch.context import BatchContext
from chapterverse.essays.batch.files import CSV, JSONL, files_of, read_file
from chapterverse.essays.batch.model import BatchKey
from chapterverse.essays.model import Choice, Origin, Show, StoredFeedback
from chapterverse.essays.review import choose
from chapterverse.library.artefacts import load_book
from tests.support.batches import TRUTH, begun, entries, lines, queue_of
from tests.support.shelved import shelve

OTHER = "Who silences opinion robs mankind of truth."
PAGE = "0001-ada.html"


@pytest.fixture
def key(context: BatchContext) -> BatchKey:
    """A batch that is done; ada's essay has evidence."""
    batch = begun(context, entries(TRUTH, "My uncle sings."))
    queue_of(context).do_all(context)
    return batch.key


def adas(key: BatchKey, context: BatchContext) -> StoredFeedback:
    return context.history.store.on_essay("school", Origin(key.batch, 1))


def chosen(choice: Choice, key: BatchKey, context: BatchContext) -> None:
    choose("school", adas(key, context).id, choice, context.essays)


def downloaded(key: BatchKey, context: BatchContext) -> dict[str, bytes]:
    return {name: read_file(key, name, context) for name in files_of(key, context)}


def test_hidden_evidence_is_in_no_file_any_more_and_comes_back(context: BatchContext, key: BatchKey) -> None:
    before = downloaded(key, context)

    chosen(Choice(1, Show.HIDDEN), key, context)
    hidden = downloaded(key, context)
    chosen(Choice(1), key, context)

    [ada, ben] = lines(hidden[JSONL])
    assert (ada["id"], ada["feedback"], ada["evidence"]) == ("ada", adas(key, context).id, [])
    assert ben == lines(before[JSONL])[1]
    for name in (CSV, PAGE):
        assert (b"On Liberty" in before[name], b"On Liberty" in hidden[name]) == (True, False)
    assert downloaded(key, context) == before


def test_a_sentence_put_in_the_place_of_another_is_in_every_file(context: BatchContext, key: BatchKey) -> None:
    other = shelve(context.services, "On Truth", [OTHER]).versions[0].key
    [sentence] = (one for one in load_book(context.services.bucket, other).sentences if one.text == OTHER)

    chosen(Choice(1, sentence=sentence.id), key, context)

    files = downloaded(key, context)
    assert [one["sentence"]["text"] for one in lines(files[JSONL])[0]["evidence"]] == [OTHER]
    assert b"On Truth" in files[CSV]
    assert OTHER.encode() in files[PAGE]
