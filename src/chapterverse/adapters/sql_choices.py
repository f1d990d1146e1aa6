"""What schools have set for themselves, in the catalog's database."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import select

from chapterverse.adapters.sql_store import SqlStore
from chapterverse.adapters.sql_tables import ChoiceRow
from chapterverse.model import Chosen
from chapterverse.model.choices import Value


class SqlChoices(SqlStore):
    """ChoiceStore on any database that SQLAlchemy speaks."""

    def of_school(self, school: str) -> Mapping[str, Chosen]:
        with self._reading() as session:
            rows = session.scalars(select(ChoiceRow).where(ChoiceRow.school == school))
            return {row.name: Chosen(row.value, row.changed_by, row.changed) for row in rows}

    def change(self, school: str, values: Mapping[str, Value | None], by: str, at: datetime) -> None:
        with self._writing() as session:
            held = select(ChoiceRow).where(ChoiceRow.school == school).with_for_update()
            known = {row.name: row.value for row in session.scalars(held)}
            for name, value in values.items():
                if known.get(name) != value:
                    session.merge(ChoiceRow(school=school, name=name, value=value, changed_by=by, changed=at))
