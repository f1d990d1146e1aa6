"""A sentence in its surroundings."""

from chapterverse import errors
from chapterverse.model import KeyScope, SentenceId
from chapterverse.usecases.answers.answer_json import seen_json
from chapterverse.usecases.essay_json import passage_json
from chapterverse.usecases.lookup import find_anywhere
from chapterverse.web import page_schemas as schemas
from chapterverse.web.links import linked
from chapterverse.web.operations import Call, Topic

topic = Topic("Evidence")


@topic.operation("GET", "/evidence/{sentence}", KeyScope.STUDENT, errors.NotFound, errors.BucketUnavailable)
def evidence(call: Call, sentence: str) -> schemas.Passage:
    """A sentence of any collection with its neighbours, its paragraph, its address, and pictures of its pages."""
    collection, passage = find_anywhere(call.caller.school, SentenceId(sentence), call.parts.shelves.values())
    return schemas.Passage.model_validate(linked(passage_json(passage) | seen_json(passage.sentence), collection))
