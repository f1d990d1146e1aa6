"""What every SqlAssignments must do."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest

from chapterverse.assignments.model import (
    Assignment,
    AssignmentSubmission,
    ClassStudent,
    CourseServices,
    Release,
    SchoolClass,
    SentScore,
)
from chapterverse.assignments.store import SqlAssignments
from chapterverse.core.errors import NotFound
from chapterverse.essays.model import StoredFeedback
from chapterverse.essays.store import SqlFeedback
from chapterverse.lti.model import Platform
from chapterverse.lti.store import SqlLti
from tests.contract.conftest import NOON
from tests.support.refusals import refused

LATER = NOON + timedelta(minutes=10)
AT = "https://moodle.school.example"
MOODLE = Platform(AT, f"{AT}/a", f"{AT}/t", f"{AT}/k", (AT,), "p1", "school", "c1", ("1",), NOON)
SERVICES = CourseServices(f"{AT}/members", f"{AT}/items", f"{AT}/items/1", ("score",))
OF_COURSE = Assignment("a1", "school", "p1", "On liberty", "Take a side.", ("on-liberty",), 20.0, NOON, "link-1", SERVICES)
CLASS = SchoolClass(id="c1", school="school", name="9b", created=NOON)
ADA = ClassStudent("s1", "school", "c1", "ada@school.example", "Ada", None, NOON)
BEN = ClassStudent("s2", "school", "c1", "s2@class.invalid", "Ben", "ABCDEFGHJKMN")
OF_CLASS = Assignment(
    "a2",
    "school",
    None,
    "Custom",
    "Why?",
    (),
    100.0,
    LATER,
    class_id="c1",
    code="K7QX4MNP",
    due=LATER,
    sources="A text.",
    rubric="A reason",
    release=Release.BY_TEACHER,
)
DONE = AssignmentSubmission("school", "a1", "anna@school.example", "f" * 32, NOON, SentScore(15.5, 20.0, "Good.", LATER))
UPLOADED = AssignmentSubmission("school", "a2", "s2@class.invalid", "b1-2", NOON, batch="b1", number=2)


@pytest.fixture
def platforms(url: str) -> Iterator[SqlLti]:
    opened = SqlLti(url)
    opened.keep(MOODLE)
    yield opened
    opened.close()


@pytest.fixture
def store(url: str, platforms: SqlLti) -> Iterator[SqlAssignments]:
    opened = SqlAssignments(url)
    opened.keep_class(CLASS)
    opened.keep_assignment(OF_COURSE)
    opened.keep_assignment(OF_CLASS)
    yield opened
    opened.close()


def test_an_assignment_is_found_by_id_by_link_and_by_code(store: SqlAssignments) -> None:
    assert store.assignment("school", "a1") == store.on_link("p1", "link-1") == OF_COURSE
    assert store.assignment("school", "a2") == store.with_code("K7QX4MNP") == OF_CLASS
    assert store.assignments("school") == [OF_CLASS, OF_COURSE]
    for school, id in (("another", "a1"), ("school", "a3"), ("school", "a\0")):
        with pytest.raises(NotFound):
            store.assignment(school, id)
    with refused(NotFound, "no_such_code"):
        store.with_code("K7QX4MNQ")


def test_what_was_handed_in_last_counts(store: SqlAssignments) -> None:
    store.submit(DONE, UPLOADED)
    again = replace(DONE, feedback=None, at=LATER)

    store.submit(again)

    assert store.submissions("a1") == [again] == store.of_student("school", "anna@school.example")
    assert store.submissions("a2") == [UPLOADED]
    assert store.essay_of("a1", "ben@school.example") is None
    assert store.submitted("school") == {"a1": 1, "a2": 1}
    assert store.submitted("another") == {}


def test_a_student_is_known_by_class_by_person_and_by_code_until_changed_or_removed(store: SqlAssignments) -> None:
    store.add_students("school", "c1", [BEN, ADA])

    assert store.students("school", "c1") == [ADA, BEN]
    assert store.places_of("school", ADA.email) == [ADA]
    assert store.student("school", "c1", "s2") == store.student_with_code("ABCDEFGHJKMN") == BEN
    assert store.students("another", "c1") == store.places_of("another", ADA.email) == []
    for school, class_id, id in (("another", "c1", "s1"), ("school", "c2", "s1"), ("school", "c1", "s3")):
        with pytest.raises(NotFound):
            store.student(school, class_id, id)
    with pytest.raises(NotFound):
        store.add_students("another", "c1", [ADA])

    store.add_students("school", "c1", [replace(ADA, name="Countess")])

    assert store.students("school", "c1") == [BEN, replace(ADA, name="Countess")]
    store.remove_student("school", "c1", "s1")
    assert store.students("school", "c1") == [BEN]
    with pytest.raises(NotFound):
        store.remove_student("school", "c1", "s1")


def test_with_a_class_goes_all_that_was_its(store: SqlAssignments) -> None:
    store.add_students("school", "c1", [ADA])
    store.submit(DONE, UPLOADED)
    with pytest.raises(NotFound):
        store.remove_class("another", "c1")

    store.remove_class("school", "c1")

    assert store.classes("school") == store.students("school", "c1") == store.submissions("a2") == []
    assert store.assignments("school") == [OF_COURSE]
    assert store.submissions("a1") == [DONE]


def test_with_an_assignment_go_its_submissions_with_a_platform_assignments(store: SqlAssignments, platforms: SqlLti) -> None:
    store.submit(DONE, UPLOADED)
    with pytest.raises(NotFound):
        store.remove_assignment("another", "a2")

    store.remove_assignment("school", "a2")

    assert store.assignments("school") == [OF_COURSE]
    assert store.submissions("a2") == []
    store.keep_assignment(OF_CLASS)
    platforms.remove_platform("school", "p1")

    assert store.assignments("school") == [OF_CLASS]
    assert store.submissions("a1") == []


def test_what_waits_is_counted_by_assignment_and_class(store: SqlAssignments, url: str) -> None:
    store.keep_class(CLASS)
    store.add_students("school", "c1", [ADA, BEN])
    for each in (OF_COURSE, OF_CLASS):
        store.keep_assignment(each)
    store.submit(DONE, UPLOADED, replace(UPLOADED, email=ADA.email, feedback="b1-3", number=3))
    new = StoredFeedback("f" * 32, "school", NOON, None, "{}", owner=DONE.email)
    uploaded = [replace(new, id=f"b1-{number}", batch="b1", number=number) for number in (2, 3, 4)]
    with closing(SqlFeedback(url)) as feedback:
        for each in (new, replace(uploaded[0], approved=NOON), *uploaded[1:], replace(new, id="another", school="other")):
            feedback.save(each)

    assert store.class_sizes("school") == {"c1": 2}
    assert store.unreleased("school", NOON) == {"a1": 1, "a2": 1}
    assert (store.unreleased("school", LATER), store.unreleased("other", NOON), store.class_sizes("other")) == ({}, {}, {})
