"""What a school sets and has measured for itself."""

from collections.abc import Mapping
from datetime import datetime
from typing import Protocol

from chapterverse.model import Chosen, Measured, Measurement
from chapterverse.model.choices import Value


class ChoiceStore(Protocol):
    """What schools have set; tests/contract/test_choice_store.py. Raises CatalogUnavailable."""

    def of_school(self, school: str) -> Mapping[str, Chosen]:
        """By name; nothing where the school has never set it."""

    def change(self, school: str, values: Mapping[str, Value | None], by: str, at: datetime) -> None:
        """From now on these names have these values. What has its value already keeps who set it, and when."""


class MeasurementStore(Protocol):
    """Measurements, under way and done; tests/contract/test_measurement_store.py. One of another school is not there. Raises
    CatalogUnavailable."""

    def add(self, measurement: Measurement) -> None:
        """Of an id that is there already: nothing happens."""

    def find(self, school: str, id: str) -> Measurement:
        """Raises NotFound."""

    def of_school(self, school: str, kind: Measured, about: str | None = None) -> list[Measurement]:
        """The school's, newest first; about: only those about that."""

    def waiting(self) -> list[Measurement]:
        """Those of all schools that are not at their end, oldest first."""

    def change(self, measurement: Measurement) -> None:
        """How far it has come, and what came out, are now these. Not there (any more): nothing happens."""

    def remove(self, school: str, id: str) -> None:
        """Forget it. Raises NotFound."""
