"""Likelihood on a server that tells the log-probabilities of its prompt, by OpenAI's older completions: vLLM, llama.cpp.

https://docs.vllm.ai/en/stable/serving/openai_compatible_server.html, "Completions API": `echo` with `logprobs`"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from time import monotonic

from openai import OpenAI
from openai.types.completion_choice import CompletionChoice, Logprobs

from chapterverse.adapters.openai_compatible import openai_errors_as_ours
from chapterverse.errors import BadAnswer, ModelUnavailable

BATCH = 32  # pairs of one request; the deadline is looked at between them
LONGEST = 600.0  # seconds of one request, where there is no deadline


@dataclass(frozen=True)
class OpenAiLikelihood:
    """model: as the server calls it. The server keeps what prompts have in common (vLLM's prefix cache)."""

    client: OpenAI
    model: str

    def log_probs(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        batches = [pairs[start : start + BATCH] for start in range(0, len(pairs), BATCH)]
        return [mean for batch in batches for mean in self._of_batch(batch, deadline)]

    def _of_batch(self, pairs: Sequence[tuple[str, str]], deadline: float) -> Iterator[float | None]:
        seconds = min(deadline - monotonic(), LONGEST)
        try:
            choices = self._asked([sound(prompt + text) for prompt, text in pairs], seconds) if seconds > 0 else None
        except BadAnswer:  # it came too late
            choices = None
        if choices is None:
            return iter([None] * len(pairs))
        return (mean_of_text(choice.logprobs, *pair) for choice, pair in zip(choices, pairs, strict=True))

    def _asked(self, texts: list[str], seconds: float) -> list[CompletionChoice]:
        with openai_errors_as_ours():
            answer = self.client.with_options(timeout=seconds).completions.create(
                model=self.model, prompt=texts, echo=True, logprobs=1, max_tokens=1, temperature=0
            )
        return sorted(answer.choices, key=lambda choice: choice.index)


def sound(text: str) -> str:
    """As long, without the half of a surrogate pair that no request can hold."""
    return text.encode("utf-8", "replace").decode()


def mean_of_text(told: Logprobs | None, prompt: str, text: str) -> float:
    """Over the tokens that end within the text; the server writes one more behind it. Raises ModelUnavailable."""
    if told is None or told.token_logprobs is None or told.text_offset is None:
        raise ModelUnavailable("llm_no_probabilities")
    whole = len(prompt) + len(text)
    ends = [*told.text_offset[1:], whole + 1]
    within = [p for p, end in zip(told.token_logprobs, ends, strict=False) if p is not None and len(prompt) < end <= whole]
    return sum(within) / len(within) if within else 0.0
