"""A sentence in its surroundings."""

from urllib.parse import quote, urlencode

from chapterverse import errors
from chapterverse.evidence.numbering import Passage
from chapterverse.model import KeyScope, SentenceId
from chapterverse.usecases.essay_json import passage_json
from chapterverse.usecases.lookup import find_passage
from chapterverse.web import schemas
from chapterverse.web.operations import PREFIX, Call, Topic

topic = Topic("Evidence")


@topic.operation("GET", "/evidence/{sentence}", KeyScope.STUDENT, errors.NotFound, errors.BucketUnavailable)
def evidence(call: Call, sentence: str) -> schemas.Passage:
    """A sentence with its neighbours, its paragraph, its address, and pictures of its pages."""
    passage = find_passage(call.caller.school, SentenceId(sentence), call.parts.services)
    return schemas.Passage.model_validate(passage_json(passage) | {"pages": _pages(passage)})


def _pages(passage: Passage) -> list[schemas.PageLink]:
    sentence = passage.sentence
    lit = urlencode({"sentence": sentence.id})
    folder = f"{PREFIX}/pages/{quote(sentence.address.book, safe='')}"
    return [
        schemas.PageLink(page_index=at.page_index, page_label=at.page_label, image=f"{folder}/{at.page_index}.png?{lit}")
        for at in sentence.address.places
    ]
