"""Messages in a column of text."""

from typing import Any

from sqlalchemy import Dialect, Text
from sqlalchemy.types import TypeDecorator

from chapterverse.messages import Message, from_stored, stored


class MessageText(TypeDecorator[Message]):
    """JSON of the id and the values. A row that was written before messages had ids holds an English sentence."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Message | None, dialect: Dialect) -> Any:  # noqa: ARG002
        return None if value is None else stored(value)

    def process_result_value(self, value: Any, dialect: Dialect) -> Message | None:  # noqa: ARG002
        return None if value is None else from_stored(value)
