"""A language model for whoever has time."""

from collections.abc import Iterator
from dataclasses import dataclass
from time import monotonic

from tenacity import RetryCallState, Retrying, retry_if_exception_type, stop_before_delay
from tenacity.wait import wait_random_exponential

from chapterverse.errors import LanguageModelUnavailable
from chapterverse.language import Answer, Piece, Prompt, Schema
from chapterverse.ports import LanguageModel

PAUSES = wait_random_exponential(multiplier=1, max=60)  # seconds, where the server names none


@dataclass(frozen=True)
class PatientModel:
    """LanguageModel: another one, asked again until the deadline where it is not to be had just now. So a server that says 429
    sets the pace."""

    inner: LanguageModel

    @property
    def model(self) -> str:
        return self.inner.model

    def generate(self, prompt: Prompt, schema: Schema, deadline: float) -> Answer:
        retrying = Retrying(
            retry=retry_if_exception_type(LanguageModelUnavailable),
            stop=stop_before_delay(max(deadline - monotonic(), 0)),
            wait=_pause,
            reraise=True,
        )
        return retrying(self.inner.generate, prompt, schema, deadline)

    def stream(self, prompt: Prompt, deadline: float, schema: Schema | None = None) -> Iterator[Piece]:
        return self.inner.stream(prompt, deadline, schema)


def _pause(state: RetryCallState) -> float:
    """Seconds: as many as the server asks for, at least."""
    error = state.outcome.exception() if state.outcome else None
    return max(PAUSES(state), error.retry_after if isinstance(error, LanguageModelUnavailable) else 0)
