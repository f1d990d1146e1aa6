"""Feedback that was given and is kept for a while."""

from chapterverse import errors
from chapterverse.model import KeyScope
from chapterverse.usecases.kept_feedback import find_feedback, list_feedback, remove_feedback
from chapterverse.usecases.kept_json import kept_json, summary_json
from chapterverse.web import kept_schemas as schemas
from chapterverse.web.operations import Call, Topic

topic = Topic("Feedback")


@topic.operation("GET", "/feedback", KeyScope.TEACHER)
def feedback_list(call: Call, query: schemas.FeedbackQuery) -> schemas.FeedbackList:
    """What was given, newest first, and when it will be forgotten."""
    keeping = call.parts.keeping
    kept = list_feedback(call.caller.school, keeping, query.before, query.limit)
    return schemas.FeedbackList(feedback=[schemas.Summary.model_validate(summary_json(each, keeping)) for each in kept])


@topic.operation("GET", "/feedback/{feedback}", KeyScope.STUDENT, errors.NotFound)
def feedback(call: Call, feedback: str) -> schemas.Kept:
    """Feedback as it was given. Its id is all that a student needs: nobody can guess one, and students see no list."""
    kept = find_feedback(call.caller.school, feedback, call.parts.keeping)
    return schemas.Kept.model_validate(kept_json(kept, call.parts.keeping))


@topic.operation("DELETE", "/feedback/{feedback}", KeyScope.TEACHER, errors.NotFound)
def forget(call: Call, feedback: str) -> None:
    """Forget feedback at once, with the essay and all that was said of it."""
    remove_feedback(call.caller.school, feedback, call.parts.keeping)
