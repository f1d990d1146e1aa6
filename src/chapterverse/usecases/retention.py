"""What students wrote is forgotten after so many days, whatever it came as."""

from dataclasses import dataclass
from datetime import timedelta

from chapterverse.usecases.helpdesk.desk import LEAST_DAYS
from chapterverse.usecases.kept_feedback import expire
from chapterverse.usecases.overnight.batches import expire_batches
from chapterverse.usecases.overnight.night import Night


@dataclass(frozen=True, slots=True)
class Forgotten:
    """How many there were."""

    feedback: int
    batches: int
    conversations: int = 0
    lectures: int = 0


def forget_old(night: Night) -> Forgotten:
    """Feedback, batches of essays, conversations, lectures with their citations, and questions handed in with thumbs, of all
    schools, that were kept long enough.

    Raises CatalogUnavailable, BucketUnavailable; called again, it goes on."""
    keeping = night.keeping
    if keeping.answers:
        keeping.answers.forget_questions(keeping.since)
    oldest_talk = min(keeping.since, keeping.now() - timedelta(days=LEAST_DAYS))
    talks = keeping.conversations.remove_before(oldest_talk) if keeping.conversations else 0
    lectures = keeping.lectures.remove_before(oldest_talk) if keeping.lectures else 0
    return Forgotten(expire(keeping), expire_batches(keeping.batches_since, night), talks, lectures)
