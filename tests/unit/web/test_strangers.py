"""Whatever has an id, and whoever knows it: nobody of another school reaches it by any operation, nor does a student what is
another student's. The operations are read from the app, so one that is added is tried, too."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from flask.testing import FlaskClient

from chapterverse.accounts.model import KeyScope, Provider
from chapterverse.accounts.sign_in import register
from chapterverse.assignments.model import Assignment
from chapterverse.core.book import Collection
from chapterverse.core.requests import PREFIX
from chapterverse.lti.model import Platform
from chapterverse.operations.archive import school_archive
from chapterverse.web.app import OPERATIONS
from chapterverse.web.operations import Operation
from tests.support.browsers import OURS, browser_of
from tests.support.shelved import shelve
from tests.support.web import ESSAY, WITHIN, Caller, Site, site, wait_for_essays

AT = "https://moodle.school.example"
ABOUT = [
    "Silencing an opinion robs mankind of the truth.",
    "Custom grows wherever nobody chooses anything and everybody merely follows.",
    "Habits become chains wherever nobody questions them and everybody merely repeats.",
]
SAID = {"segments": [{"id": f"s{n}", "start": 4.0 * n, "end": 4.0 * n + 4, "text": ABOUT[0]} for n in range(12)]}
ENTRY = {"question": "When does the library open?", "answer": "At nine."}
BODIES: dict[str, Any] = {
    "rate_own_essay": {"thumb": "up"},
    "give_answer_a_thumb": {"thumb": "up"},
    "choose_evidence": {"show": "hidden"},
    "add_evidence": {"paragraph": 1},
    "edit_comments": {"note": "Mine now"},
    "approval": {"approved": False},
    "change_entry": ENTRY,
    "correct_source": {"title": "Mine now"},
    "say": {"message": "What did they ask?"},
    "answer_as_agent": {"message": "I am an agent."},
    "hear_segments": SAID,
    "change_person": {"role": "student"},
    "hand_in_essay": {"essay": ESSAY},
    "send_score": {"student": "u-1", "given": 1, "comment": ""},
    "change_assignment": {"title": "Mine now"},
    "upload_essays": {},
    "set_uses": {"uses": ["textbook"]},
    "rename_class": {"name": "Mine now"},
    "rename_student": {"name": "Mine now"},
    "add_students": {"names": "Mallory"},
}
QUERIES = {"picture": "?name=a.png"}
NOBODYS = {"collection", "what"}  # names that are the same in each school


@dataclass
class World:
    """A school with one of everything, and those who try. things: by the names that paths have for them; seen: all of it, as it
    was last."""

    site: Site
    admin: Caller
    anna: FlaskClient
    ben: FlaskClient
    stranger: FlaskClient
    things: dict[str, Any]
    seen: dict[str, bytes] = field(default_factory=dict)

    @contextmanager
    def unchanged(self, operation: Operation) -> Iterator[None]:
        """What is done changes nothing of it; an operation that only reads is not looked after."""
        before = self.seen or self.all_of_it()
        yield
        self.seen = before if operation.method == "GET" else self.all_of_it()
        assert self.seen == before

    def all_of_it(self) -> dict[str, bytes]:
        """All rows and files that its archive has, and its setup, which no archive has."""
        file = b"".join(school_archive("school", self.site.parts.archive()))
        with ZipFile(BytesIO(file)) as archive:
            return {name: archive.read(name) for name in archive.namelist()} | {
                "setup": self.admin("GET", f"{PREFIX}/setup").data
            }


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with site(tmp_path_factory.mktemp("site"), open_requests=64) as running:
        anna = browser_of(running, "anna@school.example")
        things = one_of_everything(running, anna)
        ben = browser_of(running, "ben@school.example")
        stranger = browser_of(running, "head@another.example", KeyScope.ADMIN, school="another")
        yield World(running, running.caller(KeyScope.ADMIN), anna, ben, stranger, things)


def one_of_everything(running: Site, anna: FlaskClient) -> dict[str, Any]:
    """Values for the names in paths: Anna has begun what students begin."""
    numbers = {"number": 1, "paragraph": 1, "index": 0, "chapter": 1}
    things = {"collection": "textbook", "what": "mail", "part": "content", **numbers, **shelved(running)}
    things |= of_students(running, anna, things)
    return things | of_teachers(running, anna)


def shelved(running: Site) -> dict[str, Any]:
    names = {Collection.BOOKS: "book", Collection.DOCUMENTS: "document", Collection.TEXTBOOK: "textbook"}
    books = {name: shelve(running.parts.collections[shelf], "On Liberty", ABOUT) for shelf, name in names.items()}
    for shelf in (Collection.HELPDESK, Collection.LECTURES):
        shelve(running.parts.collections[shelf], "On Liberty", ABOUT)
    version = books["book"].active
    ids = {name: book.id for name, book in books.items()}
    return ids | {"source": books["textbook"].id, "sentence": f"{version.key.version}-0-0"}


def of_students(running: Site, anna: FlaskClient, things: dict[str, Any]) -> dict[str, Any]:
    def sent(path: str, body: Any) -> Any:
        answer = anna.post(f"{PREFIX}/{path}", json=body, headers=OURS)
        assert answer.status_code in {200, 201, 202}, answer.text
        return answer.get_json()

    found = {"email": "anna@school.example", "feedback": sent("essays/feedback", {"essay": ESSAY})["id"]}
    found |= {"answer": sent("documents/ask", {"question": ABOUT[0]})["id"], "conversation": sent("conversations", {})["id"]}
    sent(f"conversations/{found['conversation']}/messages", {"message": ABOUT[0]})
    found["session"] = sent("sessions", {"documents": [things["document"]]})["id"]
    sent(f"sessions/{found['session']}/segments", SAID)
    sent(f"sessions/{found['session']}/end", {})
    assert running.parts.lectures.pool.wait_until_idle(WITHIN)
    citations = anna.get(f"{PREFIX}/sessions/{found['session']}/citations").get_json()["citations"]
    return found | {"citation": citations[0]["id"]}


def of_teachers(running: Site, anna: FlaskClient) -> dict[str, Any]:
    teacher, now = running.caller(KeyScope.TEACHER), running.parts.now()
    essay = {"data": f'{{"id": "1", "text": "{ABOUT[0]}"}}\n', "headers": {"Content-Type": "application/x-ndjson"}}
    batch = teacher("POST", f"{PREFIX}/batches?start=now", **essay).get_json()["batch"]
    entry = teacher("POST", f"{PREFIX}/faq", ENTRY).get_json()["id"]
    platform = Platform(AT, AT, AT, AT, (AT,), "p1", "school", "c1", ("1",), now)
    running.parts.lti.store.keep(platform)
    register(Provider("lessing", "school", "Lessing", AT, "c1", ("school.example",)), running.parts.schools)
    running.parts.assignments.keep_assignment(Assignment("a1", "school", "p1", "On liberty", "", (), 20.0, now))
    handed_in = anna.put(f"{PREFIX}/assignments/a1/essay", json={"essay": ESSAY}, headers=OURS)
    assert handed_in.status_code == 200, handed_in.text
    wait_for_essays(running.parts.batches)  # its queue stays open
    of_class = teacher("POST", f"{PREFIX}/assignments", {"title": "Custom"}).get_json()
    roster = teacher("POST", f"{PREFIX}/classes/{of_class['class_id']}/students", {"names": "Ada"}).get_json()
    return {"school_class": of_class["class_id"], "student": roster["students"][0]["id"]} | {
        "batch": batch,
        "file": "results.jsonl",
        "entry": entry,
        "assignment": "a1",
        "platform": "p1",
        "provider": "lessing",
    }


def names_in(operation: Operation) -> set[str]:
    return {name for name, _ in operation.path_types.items()}


def ask(operation: Operation, world: World, browser: FlaskClient) -> tuple[int, str]:
    path = operation.path.format(**{name: world.things[name] for name in names_in(operation)})
    body = BODIES.get(operation.id, {}) if operation.body else None
    if operation.id == "add_evidence":  # one that there is, so that the feedback alone can be what is not found
        body = BODIES["add_evidence"] | {"sentence": world.things["sentence"]}
    answer = browser.open(f"{PREFIX}{path}{QUERIES.get(operation.id, '')}", method=operation.method, json=body, headers=OURS)
    return answer.status_code, answer.data.decode(errors="replace")  # an archive is no text


WITH_IDS = [each for each in OPERATIONS if names_in(each) - NOBODYS]


@pytest.mark.parametrize("operation", WITH_IDS, ids=lambda operation: operation.id)
def test_nobody_of_another_school_reaches_anything_by_its_id(world: World, operation: Operation) -> None:
    with world.unchanged(operation):
        status, _ = ask(operation, world, world.stranger)

    assert status == 404


def test_nor_by_naming_it_in_what_is_sent(world: World) -> None:
    of_books = {"essay": ESSAY, "books": [world.things["book"]]}
    of_documents = {"question": ABOUT[0], "sources": [world.things["document"]]}
    asked = {"essays/evidence": of_books, "essays/feedback": of_books, "documents/ask": of_documents}

    for path, body in (asked | {"sessions": {"documents": [world.things["document"]]}}).items():
        assert (path, world.stranger.post(f"{PREFIX}/{path}", json=body, headers=OURS).status_code) == (path, 404)


OF_ONE = {"school_class", "feedback", "conversation", "batch", "entry", "email"}  # others are for all students to see


@pytest.mark.parametrize(
    "operation", [each for each in WITH_IDS if names_in(each) & OF_ONE], ids=lambda operation: operation.id
)
def test_no_student_reaches_what_is_another_students_or_a_teachers(world: World, operation: Operation) -> None:
    with world.unchanged(operation):
        status, _ = ask(operation, world, world.ben)

    assert status == (404 if operation.scope is KeyScope.STUDENT else 403)


@pytest.mark.parametrize(
    "operation",
    [each for each in WITH_IDS if "session" in names_in(each) and each.method != "GET"],
    ids=lambda operation: operation.id,
)
def test_a_lecture_can_be_followed_by_all_and_is_changed_by_who_began_it(world: World, operation: Operation) -> None:
    ben = world.ben
    with world.unchanged(operation):
        status, _ = ask(operation, world, ben)

    assert status == 403
    assert ben.get(f"{PREFIX}/sessions/{world.things['session']}/windows").status_code == 200
    assert world.things["session"] not in ben.get(f"{PREFIX}/sessions").text
    assert world.things["session"] in world.anna.get(f"{PREFIX}/sessions").text


def test_whose_it_is_reaches_it(world: World) -> None:
    """Else all of the above would prove nothing."""
    teacher, world.seen = browser_of(world.site, "stein@school.example", KeyScope.ADMIN), {}
    without = {"page", "picture", "thumbnail", "assignment_cost"}  # no pages of typed books, and no language model
    reads = [each for each in WITH_IDS if each.method == "GET" and each.id not in without]

    for operation in reads:
        who = world.anna if operation.scope is KeyScope.STUDENT else teacher
        assert (operation.id, ask(operation, world, who)[0]) == (operation.id, 200)
