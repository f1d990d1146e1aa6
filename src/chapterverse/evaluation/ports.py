"""What a school sets and has measured for itself."""

from typing import Protocol

from chapterverse.evaluation.model import Measured, Measurement


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
