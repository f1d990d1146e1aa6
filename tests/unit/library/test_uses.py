"""One file in the library serves several applications."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from chapterverse.accounts.model import KeyScope
from chapterverse.core.book import BookId, Collection
from chapterverse.core.errors import NotFound
from chapterverse.core.tasks import StoredFile
from chapterverse.library.chunks import load_sentence_vectors
from chapterverse.library.intake import add_book, file_deleted, receive_file, use_in
from chapterverse.library.model import collection_of
from tests.support.books import LIMITS
from tests.support.shelved import shelve
from tests.support.web import Caller, Site, site
from tests.support.word_embedder import WordEmbedder

USES = "/api/v1/collections/books/sources/on-liberty/uses"
ABOUT = ["Silencing an opinion robs mankind of the truth.", "Custom grows where nobody chooses."]


@pytest.fixture
def school(tmp_path: Path) -> Iterator[Site]:
    with site(tmp_path) as running:
        shelve(running.services, "On Liberty", ABOUT)
        yield running


@pytest.fixture
def teacher(school: Site) -> Caller:
    return school.caller(KeyScope.TEACHER)


def library(caller: Caller) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = caller("GET", "/api/v1/library").get_json()["sources"]
    return found


def arrived(school: Site, data: bytes, name: str = "school/Gates.pdf") -> StoredFile:
    """A file that came by itself, and was read."""
    assert school.parts.files is not None
    stored = school.parts.files.write(name, data)
    receive_file(stored, school.parts.intake.of(collection_of(name)))
    school.do_tasks()
    return stored


def test_a_book_that_is_ticked_for_questions_is_asked_without_another_upload(school: Site, teacher: Caller) -> None:
    answer = teacher("PUT", USES, {"uses": ["books", "documents"]})
    school.do_tasks()

    assert answer.status_code == 200
    [source] = library(teacher)
    assert (source["collection"], source["uses"]) == ("books", {"books": "ready", "documents": "ready"})
    assert source["offered"] == ["books", "documents", "textbook", "helpdesk", "lectures"]
    told = school.caller()(
        "POST", "/api/v1/documents/ask", {"question": "Silencing an opinion robs mankind of the truth?"}
    ).get_json()
    assert told["claims"][0]["citations"][0]["sentence"]["text"] == ABOUT[0]


@pytest.mark.parametrize(
    ("name", "uses"),
    [
        ("school/Gates.pdf", {"books", "documents", "textbook", "lectures"}),
        ("school/documents/Gates.pdf", {"documents", "lectures"}),
        ("school/textbook/Gates.pdf", {"documents", "textbook", "lectures"}),
    ],
)
def test_an_uploaded_file_is_ready_for_every_use_and_its_sentences_are_all_that_is_embedded_each_once(
    school: Site, teacher: Caller, monkeypatch: pytest.MonkeyPatch, name: str, uses: set[str]
) -> None:
    embedded: list[str] = []
    embed = WordEmbedder.embed_passages
    monkeypatch.setattr(WordEmbedder, "embed_passages", lambda self, texts: embedded.extend(texts) or embed(self, texts))
    said = ["Whoever runs is early at the gate.", "Nobody waits for those who walk."]
    arrived(school, "|".join(said).encode(), name)

    [source] = [each for each in library(teacher) if each["source"] == "gates"]
    assert source["uses"] == dict.fromkeys(uses, "ready")
    assert sorted(one for one in embedded if "gate" in one or "walk" in one) == sorted(said)


def test_a_use_that_is_ticked_brings_back_none_that_was_unticked(school: Site, teacher: Caller) -> None:
    arrived(school, b"Whoever runs is early at the gate.|Nobody waits for them.", "school/documents/Gates.pdf")
    uses = "/api/v1/collections/documents/sources/gates/uses"
    teacher("PUT", uses, {"uses": ["documents"]})

    teacher("PUT", uses, {"uses": ["documents", "books"]})
    school.do_tasks()

    [source] = [each for each in library(teacher) if each["source"] == "gates"]
    assert source["uses"] == {"books": "ready", "documents": "ready"}


def test_a_use_by_another_model_makes_its_own_vectors_of_sentences(school: Site, teacher: Caller) -> None:
    arrived(school, b"Whoever runs is early at the gate.|Nobody waits for them.", "school/documents/Gates.pdf")
    intake = school.parts.intake.of(Collection.DOCUMENTS)
    other = replace(intake.collections[Collection.TEXTBOOK], embedder=WordEmbedder(model="another"))
    source = intake.services.catalog.book("school", BookId("gates"))

    with_other = replace(intake, collections={**intake.collections, Collection.TEXTBOOK: other})
    use_in(Collection.TEXTBOOK, source, source.active.key, with_other)

    assert len(load_sentence_vectors(intake.services.bucket, source.active.key).ids)
    target = other.key("school", source.id, source.active.key.version)
    assert not len(load_sentence_vectors(other.bucket, target).ids)


@pytest.mark.parametrize("way", ["page", "bucket", "page of another use"])
def test_a_removed_book_is_removed_from_all_that_it_was_given_to(school: Site, teacher: Caller, way: str) -> None:
    stored = arrived(school, b"Whoever runs is early at the gate.|Nobody waits for them.")
    assert len(next(each for each in library(teacher) if each["source"] == "gates")["uses"]) == 4

    if way == "bucket":
        school.parts.files.delete(stored.name)
        file_deleted(stored.name, school.parts.intake)
    else:
        collection = "books" if way == "page" else "textbook"
        assert teacher("DELETE", f"/api/v1/collections/{collection}/sources/gates").status_code == 204

    assert [each["source"] for each in library(teacher)] == ["on-liberty"]
    assert school.parts.files.files("school/") == []
    for services in school.parts.collections.values():
        assert not [each for each in services.catalog.books("school") if each.id == "gates"]


def test_a_use_with_a_file_of_its_own_outlives_the_other_file(school: Site, teacher: Caller) -> None:
    data = b"Whoever runs is early at the gate.|Nobody waits for them."
    gone, _ = arrived(school, data), arrived(school, data, "school/documents/Gates.pdf")

    school.parts.files.delete(gone.name)
    file_deleted(gone.name, school.parts.intake)

    [left] = [each for each in library(teacher) if each["source"] == "gates"]
    assert list(left["uses"]) == ["documents", "textbook", "lectures"]


def test_corrections_hold_in_every_use_and_what_is_unticked_is_removed_only_there(school: Site, teacher: Caller) -> None:
    teacher("PATCH", "/api/v1/collections/books/sources/on-liberty", {"authors": ["J. S. Mill"]})
    teacher("PUT", USES, {"uses": ["books", "documents"]})
    school.do_tasks()

    teacher("PATCH", "/api/v1/collections/books/sources/on-liberty", {"title": "Liberty"})

    left = teacher("PUT", USES, {"uses": ["documents"]}).get_json()

    assert (left["collection"], left["uses"]) == ("documents", {"documents": "ready"})
    with pytest.raises(NotFound):
        school.services.catalog.book("school", BookId("on-liberty"))
    document = school.caller()("GET", "/api/v1/collections/documents/sources/on-liberty").get_json()
    assert (document["title"], document["authors"]) == ("Liberty", ["J. S. Mill"])


def test_another_file_of_the_same_name_is_left_alone(school: Site, teacher: Caller) -> None:
    shelve(school.parts.collections[Collection.DOCUMENTS], "On Liberty", ["Something else stands in this one."])

    answer = teacher("PUT", USES, {"uses": ["books", "documents"]})

    assert answer.status_code == 400
    assert "Another file" in answer.get_json()["detail"]
    assert [list(source["uses"]) for source in library(teacher)] == [["books"], ["documents"]]


def test_the_help_desks_sources_are_for_teachers(school: Site, teacher: Caller) -> None:
    student = school.caller()
    shelve(desk := school.parts.collections[Collection.HELPDESK], "Desk", ["The library opens at nine in the morning."])
    add_book(b"On Sundays the library is closed.", "faq.json", "school", desk, LIMITS)  # approved answers are no book

    assert [source["title"] for source in library(student)] == ["On Liberty"]
    assert [source["title"] for source in library(teacher)] == ["Desk", "On Liberty"]
    assert library(school.caller(KeyScope.ADMIN, school="another")) == []
