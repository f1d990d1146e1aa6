from dataclasses import replace

import numpy as np
import pytest

from chapterverse.core.errors import NotFound
from chapterverse.library.contexts import context_name, load_context
from chapterverse.library.indexing import make_whole
from chapterverse.library.model import CatalogBook, VersionKey
from chapterverse.library.services import CollectionServices
from chapterverse.search.plan import ESSAY_FEEDBACK
from chapterverse.search.rerank import WeightedSum, rescorer
from tests.support.shelved import shelve


def key_of(book: CatalogBook) -> VersionKey:
    assert book.active
    return book.active.key


def test_adding_a_book_keeps_the_context_of_its_sentences(services: CollectionServices) -> None:
    key = key_of(shelve(services, "Habits", ["Habit rules every person.", "Custom grows."]))

    assert context_name(key) in services.bucket.names("")
    assert set(load_context(services.bucket, key).rows) == set(services.index.ids(key.partition, key.version))


def test_a_context_that_was_never_kept_is_made_anew(services: CollectionServices) -> None:
    key = key_of(shelve(services, "Habits", ["Habit rules every person.", "Custom grows."]))
    kept = load_context(services.bucket, key)
    services.bucket.delete(context_name(key))

    made = load_context(services.bucket, key)

    assert made.rows == kept.rows
    assert np.array_equal(made.directions, kept.directions)
    assert np.array_equal(made.hubness, kept.hubness)


def test_a_context_that_is_damaged_is_made_anew(services: CollectionServices) -> None:
    key = key_of(shelve(services, "Habits", ["Habit rules every person.", "Custom grows."]))
    rows = load_context(services.bucket, key).rows
    services.bucket.write(context_name(key), b"")

    assert load_context(services.bucket, key).rows == rows


def test_rebuilding_the_index_of_a_book_keeps_its_context_too(services: CollectionServices) -> None:
    book = shelve(services, "Habits", ["Habit rules every person.", "Custom grows."])
    services.bucket.delete(context_name(key_of(book)))

    make_whole(book, services, anew=True)

    assert context_name(key_of(book)) in services.bucket.names("")


def test_a_version_that_is_gone_has_no_context(services: CollectionServices) -> None:
    with pytest.raises(NotFound):
        load_context(services.bucket, VersionKey("school", key_of(shelve(services, "Habits", ["A."])).book, "gone", "words"))


def test_a_rescorer_without_a_weight_is_not_used_and_nothing_is_read_for_it(services: CollectionServices) -> None:
    gone = replace(key_of(shelve(services, "Habits", ["Habit rules."])), version="gone")

    assert rescorer(replace(ESSAY_FEEDBACK, context_weight=0.0, hubness_penalty=0.0), [gone], services) == WeightedSum(())
