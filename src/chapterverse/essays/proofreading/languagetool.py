"""The school's own LanguageTool server (its HTTP API, POST /v2/check).

Essays go to no other address than the configured one: redirects are not followed, proxies of the environment ignored."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from time import monotonic

import httpx
from pydantic import BaseModel, Field, ValidationError

from chapterverse.essays.proofreading.model import CheckerUnavailable, Correction, Kind

BETWEEN = "\n\n"  # paragraphs
OF_STYLE = {"style", "register", "locale-violation"}  # its issue types (ITS 2.0, 8.10) that are about tone: no mistakes
KINDS: dict[str, Kind] = {"misspelling": "spelling", "typographical": "punctuation", "whitespace": "punctuation"}
MAX_ANSWER_BYTES = 4 * 2**20
MAX_MESSAGE_LENGTH = 300  # characters


class _Replacement(BaseModel):
    value: str


class _Rule(BaseModel):
    issue_type: str = Field("", alias="issueType")


class _Match(BaseModel):
    """A match in LanguageTool's response. offset and length count UTF-16 units, as Java does."""

    message: str
    offset: int = Field(ge=0)
    length: int = Field(ge=1)
    replacements: list[_Replacement] = []
    rule: _Rule = _Rule()


class _Answer(BaseModel):
    matches: list[_Match]


@dataclass(frozen=True, slots=True)
class LanguageTool:
    """A Checker. url: what precedes /v2/check. language: "en" checks no spelling, "de-DE" does."""

    url: str
    language: str = "en"

    def __call__(self, paragraphs: Sequence[str], seconds: float) -> list[Correction]:
        text = BETWEEN.join(paragraphs).encode("utf-16-le", "replace")
        form = {"text": text.decode("utf-16-le"), "language": self.language}
        try:
            answer = _Answer.model_validate_json(self._post(form, seconds))
        except ValidationError:
            raise CheckerUnavailable("languagetool_not_at_url") from None  # pydantic's own error quotes what was answered
        return list(_corrections(answer, text, paragraphs))

    def _post(self, form: dict[str, str], seconds: float) -> bytes:
        """The response's bytes. Raises CheckerUnavailable after `seconds`, for an error, and beyond MAX_ANSWER_BYTES."""
        until, data = monotonic() + seconds, b""
        try:
            with (
                httpx.Client(timeout=max(seconds, 0.001) / 2, trust_env=False) as http,
                http.stream("POST", f"{self.url.rstrip('/')}/v2/check", data=form) as response,
            ):
                if response.status_code != httpx.codes.OK:
                    raise CheckerUnavailable("languagetool_away" if response.is_server_error else "languagetool_not_at_url")
                for part in response.iter_bytes():
                    data += part
                    if monotonic() > until or len(data) > MAX_ANSWER_BYTES:
                        raise CheckerUnavailable("languagetool_away")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise CheckerUnavailable("languagetool_away") from error
        return data


def _corrections(answer: _Answer, text: bytes, paragraphs: Sequence[str]) -> Iterator[Correction]:
    """The mistakes that lie within one paragraph and have a correction; the first one that it offers."""
    starts = list(accumulate((len(each) + len(BETWEEN) for each in paragraphs[:-1]), initial=0))
    for match in answer.matches:
        start, end = (_characters(text, units) for units in (match.offset, match.offset + match.length))
        at = bisect_right(starts, start) - 1
        inside = start < end <= starts[at] + len(paragraphs[at])
        if inside and match.replacements and match.rule.issue_type not in OF_STYLE:
            instead = match.replacements[0].value[:MAX_MESSAGE_LENGTH]
            why = " ".join(match.message.split())[:MAX_MESSAGE_LENGTH]
            span = (start - starts[at], end - starts[at])
            yield Correction(at, span, instead, why, KINDS.get(match.rule.issue_type, "grammar"))


def _characters(text: bytes, units: int) -> int:
    """The number of characters in the first `units` units of UTF-16."""
    return len(text[: 2 * units].decode("utf-16-le", "ignore"))
