"""What the models of requests have in common; some of them are stored as they came."""

from typing import Any

from pydantic import BaseModel, ConfigDict


class Request(BaseModel):
    """A request model: unknown fields and values of another type are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def whole(number: Any) -> Any:
    """2.0 as 2: an integer in JSON Schema, but not in pydantic's strict mode."""
    return int(number) if isinstance(number, float) and number.is_integer() else number
