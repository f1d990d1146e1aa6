"""Files that arrive by themselves: whatever comes twice, late, at once or never, the shelf is that of the last files."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import Mock

import pytest

from bookreader.source import version_of
from chapterverse.core.book import Book, BookId, Limits
from chapterverse.core.errors import BadBook, BookBusy, IndexUnavailable, RecognitionElsewhere
from chapterverse.core.hits import Record
from chapterverse.core.tasks import TaskKind
from chapterverse.infrastructure.vectors.bucket import BucketIndex
from chapterverse.library.artefacts import book_name, vectors_name
from chapterverse.library.intake import AddedBook, Outcome, add_book, file_deleted, receive_file, refuse_file, resume
from chapterverse.library.model import VersionKey, VersionState
from chapterverse.library.services import CollectionServices, Intake
from chapterverse.library.versions import IndexHere, Stage, give_up_abandoned, remove_book
from chapterverse.messages import plain
from tests.support.books import LIMITS
from tests.support.epubs import epub
from tests.support.intake import SCHOOL, Clockwork, Killed, ListQueue, Town
from tests.support.refusals import refused
from tests.support.word_embedder import WordEmbedder

TEXT = b"The sea was calm.|The wind rose.\nNobody saw the ship.|It went down.\nThe end."
OTHER_TEXT = b"The sea was rough.|No ship was out."
NOTHING = {"shelf": [], "versions": [], "bucket": {}, "index": {}}
KEY = VersionKey(SCHOOL, BookId("at-sea"), version_of(TEXT), "words")


def undisturbed(folder: Path, *texts: bytes) -> dict[str, object]:
    """What there is after these files came one after the other."""
    town = Town(folder)
    with town.closing:
        for text in texts:
            town.receive(text)
            town.do_all()
        return town.contents()


def with_recognition_elsewhere(town: Town) -> Intake:
    """The intake of a function, to which every file is a scan."""

    def parser(data: bytes, book: BookId, limits: Limits, progress: object = None) -> Book:
        assert not limits.recognition_seconds
        raise RecognitionElsewhere("recognition_elsewhere", pages=1)

    return replace(town.intake, services=replace(town.intake.services, parser=parser)).recognizing_for(0)


def state(town: Town) -> VersionState:
    return town.book().newest.state


def test_a_file_that_took_too_long_is_set_aside_under_any_name_until_it_is_removed(town: Town) -> None:
    read: list[BookId] = []

    def parser(data: bytes, book: BookId, limits: Limits, progress: object = None) -> Book:
        read.append(book)
        raise BadBook("too_slow", "file_too_slow", what="a PDF", mib=1, seconds=20)

    intake = replace(town.intake, services=replace(town.intake.services, parser=parser))
    for name in ("poison.pdf", "poison.pdf", "copy.pdf"):
        receive_file(town.put(TEXT, name), intake)
    states = {book.id: (book.newest.state, book.newest.reason) for book in town.catalog.books(SCHOOL)}
    once = list(read)
    for book in states:
        remove_book(SCHOOL, BookId(book), intake.services)
    receive_file(town.put(TEXT, "poison.pdf"), intake)

    assert states == dict.fromkeys(("poison", "copy"), (VersionState.FAILED, "too_slow"))
    assert (once, read) == (["poison"], ["poison", "poison"])


def test_an_e_book_that_took_too_long_is_not_read_again(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []

    def as_pdf(data: bytes, limits: Limits) -> bytes:
        read.append(data)
        raise BadBook("too_slow", "file_too_slow", what="an e-book", mib=1, seconds=60)

    monkeypatch.setattr("chapterverse.library.intake.as_pdf", as_pdf)
    book = epub([("Slow", "<p>It never ends.</p>")])
    for name in ("poison.epub", "copy.epub"):
        receive_file(town.put(book, name), town.intake)
    with pytest.raises(BadBook):
        add_book(book, "again.epub", SCHOOL, town.intake.services, LIMITS)

    assert len(read) == 1
    assert [each.newest.reason for each in town.catalog.books(SCHOOL)] == ["too_slow"] * 3


def test_a_file_is_parsed_when_it_arrives_and_searched_when_its_batches_are_done(town: Town) -> None:
    town.receive(TEXT)
    indexing, tasks = town.book().newest, len(town.queue.waiting)
    town.do_all()

    book = town.book()
    assert (indexing.state, indexing.batches_done, indexing.batches, tasks) == (VersionState.INDEXING, 0, 3, 3)
    assert (book.id, book.title, book.active.state, book.active.sentences) == ("at-sea", "Printed Title", "ready", 5)
    assert town.index.count(book.active.key.partition, book.active.key.version) == 5

    town.receive(b"scanned")  # and put back after a bad one it is ready at once
    bad = town.book().newest
    town.receive(TEXT)
    assert (bad.state, bad.reason) == (VersionState.FAILED, "no_text")
    assert state(town) is VersionState.READY


def test_a_scan_is_handed_to_the_worker_which_leaves_what_adding_at_once_leaves(town: Town, tmp_path: Path) -> None:
    function = with_recognition_elsewhere(town)
    file = town.put(TEXT)

    for _ in range(2):  # the event comes twice
        receive_file(file, function)
    waiting, then = state(town), [task.kind for task in town.queue.waiting]
    town.do_all()

    assert (waiting, then, town.parser.calls) == (VersionState.PARSING, [TaskKind.RECEIVE], 1)
    assert town.contents() == undisturbed(tmp_path / "undisturbed", TEXT)
    at_once = Town(tmp_path / "at-once")
    add_book(TEXT, "At Sea.pdf", SCHOOL, at_once.intake.services, LIMITS)
    assert at_once.contents() == town.contents()
    at_once.catalog.close()


@pytest.mark.parametrize("limit", [{"books": 1}, {"bytes": 10}])
def test_a_file_beyond_a_limit_is_on_record_and_can_come_again(town: Town, limit: dict[str, int]) -> None:
    if "books" in limit:
        town.receive(OTHER_TEXT, "Another.pdf")
        town.do_all()
    full = replace(town.intake, limits=replace(LIMITS, **limit))
    file = town.put(TEXT)
    for _ in range(2):
        receive_file(file, full)
    refused = town.catalog.book(SCHOOL, "at-sea")
    receive_file(file, town.intake)
    town.do_all()

    assert [version.reason for version in refused.versions] == ["too_large"]
    assert [v.state for v in town.catalog.book(SCHOOL, "at-sea").versions] == [VersionState.READY]


def test_a_file_in_a_folder_within_the_schools_is_on_record_until_it_is_put_where_it_belongs(town: Town) -> None:
    lost = town.receive(TEXT, "term 1/At Sea.pdf")
    on_record = town.book()
    town.uploads.delete(lost.name)
    town.receive(TEXT, "At Sea.pdf")
    file_deleted(lost.name, town.intake)
    town.do_all()

    progress = on_record.newest
    assert (on_record.file_name, progress.state, progress.reason) == ("term 1/At Sea.pdf", VersionState.FAILED, "misplaced")
    assert (town.book().id, state(town)) == ("at-sea", VersionState.READY)


def test_a_name_that_another_file_takes_meanwhile_is_asked_for_again(town: Town) -> None:
    town.put(TEXT, "UPPER.PDF")
    claim = town.catalog.claim

    def overtaken(school: str, what: str) -> object:
        town.catalog.claim = claim
        town.receive(OTHER_TEXT, "upper.pdf")
        return claim(school, what)

    town.catalog.claim = overtaken
    with pytest.raises(BookBusy):
        receive_file(town.uploads.find("school/UPPER.PDF"), town.intake)

    assert town.book().file_name == "upper.pdf"


def test_a_copys_vectors_are_not_removed_while_they_are_written(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chapterverse.library.versions.PATIENCE", 0.0)
    old = town.receive(TEXT)
    town.do_all()
    town.receive(TEXT, "Afloat.pdf")
    town.uploads.delete(old.name)
    write, refused = town.vectors.write, list[str]()

    def meddle(name: str, data: bytes) -> None:
        write(name, data)
        with pytest.raises(BookBusy):
            file_deleted(old.name, town.intake)
        refused.append(old.name)

    town.vectors.write = meddle
    town.do_all()
    file_deleted(old.name, town.intake)

    assert refused
    assert (town.book().file_name, state(town), len(town.searched())) == ("Afloat.pdf", VersionState.READY, 1)


def full(town: Town) -> Intake:
    """No room but for one book."""
    return replace(town.intake, limits=replace(LIMITS, books=1))


def test_of_files_refused_for_want_of_room_one_comes_in_when_another_is_deleted_though_the_first_is_held(town: Town) -> None:
    first = town.receive(TEXT)
    town.do_all()
    for name, text in (("A Storm.pdf", OTHER_TEXT), ("Bees.pdf", b"Bees.|Honey.")):
        receive_file(town.put(text, name), full(town))
    town.uploads.delete(first.name)

    with town.catalog.claim(SCHOOL, "a-storm"), pytest.raises(BookBusy):
        file_deleted(first.name, full(town))
    town.do_all()

    assert [book.id for book in town.catalog.books(SCHOOL) if book.active] == ["bees"]


def test_a_part_written_while_the_book_is_removed_does_not_stay(town: Town) -> None:
    town.receive(TEXT)
    embed = town.embedder.embed_passages

    def remove_meanwhile(texts: list[str]) -> object:
        town.embedder.embed_passages = embed
        remove_book(SCHOOL, "at-sea", town.intake.services)
        return embed(texts)

    town.embedder.embed_passages = remove_meanwhile
    town.do_all()

    assert town.contents() == NOTHING


def test_a_process_that_starts_again_finds_what_was_left_undone(town: Town, tmp_path: Path) -> None:
    town.receive(TEXT)
    town.do_all()
    town.receive(OTHER_TEXT)
    town.put(b"Bees.|Honey.", "Bees.pdf")  # never received
    town.put(b"Ants.|Leaves.", "Ants.pdf")  # given up by another process after this one was killed
    town.catalog.begin(replace(KEY, book=BookId("ants"), version=version_of(b"Ants.|Leaves.")), "Ants.pdf")
    give_up_abandoned(SCHOOL, town.intake.services)
    town.receive(b"scanned", "Scanned.pdf")
    town.intake = replace(town.intake, queue=ListQueue())
    town.queue = town.intake.queue

    resume(SCHOOL, town.intake)
    town.do_all()

    states = {book.file_name: [v.state for v in book.versions] for book in town.catalog.books(SCHOOL)}
    assert states == {name: ["ready"] for name in ("Ants.pdf", "At Sea.pdf", "Bees.pdf")} | {"Scanned.pdf": ["failed"]}
    assert town.parser.calls == 5


def test_an_event_given_up_is_on_record_and_one_of_a_file_that_is_gone_is_nothing(town: Town) -> None:
    file = town.put(TEXT)
    refuse_file(file, "gave_up", plain("Upload the file again."), town.intake)
    given_up = town.book().newest
    town.uploads.delete(file.name)
    with town.catalog.claim(SCHOOL, "at-sea"), pytest.raises(BookBusy):  # not while somebody takes it in
        file_deleted(file.name, town.intake)
    file_deleted(file.name, town.intake)
    refuse_file(file, "gave_up", plain("Upload the file again."), town.intake)

    assert (given_up.reason, str(given_up.message)) == ("gave_up", "Upload the file again.")
    assert town.catalog.books(SCHOOL) == []


def in_tasks(text: bytes, town: Town, clockwork: Clockwork) -> None:
    """What has not come to its end is delivered: the event, then its tasks."""
    intake = town.watched(clockwork)
    while town.events:
        receive_file(town.events[0], intake)
        town.events.pop()
    town.queue.do_all(intake)


def at_once(text: bytes, town: Town, clockwork: Clockwork) -> None:
    add_book(text, "At Sea.pdf", SCHOOL, town.watched(clockwork).services, LIMITS)


def removed(text: bytes, town: Town, clockwork: Clockwork) -> None:
    town.uploads.delete("school/At Sea.pdf")
    file_deleted("school/At Sea.pdf", town.watched(clockwork))


@pytest.mark.parametrize("way", [in_tasks, at_once, removed])
def test_killed_and_told_again_all_is_as_if_not(tmp_path: Path, way: Callable[[bytes, Town, Clockwork], None]) -> None:
    """A book replaced: killed before its first write, its second … until there is no more to kill."""
    before, after = Town(tmp_path / "before"), list[dict[str, object]]()
    before.receive(TEXT)
    before.do_all()
    before.catalog.close()
    for kill_before in (None, *range(1, 200)):
        town, clockwork = before.copy(tmp_path / str(kill_before)), Clockwork(kill_before)
        with town.closing:
            town.events.append(town.put(OTHER_TEXT))
            try:
                way(OTHER_TEXT, town, clockwork)
            except Killed:
                way(OTHER_TEXT, town, Clockwork())
            after.append(town.contents())
        assert after[-1] == after[0], f"killed before write {kill_before}"
        if kill_before and clockwork.writes < kill_before:
            break

    assert len(after) > 5
    assert clockwork.writes < kill_before


def add(services: CollectionServices, pdf: bytes = TEXT, file_name: str = "At Sea.pdf", **options: object) -> AddedBook:
    return add_book(pdf, file_name, SCHOOL, services, LIMITS, **options)


def found(services: CollectionServices, query: str) -> list[Record]:
    """The nearest sentence of the books that may be searched."""
    active = [book.active.key for book in services.catalog.books(SCHOOL) if book.active]
    vectors = services.embedder.embed_queries([query])
    [hits] = services.index.search(KEY.partition, vectors, k=1, books=[key.version for key in active])
    return [hit.record for hit in hits]


def test_an_added_book_is_found_though_the_index_was_lost(
    services: CollectionServices, monkeypatch: pytest.MonkeyPatch
) -> None:
    added = add(services)

    assert (added.outcome, added.book.id, added.book.title) == (Outcome.ADDED, "at-sea", "Printed Title")
    assert (added.book.active.state, added.book.active.sentences) == (VersionState.READY, 5)
    services.index.remove(KEY.partition, KEY.version)
    with monkeypatch.context() as patch:
        patch.setattr(WordEmbedder, "embed_passages", None)
        assert add(services).outcome is Outcome.REBUILT  # of what is kept
    assert services.parser.calls == 1
    [record] = found(services, "Who saw a ship?")
    assert (record.book, record.chapter, record.page, record.prev_sentence_id) == ("at-sea", "The Beginning", "vii", None)
    again = add(services, file_name="Copy of At Sea.pdf")  # the same bytes
    assert (again.outcome, again.book.id) == (Outcome.UNCHANGED, "at-sea")


@pytest.mark.parametrize("name", [book_name(KEY), vectors_name(KEY)])
@pytest.mark.parametrize("left", [None, 0, 40])
def test_what_is_lost_is_made_again_from_the_file(services: CollectionServices, name: str, left: int | None) -> None:
    add(services)
    bucket, kept = services.bucket, services.bucket.read(name)
    bucket.delete(name) if left is None else bucket.write(name, kept[:left])

    again = add(services)

    assert again.outcome is Outcome.REBUILT
    assert bucket.read(name) == kept


@pytest.mark.parametrize("stage", list(Stage))
def test_a_book_being_added_is_left_alone_by_others_and_one_interrupted_says_so_and_can_be_added_again(
    services: CollectionServices, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chapterverse.library.versions.PATIENCE", 0.0)
    refusals: list[str] = []

    def meddle(now: Stage, _done: int, _total: int) -> None:
        if now is stage:
            for work in (add, lambda of: add(of, OTHER_TEXT), lambda of: remove_book(SCHOOL, KEY.book, of)):
                with refused(BookBusy, "book_busy"):
                    work(services)
                refusals.append(now)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        add(services, indexing=IndexHere(meddle))

    assert refusals
    version = services.catalog.book(SCHOOL, KEY.book).newest
    assert (version.state, version.reason) == (VersionState.FAILED, "interrupted")
    assert add_book(OTHER_TEXT, "B.pdf", SCHOOL, services, replace(LIMITS, books=1)).outcome is Outcome.ADDED
    assert add(services).outcome is Outcome.ADDED
    assert found(services, "ship")


def test_a_book_whose_removal_broke_off_is_not_searched(services: CollectionServices, monkeypatch: pytest.MonkeyPatch) -> None:
    add(services)
    monkeypatch.setattr(BucketIndex, "remove", Mock(side_effect=IndexUnavailable("Away.")))

    with pytest.raises(IndexUnavailable):
        remove_book(SCHOOL, KEY.book, services)

    assert services.catalog.book(SCHOOL, KEY.book).active is None
