"""What the model is told: seconds that were measured, prices that were looked up, and what is assumed, each with its source."""

import json
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, PositiveFloat, PositiveInt


class Figures(BaseModel):
    """An unknown name is a mistake in the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Stages(Figures):
    """CPU seconds of an average essay (python -m scripts.capacity.measure), and the tokens of its prompts."""

    source: str
    embed: float = Field(ge=0)
    evidence: float = Field(ge=0)
    verdicts: float = Field(ge=0)
    rules: float = Field(ge=0)
    prompt_tokens: int = Field(ge=0)


class Tier(Figures):
    """A service of Cloud Run. A request takes a seat, of which an instance has `concurrency`, and one of its CPUs at a time.

    start_seconds: from the decision to the first request; idle_seconds: that an instance is kept without any."""

    source: str
    cpus: PositiveInt
    gibibytes: PositiveFloat
    concurrency: PositiveInt
    start_seconds: float = Field(ge=0)
    idle_seconds: float = Field(ge=0)
    least: int = Field(ge=0)
    most: PositiveInt


class LanguageModel(Figures):
    """A managed one: it takes so long, however many ask, and answers with so many tokens an essay, all dimensions together."""

    source: str
    seconds: float = Field(ge=0)
    answer_tokens: int = Field(ge=0)


class Prices(BaseModel):
    """Of a CPU, a GiB for a second, of a million tokens; night: share of the model's price that batches cost."""

    model_config = ConfigDict(frozen=True)
    cpu_second: float
    gibibyte_second: float
    million_prompt_tokens: float
    million_answer_tokens: float
    night: float


class Plan(Figures):
    """All of it. spread: standard deviation over mean of what an essay takes, as essays and models vary."""

    stages: Stages
    api: Tier
    embedder: Tier
    model: LanguageModel
    prices: Prices
    spread: float = Field(ge=0)


DEFAULT = Path(__file__).with_name("figures.json")
PRICES = DEFAULT.with_name("prices.json")


def read_plan(path: Path = DEFAULT) -> Plan:
    """With the prices of prices.json. Raises pydantic's ValidationError, which names the figure that is wrong."""
    return Plan.model_validate({"prices": read_prices(), **json.loads(path.read_text("utf-8"))})


def read_prices(path: Path = PRICES) -> dict[str, float]:
    """By name, without their sources."""
    said: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return {name: float(one["price"]) for name, one in said.items() if name != "source"}
