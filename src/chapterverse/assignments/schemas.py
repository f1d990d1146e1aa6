"""HTTP requests about classes and assignments, and their responses."""

from datetime import datetime
from typing import Literal, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from chapterverse.accounts.model import KeyScope
from chapterverse.assignments.model import Assignment, ClassStudent, Release, SchoolClass, SentScore
from chapterverse.assignments.overview import EssayProgress, Roster, RosterEntry
from chapterverse.assignments.service import AssignmentDraft, is_nowhere, written_code
from chapterverse.library.schemas import Name
from chapterverse.messages.fields import Words
from chapterverse.web.operations import Request

MAX_TITLE, MAX_TASK, MAX_SOURCES, MAX_RUBRIC = 200, 4000, 20_000, 4000  # characters


class ClassRequest(Request):
    """The name of a class."""

    name: str = Field(min_length=1, max_length=200)


class NamesRequest(Request):
    """names: a student per line; an e-mail address may follow the name, after a comma, semicolon or tab."""

    names: str = Field(min_length=1, max_length=100_000)


class ClassStudentInfo(BaseModel):
    """A student of a class. email: null for a student without one; code: the personal code that signs such a student in;
    joined: null if nobody has signed in as the student yet."""

    id: str
    name: str
    email: str | None
    code: str | None
    joined: datetime | None

    @classmethod
    def of(cls, student: ClassStudent) -> Self:
        """The response for a student."""
        email, code = None if is_nowhere(student.email) else student.email, student.code and written_code(student.code)
        return cls(id=student.id, name=student.name, email=email, code=code, joined=student.joined)


class ClassInfo(BaseModel):
    """A class."""

    id: str
    name: str
    created: datetime

    @classmethod
    def of(cls, school_class: SchoolClass) -> Self:
        """The response for a class."""
        return cls(id=school_class.id, name=school_class.name, created=school_class.created)


class ClassList(BaseModel):
    """By name."""

    classes: list[ClassInfo]


class ClassDetail(ClassInfo):
    """A class with its students, by name. skipped: lines of the list that were left out: their students are in the class
    already."""

    students: list[ClassStudentInfo]
    skipped: int = 0


class AssignmentRequest(Request):
    """An assignment. books: search only these; empty: all of the school's. rubric: a criterion per line. release: when students
    see their feedback."""

    title: str = Field(min_length=1, max_length=MAX_TITLE, pattern=r"\S")
    instructions: str = Field("", max_length=MAX_TASK)
    source_text: str = Field("", max_length=MAX_SOURCES)
    rubric: str = Field("", max_length=MAX_RUBRIC)
    books: list[Name] = Field([], max_length=100)
    due_at: AwareDatetime | None = None
    release: Release = Release.BY_TEACHER

    def draft(self, class_id: str = "", class_name: str = "") -> AssignmentDraft:
        """What the request sets."""
        return AssignmentDraft(
            title=self.title,
            class_id=class_id,
            class_name=class_name,
            instructions=self.instructions,
            sources=self.source_text,
            rubric=self.rubric,
            books=tuple(self.books),
            due=self.due_at,
            release=self.release,
        )


class NewAssignmentRequest(AssignmentRequest):
    """class_id: of an existing class; else a new one is made. class_name: its name, by default the title."""

    class_id: Name | None = None
    class_name: str = Field("", max_length=200)


class AssignmentInfo(BaseModel):
    """An essay assignment of a class or a course. books: the books to search; empty: all. most: the highest score. join_code:
    by which students join the class; null for a course, and for students."""

    id: str
    title: str
    instructions: str
    source_text: str
    rubric: str
    books: list[str]
    most: float
    created: datetime
    due_at: datetime | None
    release: Release
    class_id: str | None
    join_code: str | None

    @classmethod
    def of(cls, assignment: Assignment, role: KeyScope = KeyScope.TEACHER) -> Self:
        """The response for an assignment. role: of the reader."""
        may_invite = assignment.code and role is not KeyScope.STUDENT
        return cls(
            id=assignment.id,
            title=assignment.title,
            instructions=assignment.instructions,
            source_text=assignment.sources,
            rubric=assignment.rubric,
            books=list(assignment.books),
            most=assignment.most,
            created=assignment.created,
            due_at=assignment.due,
            release=assignment.release,
            class_id=assignment.class_id,
            join_code=written_code(assignment.code) if assignment.code and may_invite else None,
        )


class AssignmentList(BaseModel):
    """Newest first."""

    assignments: list[AssignmentInfo]


class SubmissionRequest(Request):
    """The essay to hand in, as plain text or Markdown."""

    essay: str


class SubmissionInfo(BaseModel):
    """A student's essay for an assignment. handed_in: when; feedback: its id, which the student may read, null: not written or
    not released yet; failed_because: why there will be none."""

    handed_in: datetime
    feedback: str | None
    failed_because: Words | None


class ScoreRequest(Request):
    """An entry for the gradebook."""

    student: str = Field(max_length=255, description="The student's id, as in the roster.")
    given: float | None = Field(None, ge=0, description="The score; null: only a comment.")
    comment: str = Field("", max_length=2000)


class EssaySummaryInfo(BaseModel):
    """What a row says of feedback. need: the first thing to do, in a few words, null if nothing; comments, evidence: how many;
    resolved, earlier: of the comments to read first on the version before, how many are answered, and how many there were."""

    model_config = ConfigDict(from_attributes=True)

    need: str | None
    comments: int
    evidence: int
    resolved: int
    earlier: int


class RosterEntryInfo(BaseModel):
    """A student of an assignment. student: an id, of the learning platform or the class; email: empty for a student without
    one; handed_in: when the student submitted, null: not yet; progress: of the essay; failed_because: why there is no feedback;
    feedback: its id, null: not stored (any more); approved: since when students may see it; score: as sent to the gradebook;
    essay_version: from 1; grade_given: as the teacher wrote it, may be empty."""

    student: str
    name: str
    email: str
    handed_in: datetime | None
    progress: EssayProgress
    failed_because: Words | None
    feedback: str | None
    approved: datetime | None
    score: SentScore | None
    in_short: EssaySummaryInfo | None
    essay_version: int = 1
    grade_given: str = ""

    @classmethod
    def of(cls, entry: RosterEntry) -> Self:
        """The response for a row."""
        return cls(
            student=entry.student,
            name=entry.name,
            email=entry.email,
            handed_in=entry.handed_in,
            progress=entry.state,
            failed_because=entry.problem,
            feedback=entry.feedback,
            approved=entry.approved,
            score=entry.score,
            in_short=entry.summary and EssaySummaryInfo.model_validate(entry.summary),
            essay_version=entry.version,
            grade_given=entry.edits.grade,
        )


class RosterInfo(BaseModel):
    """The students, by name. whole: true if the class or the platform's roster is known; false: only students who submitted."""

    students: list[RosterEntryInfo]
    whole: bool

    @classmethod
    def of(cls, roster: Roster) -> Self:
        """The response for a roster."""
        return cls(students=[RosterEntryInfo.of(each) for each in roster.students], whole=roster.whole)


class ReleaseRequest(Request):
    """feedback: ids; null: all that is on the assignment. released: false takes it back."""

    feedback: list[Name] | None = Field(None, max_length=1000)
    released: bool = True


class Released(BaseModel):
    """feedback: the ids whose state has changed; the same request with them and `released` reversed undoes it."""

    feedback: list[str]
    released: bool


class Uploaded(BaseModel):
    """essays: how many will get feedback; problems: why others will not."""

    essays: int
    problems: list[Words]
    state: Literal["running", "waiting", "done", "late"]
