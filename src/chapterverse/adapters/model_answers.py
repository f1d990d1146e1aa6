"""What the status of a language model's server means to us."""

from http import HTTPStatus

from chapterverse.errors import BadRequest, ChapterverseError, LanguageModelUnavailable, ModelUnavailable

REFUSED = {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
UNUSABLE = {HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY}


def answers_status(status: int, retry_after: str = "") -> ChapterverseError:
    """The error of ours; retry_after: the header, seconds. Nothing that the server says is repeated: it may quote the essay."""
    if status in REFUSED:
        return ModelUnavailable(
            "The language model does not let us in: set LLM_KEY, or allow this service's account to call it."
        )
    if status == HTTPStatus.NOT_FOUND:
        return ModelUnavailable("The language model's server does not know this address or model: set LLM_URL and LLM_MODEL.")
    if status in UNUSABLE:
        return BadRequest("The language model does not take the prompt, perhaps because it is too long.")
    seconds = int(retry_after) if retry_after.isdecimal() else 0
    return LanguageModelUnavailable(f"The language model's server answers {status}.", seconds)
