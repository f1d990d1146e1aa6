"""HTTP: feedback on an essay, a student's own essays, and what a teacher does with feedback."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import Annotated, Literal

from flask import Response, request
from pydantic import AwareDatetime, BeforeValidator, Field
from werkzeug.exceptions import NotAcceptable

from chapterverse.accounts.model import KeyScope
from chapterverse.assignments.api import found_assignment
from chapterverse.assignments.service import books_of, options_for, titles_of
from chapterverse.citations.passages import highlighted_pages
from chapterverse.citations.records import PassageRecord
from chapterverse.core import errors
from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.requests import Record, Request, whole
from chapterverse.essays import history as past
from chapterverse.essays import model, records, service
from chapterverse.essays.batch.files import forget_feedback
from chapterverse.essays.batch.model import BatchKey
from chapterverse.essays.batch.service import follow_essay
from chapterverse.essays.render import feedback_html, feedback_markdown, feedback_pdf
from chapterverse.essays.review import add_passage, approve, candidates_for, choose, edit, written_comments
from chapterverse.essays.task import BUILT_IN, MAX_SOURCE_CHARACTERS, MAX_TASK_CHARACTERS, WritingTask, read_rubric
from chapterverse.essays.text import MAX_FILE_BYTES, text_of
from chapterverse.library.api import form_of, sent_file
from chapterverse.library.schemas import Name
from chapterverse.lti.hand_ins import report_again
from chapterverse.web import sse
from chapterverse.web.language import readers_language
from chapterverse.web.operations import JSON, ApiTopic, Call

RUBRIC_FORMS = (
    "What the teacher looks for: one criterion per line, a table (tabs or Markdown) whose first column has the criteria "
    f"and whose others describe levels, or one of: {', '.join(BUILT_IN)}."
)
MAX_RUBRIC = 8_000  # characters
MAX_SOURCES = 5  # texts that come with a task
SEEN = "How it was when you saw it: where it is otherwise by now, the answer is 409 and nothing happens."
MARKDOWN, HTML, PDF = "text/markdown", "text/html", "application/pdf"
FORMATS = {
    MARKDOWN: {"type": "string", "description": "The same as one text."},
    HTML: {
        "type": "string",
        "description": "A page to print: the essay with highlights, feedback, evidence, pictures of its pages.",
    },
    PDF: {"type": "string", "format": "binary", "description": "The same page as a PDF."},
}
Format = Annotated[Literal["json", "markdown", "html", "pdf"] | None, Field(description="Default: by the Accept header.")]
FORMAT_NAMES = {"json": JSON, "markdown": MARKDOWN, "html": HTML, "pdf": PDF}
MEDIA = {
    sse.MEDIA_TYPE: {
        "type": "string",
        "description": "Events `evidence`, `comment` (one each, as they stand), and `done` (all of the feedback, its comments "
        "in order). With a `key` the events are numbered, and the work goes on when the connection is lost.",
    },
    **FORMATS,
}
topic = ApiTopic("Essays")
my_essays = ApiTopic("Own essays")
stored = ApiTopic("Feedback")


class EssayRequest(Request):
    """An essay, its task, and the books to search."""

    essay: str = Field(description="Plain text or Markdown; evidence is searched for each of its paragraphs.")
    books: list[Name] = Field([], max_length=100, description="Search only these books; empty: all of the school's.")
    assignment: Name | None = Field(
        None, description="The assignment whose books are searched, instead of `books`; its instructions are the task."
    )
    task: str = Field(
        "",
        max_length=MAX_TASK_CHARACTERS,
        description="The question and instructions. What the essay copies from them is neither commented on nor searched for.",
    )
    sources: list[Annotated[str, Field(max_length=MAX_SOURCE_CHARACTERS)]] = Field(
        [], max_length=MAX_SOURCES, description="Texts that came with the task, likewise."
    )

    @property
    def options(self) -> service.FeedbackOptions:
        is_set = self.task.strip() or self.sources
        return service.FeedbackOptions(task=WritingTask(self.task, tuple(self.sources)) if is_set else None)


class EssayFeedbackRequest(EssayRequest):
    """An essay, the books to search, and options for the feedback; the school's settings fill in what is left out."""

    grade: int | None = Field(
        None, ge=3, le=13, description="School grade that it is written for; 7 is about twelve years old."
    )
    tone: model.Tone | None = Field(None, description="kind encourages, plain is brief, questions only asks.")
    rubric: str | None = Field(None, max_length=MAX_RUBRIC, description=RUBRIC_FORMS)
    key: str | None = Field(
        None,
        min_length=16,
        max_length=64,
        description="Random. A repeated request with the same key gets the same feedback, and a lost stream "
        "continues after the event in `Last-Event-ID`.",
    )
    version_of: Name | None = Field(None, description="The id of your own feedback on an earlier version of it.")

    @property
    def options(self) -> service.FeedbackOptions:
        rubric = None if self.rubric is None else read_rubric(self.rubric)
        return replace(super().options, grade=self.grade, tone=self.tone, rubric=rubric)


class Waiting(Record):
    """A teacher has to approve the feedback first; request it by its id later."""

    id: str
    state: Literal["waiting for approval"] = "waiting for approval"


class SeenChoice(Request):
    """How evidence is shown. sentence: the id of another sentence of your books that replaces it; null: the original."""

    show: Literal["normal", "hidden"] = "normal"
    sentence: Name | None = None


class ChoiceRequest(SeenChoice):
    """How to show evidence."""

    seen: SeenChoice | None = Field(None, description=SEEN)


class CandidatesRequest(Request):
    """What to search for. words: instead of the passages of the essay that found the evidence; book: only in this one."""

    words: str = Field("", max_length=2000)
    book: Name | None = None
    limit: Annotated[int, Field(ge=1, le=50), BeforeValidator(whole)] = 8


class Candidate(PassageRecord):
    """A sentence that could replace evidence. score: re-scored cosine."""

    score: float


class EditsRequest(model.TeacherEdits):
    """The edits that replace those so far."""

    seen: model.TeacherEdits | None = Field(None, description=SEEN)


def accepted(media: Iterable[str]) -> str:
    """The media type that the client prefers among JSON and `media`. Raises NotAcceptable."""
    best = request.accept_mimetypes.best_match([JSON, *media]) if request.accept_mimetypes else JSON
    if best is None:
        raise NotAcceptable
    return best


def rendered(format: str, feedback: model.Feedback, call: Call) -> Response:
    """The feedback as a response in MARKDOWN, HTML or PDF. Raises TooLarge."""
    content: str | bytes
    if format == MARKDOWN:
        content = feedback_markdown(feedback, language=readers_language())
    elif format == PDF:
        content = feedback_pdf(feedback, call.context.printer, readers_language())
    else:
        pages = highlighted_pages(feedback.evidence.evidence, call.school, call.context.services, call.context.draw)
        content = feedback_html(feedback, pages, language=readers_language())
    return Response(content, content_type=format if format == PDF else f"{format}; charset=utf-8")


@topic.operation("POST", "/essays/evidence", KeyScope.STUDENT)
def essay_evidence(call: Call, body: EssayRequest) -> records.EssayEvidenceResponse:
    """The sentences of the books that bear on an essay, paragraph by paragraph."""
    return records.EssayEvidenceResponse.of(service.evidence_on(_request(call, body), call.context.essays))


@topic.operation("POST", "/essays/feedback", KeyScope.STUDENT, media=MEDIA, later=Waiting)
def essay_feedback(call: Call, body: EssayFeedbackRequest) -> records.FeedbackResponse | Waiting | Response:
    """Feedback on an essay: as JSON, as Markdown (`Accept: text/markdown`), as a page (`text/html`, `application/pdf`), or as
    server-sent events (`text/event-stream`), the evidence first, then each comment. If a teacher has to approve it first, a
    key of scope student gets only its id."""
    format, wanted = accepted(MEDIA), _request(call, body)
    if service.is_held_back(wanted, call.context.essays.history):
        return Waiting(id=_held_back(call, wanted))
    if format == sse.MEDIA_TYPE:
        return sse.as_stream(_events(call, wanted))
    feedback = service.feedback_on(wanted, call.context.essays)
    return records.FeedbackResponse.of_feedback(feedback) if format == JSON else rendered(format, feedback, call)


def _request(call: Call, body: EssayRequest) -> service.FeedbackRequest:
    """The use case's request. An assignment's books and rubric replace the requested ones, and its instructions are the task.
    Raises NotFound for an unknown assignment or book."""
    caller, history = call.caller, call.context.essays.history
    books, options, by_student, is_held = body.books, body.options, caller.role is KeyScope.STUDENT, False
    charged: tuple[str, ...] = ()
    if body.assignment is not None:  # its teacher has chosen the books
        of = found_assignment(call, body.assignment)
        books = [*books_of(of, call.context.essays.services.catalog)]
        is_held, options, charged = of.is_held, options_for(of, options), of.charged
    wanted = service.FeedbackRequest(body.essay, caller.scope(books), options, by_student=by_student, charged=charged)
    if not isinstance(body, EssayFeedbackRequest):
        return wanted
    submission = past.submission_of(caller.person, caller.id, caller.school, history, key=body.key, earlier=body.version_of)
    return replace(wanted, submission=replace(submission, is_held=is_held))


def _held_back(call: Call, wanted: service.FeedbackRequest) -> str:
    """The id of the feedback, which is stored by then. With a key, the work goes on if the connection is lost."""
    if wanted.submission.id:
        list(_events(call, wanted))
        return wanted.submission.id
    id = service.feedback_on(wanted, call.context.essays).id
    assert id  # noqa: S101  # feedback that waits for approval is stored
    return id


def _events(call: Call, wanted: service.FeedbackRequest) -> Iterator[sse.Part | sse.Numbered]:
    """The server-sent events of the feedback. With a key, the work goes on if the connection is lost, and the client can
    resume."""
    id, context = wanted.submission.id, call.context.essays
    begin = partial(_as_events, partial(service.give_feedback, wanted, context))
    if id is None:
        return begin()
    after = max(0, request.headers.get("Last-Event-ID", 0, int))
    return call.context.under_way.follow(id, begin, after, is_stored=context.history.days > 0)


@topic.operation("POST", "/assignments/{assignment}/essay/feedback", KeyScope.STUDENT, media=MEDIA)
def submission_feedback(call: Call, assignment: str) -> Response:
    """The feedback on the essay that the signed-in person has handed in, as server-sent events while it is written; the work
    goes on when the connection is lost. 404 where a teacher releases it."""
    of = found_assignment(call, assignment)
    essay = call.context.assignments.essay_of(of.id, call.caller.person or "")
    context, batches = call.context.essays, call.context.batches
    if essay is None or not (essay.batch and essay.number) or of.is_held or context.history.needs_approval(of.school):
        raise errors.NotFound("nothing_submitted")
    key, number = BatchKey(of.school, essay.batch), essay.number
    begin = partial(_as_events, partial(follow_essay, key, number, batches, context))
    return sse.as_stream(call.context.under_way.follow(f"{key}/{number}", begin, is_stored=True))


def _as_events(begin: Callable[[], Iterator[service.FeedbackPart]]) -> Iterator[sse.Part]:
    """Each part of the feedback as an event's name and data."""
    evidence = model.EssayEvidence(None, (), ())
    for part in begin():
        match part:
            case model.EssayEvidence():
                evidence = part
                yield "evidence", records.EssayEvidenceResponse.of(part)
            case model.Comment():
                yield "comment", records.CommentResponse.of(part, evidence)
            case model.Feedback():
                yield "done", records.FeedbackResponse.of_feedback(part)


@stored.operation("GET", "/feedback", KeyScope.TEACHER, field="feedback")
def feedback_list(
    call: Call, *, before: AwareDatetime | None = None, limit: Annotated[int, Field(ge=1, le=1000)] = 100
) -> list[records.Summary]:
    """Stored feedback, newest first, and when it will be forgotten. before: only what was created before; for the next page,
    the last entry's `created`."""
    history = call.context.essays.history.for_school(call.school)
    listed = past.list_feedback(call.school, history, before, limit)
    names = {each.email: each.name for each in call.context.sign_in.people.of_school(call.school)}
    return [records.Summary.of(each, history, names.get(each.owner or "", "")) for each in listed]


@stored.operation("GET", "/feedback/{feedback}", KeyScope.STUDENT, media=FORMATS, later=Waiting)
def feedback(call: Call, feedback: str, *, format: Format = None) -> records.StoredResponse | Waiting | Response:
    """Feedback with the teacher's choices, in the form that `format` or `Accept` names. A student needs only its id, which
    cannot be guessed; annotations, other students' essays and feedback that waits for approval stay hidden."""
    wanted = FORMAT_NAMES[format] if format else accepted(FORMATS)
    history = call.context.essays.history
    found = past.find_feedback(call.school, feedback, history)
    is_student, person = call.caller.role is KeyScope.STUDENT, call.caller.person
    if is_student and person is not None and found.owner not in (None, person):
        raise errors.NotFound("no_such_own_feedback")
    if is_student and found.approved is None:
        return Waiting(id=found.id)
    writer = _writer(call, found) if person or not is_student else ""
    if wanted != JSON:
        visible = past.with_earlier(past.visible_feedback(found), call.school, history, for_student=is_student)
        return rendered(wanted, replace(visible, written_by=writer), call)
    return records.StoredResponse.of_stored(found, history, writer, for_student=is_student)


@stored.operation("GET", "/feedback/{feedback}/versions", KeyScope.STUDENT, field="feedback")
def feedback_versions(call: Call, feedback: str) -> list[records.Summary]:
    """The feedback on all versions of the same essay, the first one first."""
    history = call.context.essays.history.for_school(call.school)
    if call.caller.role is KeyScope.STUDENT:
        found = past.find_own(call.school, call.caller.person, feedback, history)
    else:
        found = past.find_feedback(call.school, feedback, history)
    return [records.Summary.of(each, history) for each in past.versions_of(found, history)]


def _writer(call: Call, stored: model.StoredFeedback) -> str:
    """The name of the student who wrote the essay; empty if unknown."""
    if not stored.owner:
        return ""
    if places := call.context.assignments.places_of(stored.school, stored.owner):
        return places[0].name
    person = call.context.sign_in.find(stored.school, stored.owner)
    return person.name if person else ""


@stored.operation("PUT", "/feedback/{feedback}/evidence/{number}", KeyScope.TEACHER)
def choose_evidence(call: Call, feedback: str, number: int, body: ChoiceRequest) -> None:
    """Hide evidence, or replace it by another sentence of your books. Comments that rest only on hidden evidence disappear."""
    before = _choice(number, body.seen) if body.seen else None
    choose(call.school, feedback, _choice(number, body), call.context.essays, before)


@stored.operation("POST", "/feedback/{feedback}/evidence", KeyScope.TEACHER, field="number")
def add_evidence(call: Call, feedback: str, *, paragraph: model.Number, sentence: Name) -> int:
    """Add a sentence of your books for a paragraph, counted from 1, as a passage to use: evidence with the answered number."""
    return add_passage(call.school, feedback, paragraph - 1, SentenceId(sentence), call.context.essays)


@stored.operation("POST", "/feedback/{feedback}/evidence/{number}/candidates", KeyScope.TEACHER, field="candidates")
def candidates(call: Call, feedback: str, number: int, body: CandidatesRequest) -> list[Candidate]:
    """Sentences of your books that could replace evidence: the nearest to the essay, or to `words`, first; none
    that is shown already."""
    return _candidates(call, feedback, number, 0, body)


@stored.operation("POST", "/feedback/{feedback}/paragraphs/{paragraph}/candidates", KeyScope.TEACHER, field="candidates")
def paragraph_candidates(call: Call, feedback: str, paragraph: int, body: CandidatesRequest) -> list[Candidate]:
    """Sentences of your books that could be added for a paragraph: the nearest to it, or to `words`, first; none
    that is shown already."""
    return _candidates(call, feedback, None, paragraph - 1, body)


def _candidates(call: Call, feedback: str, number: int | None, paragraph: int, body: CandidatesRequest) -> list[Candidate]:
    found = candidates_for(
        call.school,
        feedback,
        number,
        call.context.essays,
        words=body.words.strip(),
        books=(BookId(body.book),) if body.book else (),
        limit=body.limit,
        paragraph=paragraph,
    )
    return [Candidate.of_passage(one.passage, score=round(one.score, 4)) for one in found]


@stored.operation("PUT", "/feedback/{feedback}/edits", KeyScope.TEACHER)
def edit_comments(call: Call, feedback: str, body: EditsRequest) -> None:
    """Hide, change, add and order comments, and write a note and a grade. The earlier edits, sent again, undo it."""
    edits = model.TeacherEdits(**{name: getattr(body, name) for name in model.TeacherEdits.model_fields})
    edit(call.school, feedback, edits, call.context.essays.history, body.seen)


@stored.operation("GET", "/feedback/comments", KeyScope.TEACHER, field="comments")
def comment_bank(call: Call) -> list[str]:
    """Comments that the school's teachers have written themselves, the most frequent first."""
    return written_comments(call.school, call.context.essays.history)


@stored.operation("PUT", "/feedback/{feedback}/approval", KeyScope.TEACHER)
def approval(
    call: Call, feedback: str, *, approved: bool, seen: Annotated[bool | None, Field(description=SEEN)] = None
) -> None:
    """Release the feedback to students, or withdraw it."""
    approve(call.school, feedback, approved, call.context.essays.history, seen)
    report_again(call.school, [feedback], call.context.hand_ins)


@stored.operation("DELETE", "/feedback/{feedback}", KeyScope.TEACHER)
def forget(call: Call, feedback: str) -> None:
    """Delete feedback at once, with the essay, all annotations, and its place in the results of a batch."""
    forget_feedback(call.school, feedback, call.context.batches)


def _choice(number: int, body: ChoiceRequest | SeenChoice) -> model.Choice:
    return model.Choice(number, model.Show(body.show), SentenceId(body.sentence) if body.sentence else None)


@my_essays.operation("POST", "/essays/text", KeyScope.STUDENT, takes=form_of(), field="text")
def essay_text(call: Call) -> str:
    """The text of an uploaded file, Word, OpenDocument, PDF or plain text, at most 10 MiB, with an empty line between
    paragraphs. Nothing is stored."""
    _, file = sent_file(MAX_FILE_BYTES)
    return text_of(file.read(), call.context.find_text)


@my_essays.operation("GET", "/essays/mine", KeyScope.STUDENT, field="essays")
def own_essays(call: Call) -> list[records.Summary]:
    """Your essays, newest first, and when they will be forgotten; GET /feedback/{id} shows one."""
    history = call.context.essays.history.for_school(call.school)
    own = past.list_own(call.school, call.caller.person, history)
    titles = titles_of(call.school, call.caller.person or "", own, call.context.assignments)
    return [records.Summary.of(each, history, assignment=titles.get(each.id, "")) for each in own]


@my_essays.operation("PUT", "/essays/mine/{feedback}/thumbs/{part}/{number}", KeyScope.STUDENT)
def rate_own_essay(
    call: Call, feedback: str, part: str, number: int, *, thumb: Annotated[model.Rating | None, Field(strict=False)] = None
) -> None:
    """Rate a comment (part: comment) or evidence (part: evidence) of your own essay; null removes it. Your teachers see it."""
    past.rate_own(call.school, call.caller.person, feedback, model.ItemRating(part, number, thumb), call.context.essays.history)


@my_essays.operation("DELETE", "/essays/mine/{feedback}", KeyScope.STUDENT)
def forget_own_essay(call: Call, feedback: str) -> None:
    """Delete one of your essays at once, with its feedback; not what is handed in for an assignment: ask your teacher."""
    school, person, history = call.school, call.caller.person, call.context.essays.history
    found = past.find_own(school, person, feedback, history)
    titles = titles_of(school, person or "", past.list_own(school, person, history), call.context.assignments)
    if records.Summary.of(found, history.for_school(school), assignment=titles.get(feedback, "")).handed_in:
        raise errors.Forbidden("essay_handed_in")
    forget_feedback(school, feedback, call.context.batches)
