"""One essay of a batch: what it says, what the books say on it, what is written about it."""

from dataclasses import replace

from chapterverse.essay import Essay, parse_essay
from chapterverse.model import BatchKey
from chapterverse.usecases.essay_feedback import EssayEvidence, find_evidence
from chapterverse.usecases.overnight.entries import Entry
from chapterverse.usecases.overnight.kept import HandedIn, load_essays
from chapterverse.usecases.overnight.night import Night
from chapterverse.usecases.school_choices import plan_for
from chapterverse.usecases.write_feedback import Feedback, write_feedback
from chapterverse.usecases.writing import Writing


def handed_in_of(key: BatchKey, night: Night) -> HandedIn:
    """Read once a process: a batch's tasks come one after the other. Raises NotFound."""
    return night.services.recent.get(("batch", key), lambda: load_essays(night.results, key))


def essay_of(entry: Entry, most_words: int) -> Essay:
    """The essay, by the title that its teacher gives it. Raises BadRequest, TooLarge."""
    essay = parse_essay(entry.text, most_words)
    return replace(essay, title=entry.title or essay.title)


def found_on(key: BatchKey, entry: Entry, night: Night) -> EssayEvidence:
    """Raises as essay_of and find_evidence do."""
    scope = handed_in_of(key, night).scope(key.school)
    plan = plan_for(key.school, night.plan, night.services)
    return find_evidence(essay_of(entry, night.limits.essay_words), scope, night.services, plan)


def written_on(key: BatchKey, entry: Entry, writing: Writing, night: Night) -> Feedback:
    """Raises likewise."""
    began, found = writing.clock(), found_on(key, entry, night)
    return Feedback(found, tuple(write_feedback(found, key.school, writing, began)))
