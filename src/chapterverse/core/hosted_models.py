"""Language models that Google hosts and this program was written for, with the dates that Google gives.

https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/model-versions, read on 2026-11-24. A test fails 60 days
before the first of these dates."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class HostedModel:
    """retires: the earliest day on which it may be gone; location: where prompts stay in the European Union; prices: dollars
    per million tokens; thinking: the least `thinking_level` that it accepts (python-genai, issue 2936)."""

    retires: date
    location: str
    price_prompt: float
    price_answer: float
    thinking: str


HOSTED_MODELS: Mapping[str, HostedModel] = {
    "gemini-3.5-flash-lite": HostedModel(date(2027, 7, 21), "eu", 0.3, 2.5, "minimal"),
}
