"""Language models, and what they cost."""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Protocol

from chapterverse.language import Answer, Piece, Prompt, Schema


class LanguageModel(Protocol):
    """A model that writes; tests/contract/test_language_model.py. deadline: a moment of time.monotonic(), kept whatever the
    server does. Raises LanguageModelUnavailable where nothing was answered, after a few tries if there was time for them;
    BadAnswer where the answer is late, broke off or is no JSON object; ModelRefused; ModelUnavailable for a wrong name, address
    or key; BadRequest for a prompt that is too long."""

    @property
    def model(self) -> str:
        """Its name, as the server calls it."""

    def generate(self, prompt: Prompt, schema: Schema, deadline: float) -> Answer:
        """One JSON object of that schema."""

    def stream(self, prompt: Prompt, deadline: float, schema: Schema | None = None) -> Iterator[Piece]:
        """The same, or plain text without a schema, piece by piece as it is written; nothing is tried again once one came."""


class Reranker(Protocol):
    """Reads a query and a sentence together; tests/contract/test_reranker.py."""

    @property
    def model(self) -> str:
        """Its name."""

    def scores(self, pairs: Sequence[tuple[str, str]], deadline: float) -> list[float | None]:
        """How well the sentence of each (query, sentence) bears on the query: more is better, and one query's can be compared.
        None for those that there was no time for; the first are judged first.

        deadline: a moment of time.monotonic(), math.inf for none; what loading a model takes at its first use comes on top.
        Raises ModelUnavailable."""


class Ledger(Protocol):
    """What language models have cost a school in a day, in millionths of the currency that prices are in;
    tests/contract/test_ledger.py. Raises CatalogUnavailable."""

    def reserve(self, school: str, day: date, micros: int, ceiling: int) -> bool:
        """Count micros as spent if the day's sum stays within ceiling with them; whether it did. Never over it, however many
        ask at once."""

    def settle(self, school: str, day: date, micros: int) -> None:
        """Count so much more, or less where negative: what a call has cost beyond what was reserved for it."""

    def spent(self, school: str, day: date) -> int:
        """The day's sum so far."""


class Redactor(Protocol):
    """Takes out who somebody is; tests/contract/test_redactor.py. Raises ModelUnavailable."""

    def redact(self, texts: Sequence[str], names: Sequence[str] = ()) -> list[str]:
        """Each text with "<PERSON>", "<EMAIL_ADDRESS>", "<PHONE_NUMBER>", "<ID>" … in the place of what tells it: names, whole
        or in parts, and what looks like an address or a number of somebody's. The same text gives the same."""
