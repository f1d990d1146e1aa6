"""Lists of questions and answers, and of tickets that were answered, taken in as entries."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from chapterverse.errors import TooLarge
from chapterverse.ingestion.entries import Entry, read_entries
from chapterverse.model import EntryType, FaqEntry
from chapterverse.usecases.helpdesk.desk import Desk
from chapterverse.usecases.helpdesk.faq import new_id, publish


@dataclass(frozen=True, slots=True)
class AsImported:
    """What is said of a whole list. department: of entries that do not say theirs; tickets: all are tickets, whatever they say;
    approved: they are found at once; most: entries that it may have, None: as many as any list."""

    department: str | None = None
    tickets: bool = False
    approved: bool = False
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Imported:
    """Entries that are new, that say something else than before, and that were there already, approved now or not."""

    added: tuple[FaqEntry, ...] = ()
    changed: tuple[FaqEntry, ...] = ()
    unchanged: tuple[FaqEntry, ...] = ()

    @property
    def entries(self) -> tuple[FaqEntry, ...]:
        """All of the list."""
        return (*self.added, *self.changed, *self.unchanged)


def import_entries(data: bytes, school: str, how: AsImported, desk: Desk) -> Imported:
    """All entries of a list, or none: each in the place of the one of its type and id. One that says something else than before
    is a draft again, unless the list is approved. Of tickets it is taken out who took part in them, before anything is kept.

    Raises BadBook with the lines at fault, TooLarge, ModelUnavailable, CatalogUnavailable; where approved, as approve_entry."""
    told = read_entries(data)
    if how.most is not None and len(told) > how.most:
        raise TooLarge("list_too_long", entries=len(told), max_entries=how.most)
    before = {(entry.type, entry.source_id): entry for entry in desk.faq.of_school(school)}
    imported = _sorted([_kept(one, school, how, before, desk) for one in told], before)
    desk.faq.keep(imported.entries)
    publish(school, _departments_to_publish(imported, before), desk)
    return imported


Before = dict[tuple[EntryType, str], FaqEntry]


def _kept(one: Entry, school: str, how: AsImported, before: Before, desk: Desk) -> FaqEntry:
    kind = EntryType.RESOLVED if how.tickets else EntryType(one.source_type)
    question, answer = _said(one, kind, desk)
    department = one.department_id or how.department
    old = before.get((kind, one.source_id))
    now = desk.now()
    new = FaqEntry(new_id(), school, question, answer, now, department, kind, source_id=one.source_id)
    if old:
        new = replace(new, id=old.id, created=old.created, conversation=old.conversation)
    same = old if old and _wording(old) == _wording(new) else None
    approved = (same and same.approved) or (now if how.approved else None)
    return replace(new, approved=approved, archived=same.archived if same and not approved else None)


def _said(one: Entry, kind: EntryType, desk: Desk) -> Sequence[str]:
    """What an institute says to all stays as it is, its own addresses, too."""
    return (
        desk.redactor.redact([one.question, one.answer], one.names)
        if kind is EntryType.RESOLVED
        else (one.question, one.answer)
    )


def _wording(entry: FaqEntry) -> tuple[str, str, str | None]:
    return entry.question, entry.answer, entry.department


def _sorted(entries: Sequence[FaqEntry], before: Before) -> Imported:
    old = [before.get((entry.type, entry.source_id)) for entry in entries]
    pairs = list(zip(entries, old, strict=True))
    return Imported(
        tuple(new for new, known in pairs if known is None),
        tuple(new for new, known in pairs if known and _wording(known) != _wording(new)),
        tuple(new for new, known in pairs if known and _wording(known) == _wording(new)),
    )


def _departments_to_publish(imported: Imported, before: Before) -> set[str | None]:
    """Those of which what is found has become another, or of which it is not certain."""
    old = (before[(entry.type, entry.source_id)] for entry in (*imported.changed, *imported.unchanged))
    return {entry.department for entry in (*imported.entries, *old) if entry.approved}
