"""What the status of a language model's server means to us."""

from http import HTTPStatus

from chapterverse.errors import BadRequest, ChapterverseError, LanguageModelUnavailable, ModelUnavailable

REFUSED = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
UNUSABLE = {HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY}


def answers_status(status: int, retry_after: str = "") -> ChapterverseError:
    """The error of ours; retry_after: the header, seconds. Nothing that the server says is repeated: it may quote the essay."""
    if status in REFUSED:
        return ModelUnavailable("llm_refused_key")
    if status == HTTPStatus.NOT_FOUND:
        return ModelUnavailable("llm_unknown_model")
    if status in UNUSABLE:
        return BadRequest("llm_refused_prompt")
    seconds = int(retry_after) if retry_after.isdecimal() else 0
    return LanguageModelUnavailable("llm_status", status=status, retry_after=seconds)
