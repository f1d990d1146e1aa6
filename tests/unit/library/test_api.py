from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from bookreader.worker import read_source
from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import BookId, Collection
from chapterverse.core.errors import BadRequest, NotFound
from chapterverse.core.tasks import StoredFile, Task, TaskKind
from chapterverse.library.chunks import load_sentence_vectors
from chapterverse.library.intake import add_book, file_deleted, receive_file, use_in
from chapterverse.library.model import SCHOOL_LIMITS, VersionKey, collection_of, is_misplaced, parts_of
from chapterverse.messages import plain
from chapterverse.settings import Settings
from chapterverse.web.operations import LARGE
from tests.support.books import LIMITS, report
from tests.support.pdfs import a_pdf
from tests.support.refusals import refused
from tests.support.shelved import shelve
from tests.support.web import Caller, Site, site
from tests.support.word_embedder import WordEmbedder

COLLECTIONS = "/api/v1/collections"
BOOKS = f"{COLLECTIONS}/books/sources"
BOOK = f"{BOOKS}/on-liberty"
USES = f"{BOOK}/uses"
GATES = ["Whoever runs is early at the gate.", "Nobody waits for those who walk."]


def test_how_far_a_book_has_come_can_be_watched_and_why_it_failed(empty_site: Site) -> None:
    key, catalog, student = VersionKey("school", BookId("emma"), "v", "words"), empty_site.services.catalog, empty_site.caller()
    catalog.begin(key, "emma.pdf")
    begun = student("GET", f"{BOOKS}/emma").get_json()
    catalog.parsed(key, report(), 3, batches=2)
    catalog.batch_done(key, 1)
    indexing = student("GET", f"{BOOKS}/emma").get_json()
    catalog.failed(key, "no_text", plain("Run text recognition over it first."))
    book = student("GET", f"{BOOKS}/emma").get_json()

    seen = [(each["state"], each["progress"]["done"], each["progress"]["total"]) for each in (begun, indexing)]
    assert seen == [("uploaded", 0, 0), ("indexing", 1, 2)]
    assert (book["state"], book["reason"], book["message"]) == ("failed", "no_text", "Run text recognition over it first.")


def test_a_file_waits_visibly_from_the_moment_it_is_accepted(library: Site, student: Caller, teacher: Caller) -> None:
    files = library.parts.files
    files.write("school/Late Book.pdf", b"A book.")
    files.write("school/documents/Notes.pdf", b"Of another collection.")

    shown = student("GET", f"{BOOKS}/late-book").get_json()["state"]
    listed = student("GET", BOOKS).get_json()["sources"]
    removed = teacher("DELETE", f"{BOOKS}/late-book").status_code

    assert shown == "waiting"
    assert [(book["source"], book["state"]) for book in listed] == [("on-liberty", "ready"), ("late-book", "waiting")]
    assert (removed, student("GET", f"{BOOKS}/late-book").status_code) == (204, 404)


def test_an_upload_that_breaks_off_leaves_nothing(library: Site, teacher: Caller) -> None:
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="Late.pdf"\r\n\r\nHalf of'

    broken = teacher("POST", BOOKS, data=head, content_type="multipart/form-data; boundary=x")

    assert broken.status_code == 400
    with pytest.raises(NotFound):
        library.parts.intake.uploads.find("school/Late.pdf")


def test_a_teachers_correction_is_seen_at_once_and_everywhere(student: Caller, teacher: Caller, sentence: str) -> None:
    change = {"title": "On Freedom", "authors": ["J. S. Mill"], "chapters": {"0": "Introductory"}, "page_labels": {"6": "35"}}

    book = teacher("PATCH", BOOK, change).get_json()

    assert (book["title"], book["authors"], book["chapters"][0]["title"]) == ("On Freedom", ["J. S. Mill"], "Introductory")
    assert book == student("GET", BOOK).get_json()
    assert student("GET", BOOKS).get_json()["sources"][0]["title"] == "On Freedom"
    evidence = student("GET", f"/api/v1/evidence/{sentence}").get_json()
    assert evidence["citation"] == "(On Freedom, Chapter I, Page 35)"
    assert evidence["sentence"]["chapter"] == "Introductory"

    book = teacher("PATCH", BOOK, {"page_labels": None, "page_counts": {"4": "33"}}).get_json()  # all pages from one on
    assert book["corrections"]["page_counts"] == {"4": "33"}
    assert student("GET", f"/api/v1/evidence/{sentence}").get_json()["citation"] == "(On Freedom, Chapter I, Page 35)"
    assert teacher("PATCH", BOOK, {"page_counts": {"4": None}}).get_json()["corrections"]["page_counts"] == {}


def test_what_a_correction_does_not_name_stays_null_takes_one_back_and_what_is_none_is_refused(teacher: Caller) -> None:
    teacher("PATCH", BOOK, {"title": "On Freedom", "page_labels": {"5": "v", "6": "vi"}})

    book = teacher("PATCH", BOOK, {"page_labels": {"6": None}}).get_json()

    said = {name: corrected for name, corrected in book["corrections"].items() if corrected}
    assert said == {"title": "On Freedom", "page_labels": {"5": "v"}}
    teacher("PATCH", BOOK, {"authors": [], "chapters": {"0": "One"}})
    book = teacher("PATCH", BOOK, {"title": None, "authors": None, "chapters": None}).get_json()
    assert (book["title"], book["authors"], book["chapters"][0]["title"]) == ("On Liberty", ["An Author"], "The Beginning")

    for change in (
        {"title": " \u3000"},
        {"chapters": {"0": "  "}},
        {"title": "a\0b"},
        *({"page_counts": {"4": first}} for first in ("A-1", "iix", "0", "", "xIv")),
    ):
        assert teacher("PATCH", BOOK, change).status_code == 400


def test_a_removed_book_stays_away_a_busy_one_stays(library: Site, teacher: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("chapterverse.library.versions.PATIENCE", 0.2)
    with library.services.catalog.claim("school", BookId("on-liberty")):
        assert teacher("DELETE", BOOK).status_code == 409
    files, intake = library.parts.files, library.parts.intake
    uploaded = files.write("school/On Liberty.pdf", b"A book.")

    assert [teacher(method, BOOK).status_code for method in ("DELETE", "GET", "DELETE")] == [204, 404, 404]
    with pytest.raises(NotFound):
        intake.uploads.find(uploaded.name)


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A school with one source in each collection."""
    with site(tmp_path_factory.mktemp("site")) as running:
        for collection in Collection:
            services = replace(running.parts.collections[collection], parser=read_source)
            add_book(a_pdf(), "principle.pdf", "school", services, LIMITS, title="Principle")
        yield running


@pytest.mark.parametrize("collection", Collection)
def test_every_collection_lists_shows_corrects_and_takes_its_sources(stocked: Site, collection: Collection) -> None:
    teacher, at = stocked.caller(KeyScope.TEACHER), f"{COLLECTIONS}/{collection}/sources"
    source = next(each for each in teacher("GET", at).get_json()["sources"] if each["title"] == "Principle")["source"]

    shown = teacher("GET", f"{at}/{source}").get_json()
    corrected = teacher("PATCH", f"{at}/{source}", {"topics": ["Ethics"]}).get_json()
    sent = teacher.send(at, a_pdf(), "now.pdf")

    assert (shown["state"], shown["report"]["pages"], len(shown["versions"])) == ("ready", 1, 1)
    assert (corrected["source"], corrected["topics"]) == (source, ["Ethics"])
    assert (sent.status_code, sent.get_json()["progress"]) == (202, f"{at}/now")
    assert teacher("GET", f"{at}/now").get_json()["source"] == "now"
    assert teacher("GET", f"{at}/none").status_code == 404


def test_what_a_collection_does_not_take_is_refused(stocked: Site) -> None:
    teacher = stocked.caller(KeyScope.TEACHER)

    refusal = teacher.send(BOOKS, b"# Notes", "notes.md")
    assert (refusal.status_code, refusal.get_json()["values"]["name"]) == (400, "notes.md")
    assert teacher("POST", BOOKS, {"file_name": "a.zip"}).status_code == 400
    assert teacher("POST", BOOKS, {"file_name": "a.pdf", "department": "physics"}).status_code == 400
    assert teacher("GET", f"{COLLECTIONS}/none/sources").status_code == 404
    assert stocked.caller()("GET", f"{COLLECTIONS}/helpdesk/sources").status_code == 403  # for teachers
    assert stocked.caller()("GET", f"{COLLECTIONS}/lectures/sources").status_code == 200


def listed(caller: Caller) -> list[dict[str, Any]]:
    return caller("GET", "/api/v1/library").get_json()["sources"]


def arrived(library: Site, name: str = "school/Gates.pdf") -> StoredFile:
    """A file that came by itself, and was read."""
    stored = library.parts.files.write(name, "|".join(GATES).encode())
    receive_file(stored, library.parts.intake.of(collection_of(name)))
    library.do_tasks()
    return stored


def uses_of_gates(caller: Caller) -> dict[str, str]:
    [uses] = [each["uses"] for each in listed(caller) if each["source"] == "gates"]
    return uses


def test_a_book_that_is_ticked_for_questions_is_asked_without_another_upload(library: Site, teacher: Caller) -> None:
    answer = teacher("PUT", USES, {"uses": ["books", "documents"]})
    library.do_tasks()

    assert answer.status_code == 200
    [source] = listed(teacher)
    assert (source["collection"], source["uses"]) == ("books", {"books": "ready", "documents": "ready"})
    assert source["offered"] == ["books", "documents", "textbook", "helpdesk", "lectures"]
    question = {"question": "Silencing an opinion robs mankind of truth?"}
    told = library.caller()("POST", "/api/v1/documents/ask", question).get_json()
    assert told["claims"][0]["citations"][0]["sentence"]["text"] == "Silencing an opinion robs mankind of truth."


@pytest.mark.parametrize(
    ("name", "uses"),
    [
        ("school/Gates.pdf", {"books", "documents", "textbook", "lectures"}),
        ("school/documents/Gates.pdf", {"documents", "lectures"}),
        ("school/textbook/Gates.pdf", {"documents", "textbook", "lectures"}),
    ],
)
def test_an_uploaded_file_is_ready_for_every_use_each_of_its_sentences_embedded_once(
    library: Site, teacher: Caller, name: str, uses: set[str]
) -> None:
    arrived(library, name)

    assert uses_of_gates(teacher) == dict.fromkeys(uses, "ready")
    embedded = [text for texts in library.services.embedder.embedded for text in texts]
    assert sorted(one for one in embedded if "gate" in one or "walk" in one) == sorted(GATES)


def test_a_use_that_is_ticked_brings_back_none_that_was_unticked(library: Site, teacher: Caller) -> None:
    arrived(library, "school/documents/Gates.pdf")
    for uses in (["documents"], ["documents", "books"]):
        teacher("PUT", f"{COLLECTIONS}/documents/sources/gates/uses", {"uses": uses})
    library.do_tasks()

    assert uses_of_gates(teacher) == {"books": "ready", "documents": "ready"}


def test_a_use_by_another_model_makes_its_own_vectors_of_sentences(library: Site, teacher: Caller) -> None:
    arrived(library, "school/documents/Gates.pdf")
    intake = library.parts.intake.of(Collection.DOCUMENTS)
    other = replace(intake.collections[Collection.TEXTBOOK], embedder=WordEmbedder(model="another"))
    source = intake.services.catalog.book("school", BookId("gates"))

    with_other = replace(intake, collections={**intake.collections, Collection.TEXTBOOK: other})
    use_in(Collection.TEXTBOOK, source, source.active.key, with_other)

    assert len(load_sentence_vectors(intake.services.bucket, source.active.key).ids)
    target = other.key("school", source.id, source.active.key.version)
    assert not len(load_sentence_vectors(other.bucket, target).ids)


@pytest.mark.parametrize("way", ["page", "bucket", "page of another use"])
def test_a_removed_book_is_removed_from_all_that_it_was_given_to(library: Site, teacher: Caller, way: str) -> None:
    stored = arrived(library)
    assert len(uses_of_gates(teacher)) == 4

    if way == "bucket":
        library.parts.files.delete(stored.name)
        file_deleted(stored.name, library.parts.intake)
    else:
        collection = "books" if way == "page" else "textbook"
        assert teacher("DELETE", f"{COLLECTIONS}/{collection}/sources/gates").status_code == 204

    assert [each["source"] for each in listed(teacher)] == ["on-liberty"]
    assert library.parts.files.files("school/") == []
    for services in library.parts.collections.values():
        assert not [each for each in services.catalog.books("school") if each.id == "gates"]


def test_a_use_with_a_file_of_its_own_outlives_the_other_file(library: Site, teacher: Caller) -> None:
    gone, _ = arrived(library), arrived(library, "school/documents/Gates.pdf")

    library.parts.files.delete(gone.name)
    file_deleted(gone.name, library.parts.intake)

    assert list(uses_of_gates(teacher)) == ["documents", "textbook", "lectures"]


def test_corrections_hold_in_every_use_and_what_is_unticked_is_removed_only_there(library: Site, teacher: Caller) -> None:
    teacher("PATCH", BOOK, {"authors": ["J. S. Mill"]})
    teacher("PUT", USES, {"uses": ["books", "documents"]})
    library.do_tasks()

    teacher("PATCH", BOOK, {"title": "Liberty"})

    left = teacher("PUT", USES, {"uses": ["documents"]}).get_json()

    assert (left["collection"], left["uses"]) == ("documents", {"documents": "ready"})
    with pytest.raises(NotFound):
        library.services.catalog.book("school", BookId("on-liberty"))
    document = library.caller()("GET", f"{COLLECTIONS}/documents/sources/on-liberty").get_json()
    assert (document["title"], document["authors"]) == ("Liberty", ["J. S. Mill"])


def test_another_file_of_the_same_name_is_left_alone(library: Site, teacher: Caller) -> None:
    shelve(library.parts.collections[Collection.DOCUMENTS], "On Liberty", ["Something else stands in this one."])

    answer = teacher("PUT", USES, {"uses": ["books", "documents"]})

    assert answer.status_code == 400
    assert "Another file" in answer.get_json()["detail"]
    assert [list(source["uses"]) for source in listed(teacher)] == [["books"], ["documents"]]


def test_the_help_desks_sources_are_for_teachers(library: Site, teacher: Caller) -> None:
    student = library.caller()
    shelve(desk := library.parts.collections[Collection.HELPDESK], "Desk", ["The library opens at nine in the morning."])
    add_book(b"On Sundays the library is closed.", "faq.json", "school", desk, LIMITS)  # approved answers are no book

    assert [source["title"] for source in listed(student)] == ["On Liberty"]
    assert [source["title"] for source in listed(teacher)] == ["Desk", "On Liberty"]
    assert listed(library.caller(KeyScope.ADMIN, school="another")) == []


def test_without_a_bucket_a_file_comes_as_a_form(library: Site, teacher: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    announced = teacher("POST", BOOKS, {"file_name": "Late.pdf"})
    assert (announced.status_code, announced.get_json()["id"]) == (400, "files_come_as_forms")
    too_long = teacher("POST", BOOKS, {"file_name": "書" * 84 + ".pdf"})  # a name that no file system takes
    assert (too_long.status_code, "at most 255 bytes" in too_long.get_json()["errors"][0]["message"]) == (400, True)
    assert teacher.send(BOOKS, bytes(library.parts.intake.limits.bytes + 1), "Late.pdf").status_code == 413

    tasks, queue = list[Task](), library.parts.intake.queue
    with monkeypatch.context() as patch:
        patch.setattr(type(library.parts.intake.uploads), "files", None)  # a file costs no more where many wait
        answer = teacher.send(BOOKS, a_pdf(), "Late.pdf")

    queue.start(lambda task, _: tasks.append(task))
    queue.wait_until_idle(10)
    queue.close()
    assert (answer.status_code, answer.get_json()["source"]) == (202, "late")
    [file] = library.parts.intake.uploads.files("school/")
    assert file.name == "school/Late.pdf"
    assert [(task.kind, task.body["name"]) for task in tasks] == [(TaskKind.RECEIVE, "school/Late.pdf")]


def test_a_large_file_of_a_school_with_much_work_lets_others_go_first(library: Site, teacher: Caller) -> None:
    turns = library.parts.intake.turns

    with ThreadPoolExecutor(1) as pool, turns.of("school").taken(at_once=True):
        with turns.of("harbour").taken():
            answer = pool.submit(teacher.send, BOOKS, a_pdf() + bytes(LARGE), "Late.pdf")
            with pytest.raises(TimeoutError):
                answer.result(timeout=0.5)

        assert answer.result(timeout=60).status_code == 202


@pytest.mark.parametrize(
    ("name", "collection", "file_name", "misplaced"),
    [
        ("school/emma.pdf", Collection.BOOKS, "emma.pdf", False),
        ("school/term 1/emma.pdf", Collection.BOOKS, "term 1/emma.pdf", True),
        ("school/helpdesk/physics/old/rules.pdf", Collection.HELPDESK, "physics/old/rules.pdf", True),
        ("school/textbook/robots.ZIP", Collection.TEXTBOOK, "robots.ZIP", False),
        ("school/helpdesk/rules.pdf", Collection.HELPDESK, "rules.pdf", False),
        ("documents/rules.pdf", Collection.BOOKS, "rules.pdf", False),
        ("school/books/emma.pdf", Collection.BOOKS, "books/emma.pdf", True),
    ],
)
def test_a_files_folder_says_what_it_is_put_in(name: str, collection: Collection, file_name: str, misplaced: bool) -> None:
    assert collection_of(name) is collection
    assert parts_of(name) == (name.partition("/")[0], file_name)
    assert is_misplaced(name) is misplaced


def test_a_name_that_no_source_has_is_refused_and_the_usual_number_of_books_is_the_default_of_the_setting() -> None:
    assert Settings.model_fields["max_books"].default == SCHOOL_LIMITS.books
    no_school, no_file = ("", "emma.pdf", "/emma.pdf"), ("", "emma.txt", "emma.zip", ".pdf", "a\0.pdf")
    for name in (*no_school, *(f"school/{each}" for each in (*no_file, "textbook/faq.json", "helpdesk/faq.json"))):
        with refused(BadRequest, "wrong_ending"):
            parts_of(name)
