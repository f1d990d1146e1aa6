"""What a teacher makes of the comments: hides, changes, adds and orders them, writes a note and a grade, and chooses levels."""

from dataclasses import dataclass

FIRST_OWN = 1001  # the number of a teacher's first comment or passage; those that are written have fewer


@dataclass(frozen=True, slots=True)
class CommentEdit:
    """A change of a written comment. is_hidden: students do not see it; text: in place of its own, None: its own."""

    number: int
    is_hidden: bool = False
    text: str | None = None


@dataclass(frozen=True, slots=True)
class OwnComment:
    """A comment that a teacher wrote. number: from FIRST_OWN; paragraph: its index, None for the whole essay; start, end: the
    characters of the paragraph that it is about, both None for all of them."""

    number: int
    text: str
    paragraph: int | None = None
    start: int | None = None
    end: int | None = None


@dataclass(frozen=True, slots=True)
class ChosenLevel:
    """How well an essay meets a criterion of its rubric, in the teacher's words."""

    criterion: str
    level: str


@dataclass(frozen=True, slots=True)
class TeacherEdits:
    """All that a teacher changed in the comments of an essay. order: numbers of comments; those that are not in it
    follow as they were. note: on the whole essay; grade: as the teacher writes it; both may be empty. levels: at most one
    for a criterion."""

    changes: tuple[CommentEdit, ...] = ()
    own: tuple[OwnComment, ...] = ()
    order: tuple[int, ...] = ()
    note: str = ""
    grade: str = ""
    levels: tuple[ChosenLevel, ...] = ()

    def level_of(self, criterion: str) -> str | None:
        """The level that the teacher chose for a criterion; None without one."""
        return next((each.level for each in self.levels if each.criterion == criterion), None)


NO_EDITS = TeacherEdits()
