"""What a student's classes have: the books of their assignments, in each collection that searches them."""

from dataclasses import replace

from chapterverse.accounts.model import KeyScope, Person
from chapterverse.core.book import BookId, Collection
from chapterverse.library.intake import use_in
from tests.support.web import Site
from tests.unit.assignments.test_assignments import an_assignment, joined


def person(site: Site, name: str) -> Person:
    [found] = [each for each in site.parts.sign_in.people.of_school("school") if each.name == name]
    return found


def test_a_student_has_the_books_of_their_assignments(library: Site) -> None:
    stein = library.caller(KeyScope.TEACHER)
    [book] = library.services.catalog.books("school")
    with_books = an_assignment(stein, books=[book.id, "removed"])
    without = an_assignment(stein, class_name="9c")
    joined(library, with_books["join_code"], "Ada")
    joined(library, without["join_code"], "Ben")
    context = library.parts
    ada, ben = person(library, "Ada"), person(library, "Ben")

    assert context.class_sources(ada, Collection.BOOKS) == {book.id}
    assert context.class_sources(ada, Collection.DOCUMENTS) == frozenset()
    assert context.class_sources(ben, Collection.BOOKS) == frozenset()
    assert context.class_sources(replace(ada, role=KeyScope.TEACHER), Collection.BOOKS) == frozenset()

    assert book.active
    use_in(Collection.DOCUMENTS, book, book.active.key, context.intake)
    assert context.class_sources(ada, Collection.DOCUMENTS) == {BookId(book.id)}


def test_the_pages_of_a_student_name_them_and_a_teacher_has_no_choice(library: Site) -> None:
    stein = library.caller(KeyScope.TEACHER)
    [book] = library.services.catalog.books("school")
    assert book.active
    use_in(Collection.DOCUMENTS, book, book.active.key, library.parts.intake)
    of = an_assignment(stein, books=[book.id])
    ada, _ = joined(library, of["join_code"], "Ada")
    assert f"""data-of-class='["{book.id}"]'""" in ada.get("/ask").text
    assert book.title in ada.get("/").text
    an_assignment(stein, class_name="9c")
    ben, _ = joined(library, an_assignment(stein, class_name="9d")["join_code"], "Ben")
    assert "data-of-class" not in ben.get("/ask").text
