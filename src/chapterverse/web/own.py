"""What somebody who is signed in handed in themselves; of a program's key there is nothing."""

from http import HTTPStatus

from chapterverse import errors
from chapterverse.model import Item, KeyScope, Mark, Thumb
from chapterverse.usecases.essay_files import MOST_BYTES, text_of
from chapterverse.usecases.overnight.forgotten import forget_feedback
from chapterverse.usecases.own_feedback import find_own, list_own, own_json, thumb_own
from chapterverse.web import own_schemas as schemas
from chapterverse.web.handed_in import form_of, sent_file
from chapterverse.web.operations import Call, Topic

topic = Topic("Own essays")

NO_CONTENT = HTTPStatus.NO_CONTENT


@topic.operation("POST", "/essays/text", KeyScope.STUDENT, errors.BadRequest, errors.TooLarge, errors.BadBook, takes=form_of())
def essay_text(call: Call) -> schemas.EssayText:
    """The text in the file of a form: Word, OpenDocument, PDF or plain text, at most 10 MiB. Nothing of it is kept."""
    _, data = sent_file(MOST_BYTES)
    return schemas.EssayText(text=text_of(data, call.parts.find_text))


@topic.operation("GET", "/essays/mine", KeyScope.STUDENT)
def own_essays(call: Call) -> schemas.OwnEssays:
    """What you handed in, newest first, and when it will be forgotten; GET /feedback/{id} shows one."""
    keeping = call.parts.keeping
    kept = list_own(call.caller.school, call.caller.person, keeping)
    return schemas.OwnEssays(essays=[schemas.OwnEssay.model_validate(own_json(each, keeping)) for each in kept])


@topic.operation("PUT", "/essays/mine/{feedback}/thumbs/{part}/{number}", KeyScope.STUDENT, errors.NotFound, success=NO_CONTENT)
def own_thumb(call: Call, feedback: str, part: str, number: int, body: schemas.OwnThumbRequest) -> None:
    """Say whether a comment (part: content, expressions, features) or evidence (part: evidence) helped you; your teachers see
    it."""
    told = Mark(Item(part, number), Thumb(body.thumb) if body.thumb else None)
    thumb_own(call.caller.school, call.caller.person, feedback, told, call.parts.keeping)


@topic.operation(
    "DELETE",
    "/essays/mine/{feedback}",
    KeyScope.STUDENT,
    errors.NotFound,
    errors.BucketUnavailable,
    errors.EssayBusy,
    success=NO_CONTENT,
)
def forget_own_essay(call: Call, feedback: str) -> None:
    """Forget an essay of yours at once, with all that was said of it."""
    find_own(call.caller.school, call.caller.person, feedback, call.parts.keeping)
    forget_feedback(call.caller.school, feedback, call.parts.night)
