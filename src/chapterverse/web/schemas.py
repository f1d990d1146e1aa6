"""What is sent and answered, field by field. Requests are strict; answers are what usecases/*_json.py and model.py say."""

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict


class Request(BaseModel):
    """What is sent: only fields that are known, of exactly the type."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def whole(number: Any) -> Any:
    return int(number) if isinstance(number, float) and number.is_integer() else number


Whole = Annotated[int, BeforeValidator(whole)]


def _merged(old: Any, new: Any) -> dict[int, str]:
    """RFC 7396, 2: null takes away, for the whole as for a part."""
    return {} if new is None else {index: text for index, text in {**old, **new}.items() if text is not None}
