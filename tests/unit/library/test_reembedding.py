"""Books embedded anew by another model, here or by tasks: whatever is killed when, the same again finishes."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from unittest.mock import Mock

import numpy as np
import pytest

from chapterverse.core.errors import EmbedderUnavailable, NotFound
from chapterverse.core.hits import Scope, Vectors
from chapterverse.essays.evidence import find_evidence
from chapterverse.essays.text import parse_essay
from chapterverse.library.artefacts import book_name
from chapterverse.library.corrections import correct_book
from chapterverse.library.intake import Outcome, add_book, reembed, run_task
from chapterverse.library.model import CatalogBook
from chapterverse.library.services import CollectionServices, Intake
from chapterverse.library.versions import IndexByTasks, IndexHere
from tests.support.books import LIMITS
from tests.support.intake import SCHOOL, Clockwork, Killed, Town
from tests.support.refusals import refused
from tests.support.word_embedder import DIMENSIONS, WordEmbedder

CALM, ROUGH = b"The sea was calm.|The wind rose.\nNobody saw the ship.", b"The sea was rough.|No ship was out."
ANOTHER_ORDER = np.random.default_rng(7).permutation(DIMENSIONS)
ESSAY = parse_essay("Nobody saw the ship when the wind rose.")


class TurnedEmbedder(WordEmbedder):
    """Another model: the same likenesses in other directions, so that its vectors and the words' say nothing of each other."""

    def __init__(self) -> None:
        super().__init__(model="turned")

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return np.ascontiguousarray(super().embed_passages(texts)[:, ANOTHER_ORDER])


def turning(intake: Intake) -> Intake:
    """The same with the other model."""
    return replace(intake, services=replace(intake.services, embedder=TurnedEmbedder()))


def searched_with(services: CollectionServices) -> list[str]:
    """By which model each book is searched."""
    return [book.active.key.model for book in services.catalog.books(SCHOOL) if book.active]


def found(services: CollectionServices) -> list[tuple[str, float]]:
    evidence = find_evidence(ESSAY, Scope(SCHOOL), services).evidence
    return [(one.passage.sentence.text, round(one.score, 3)) for one in evidence]


def with_two_books(town: Town) -> Town:
    for text, name in ((CALM, "Calm.pdf"), (ROUGH, "Rough.pdf")):
        add_book(text, name, SCHOOL, town.intake.services, LIMITS, title=f"The {name}")
    return town


def here(intake: Intake) -> list[CatalogBook]:
    return list(reembed(SCHOOL, intake, lambda _: IndexHere()))


def asked(town: Town, asked_by: str = "somebody") -> Town:
    """Its books are to be embedded anew; the tasks wait."""
    town.intake = turning(town.intake)
    by_tasks = IndexByTasks(town.intake.queue, town.intake.batch_sentences, asked_by)
    list(reembed(SCHOOL, town.intake, lambda _: by_tasks))
    return town


def test_each_book_is_found_again_when_it_is_embedded_anew_and_nothing_is_left_of_the_old_model(town: Town) -> None:
    with_two_books(town)
    correct_book(SCHOOL, town.catalog.books(SCHOOL)[0].id, lambda old: replace(old, authors=("Ann",)), town.intake.services)
    before, anew = found(town.intake.services), turning(town.intake)
    services = anew.services
    with refused(NotFound, "collection_indexed_otherwise"):
        find_evidence(ESSAY, Scope(SCHOOL), services)
    halfway = next(reembed(SCHOOL, anew, lambda _: IndexHere()))

    done = here(anew)

    assert (halfway.id, [book.id for book in done]) == ("calm", ["rough"])
    assert searched_with(services) == ["turned", "turned"]
    assert found(services) == before
    assert (town.parser.calls, town.models()) == (2, {"turned"})
    assert [(book.title, book.corrections.authors) for book in town.catalog.books(SCHOOL)] == [
        ("The Calm.pdf", ("Ann",)),
        ("The Rough.pdf", None),
    ]
    assert {version.key.model for book in town.catalog.books(SCHOOL) for version in book.versions} == {"turned"}
    contents = town.contents()
    assert here(anew) == []  # the same again is nothing to do
    assert town.contents() == contents


def test_killed_before_any_write_the_same_again_finishes(tmp_path: Path) -> None:
    begun = with_two_books(Town(tmp_path / "begun"))
    end = begun.copy(tmp_path / "end")
    here(turning(end.intake))

    for write in range(1, 100, 2):
        town = begun.copy(tmp_path / str(write))
        with town.closing:
            with suppress(Killed):
                here(turning(town.watched(Clockwork(kill_before=write))))
                break
            here(turning(town.intake))
            assert town.contents() == end.contents()
    assert 12 < write < 99


def test_a_file_added_again_ends_what_was_killed_before_its_last_step(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    anew = turning(with_two_books(town).intake)
    with monkeypatch.context() as patch:
        patch.setattr("chapterverse.library.versions.remove_superseded", Mock(side_effect=Killed))
        with pytest.raises(Killed):
            here(anew)
    [left, _] = town.catalog.books(SCHOOL)

    added = add_book(CALM, "Calm.pdf", SCHOOL, anew.services, LIMITS)

    assert ([version.key.model for version in left.versions], added.outcome) == (["turned", "words"], Outcome.UNCHANGED)
    assert [version.key.model for version in added.book.versions] == ["turned"]


def test_a_book_whose_parsed_form_is_lost_is_named_and_left_as_it_is_not_parsed_by_another_parser(town: Town) -> None:
    [calm, _] = with_two_books(town).catalog.books(SCHOOL)
    town.bucket.delete(book_name(calm.active.key))
    before = town.contents()

    with refused(NotFound, "nothing_stored"):
        here(turning(town.intake))

    assert (town.contents(), town.parser.calls) == (before, 2)


@pytest.mark.parametrize("seed", range(3))
def test_tasks_in_any_order_leave_what_one_process_leaves(town: Town, tmp_path: Path, seed: int) -> None:
    at_once = with_two_books(town).copy(tmp_path / "at-once")
    here(turning(at_once.intake))

    asked(town).do_in_any_order(Random(seed))

    assert town.contents() == at_once.contents()


def test_tasks_that_were_lost_are_asked_for_again_and_no_other_model_than_they_say_makes_vectors(town: Town) -> None:
    by_words = with_two_books(town).intake
    asked(town)
    with refused(EmbedderUnavailable, "no_embedder_of_model"):
        run_task(town.queue.waiting[0], 1, by_words)
    town.queue.waiting.clear()

    asked(town, "somebody else")
    town.do_all()

    assert searched_with(town.intake.services) == ["turned", "turned"]


def test_a_file_replaced_meanwhile_is_what_is_searched(town: Town) -> None:
    asked(with_two_books(town))

    town.receive(b"The sea was calm again.|The wind fell.", "Rough.pdf")
    town.do_in_any_order(Random(1))
    town.do_all()

    assert searched_with(town.intake.services) == ["turned", "turned"]
    assert [(hit, score > 0.4) for hit, score in found(town.intake.services)] == [("Nobody saw the ship.", True)]
    assert all(len(book.versions) == 1 for book in town.catalog.books(SCHOOL))
