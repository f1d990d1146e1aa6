"""Teachers' pages: the essays of a whole class, one essay at a time."""

from flask import Response

from chapterverse.model import KeyScope, Person
from chapterverse.web.site.frame import Site, page


def offer_classes(site: Site) -> None:
    """What is handed in, how far each batch is, its table, and each essay with what a teacher does with its feedback."""
    night = site.parts.night

    def classes(who: Person) -> Response:
        return page("classes", "Classes", who, most=night.limits.essays, days=night.keeping.days)

    def one_class(who: Person, batch: str) -> Response:
        return page("class", "Class", who, batch=batch)

    def essay_of_class(who: Person, batch: str, number: int) -> Response:
        return page("class_essay", "Essay of a class", who, batch=batch, number=number, approval=night.keeping.approval)

    def other(who: Person, feedback: str) -> Response:
        return page("class_essay", "Other essay", who, batch=None, feedback=feedback, approval=night.keeping.approval)

    site.offer("GET", "/essay/classes", classes, KeyScope.TEACHER)
    site.offer("GET", "/essay/classes/others/<feedback>", other, KeyScope.TEACHER)
    site.offer("GET", "/essay/classes/<batch>", one_class, KeyScope.TEACHER)
    site.offer("GET", "/essay/classes/<batch>/<int:number>", essay_of_class, KeyScope.TEACHER)
