"""What somebody handed in themselves: their history, their thumbs. Nobody sees another's; teachers see their school's."""

import json
from dataclasses import replace
from typing import Any

from chapterverse.errors import NotFound
from chapterverse.model import KeptFeedback, Mark, Submission
from chapterverse.names import fingerprint
from chapterverse.usecases.kept_feedback import Keeping, feedback_of, find_feedback, items_of, with_mark
from chapterverse.usecases.kept_json import summary_json

MOST = 500  # of one history
BEGINS = 12  # words that stand for an essay without a title


def submission_of(
    owner: str | None, caller: str, school: str, keeping: Keeping, *, key: str | None, earlier: str | None
) -> Submission:
    """How an essay comes in. key: random, told by the caller: the same again is the same essay, so it has the same id, which
    nobody but that caller can make. earlier: of which feedback of the owner's it is a new version; another's is none."""
    id = fingerprint(school, caller, key, digits=32) if key else None
    return Submission(owner, _theirs(school, owner, earlier, keeping), id)


def list_own(school: str, owner: str | None, keeping: Keeping) -> list[KeptFeedback]:
    """What they handed in, newest first. Raises CatalogUnavailable."""
    return keeping.store.of_owner(school, owner, keeping.since, MOST) if owner else []


def find_own(school: str, owner: str | None, id: str, keeping: Keeping) -> KeptFeedback:
    """Raises NotFound, also where somebody else handed it in."""
    kept = find_feedback(school, id, keeping)
    if owner is None or kept.owner != owner:
        raise NotFound("no_such_own_feedback")
    return kept


def refuse_anothers(kept: KeptFeedback, person: str | None) -> None:
    """A student who is signed in sees what nobody owns by its id, and of the rest only their own. Raises NotFound."""
    if person is not None and kept.owner not in (None, person):
        raise NotFound("no_such_own_feedback")


def thumb_own(school: str, owner: str | None, id: str, told: Mark, keeping: Keeping) -> None:
    """What they think of a comment or of evidence from now on; without a thumb: nothing. Raises NotFound, also without such an
    item."""
    item = told.item
    if item not in items_of(feedback_of(find_own(school, owner, id, keeping))):
        raise NotFound("no_such_part_of_feedback", part=item.part, number=item.number)

    keeping.store.change(school, id, lambda kept: replace(kept, thumbs=with_mark(kept.thumbs, told)))


def own_json(kept: KeptFeedback, keeping: Keeping) -> dict[str, Any]:
    """One line of a history: summary_json, how the essay begins and how many words it has, what it is a new version of, and
    whether a teacher has chosen any of its evidence."""
    texts = [one["paragraph"]["text"] for one in json.loads(kept.answer)["evidence"]["paragraphs"]]
    words = " ".join(texts).split()
    return summary_json(kept, keeping) | {
        "begins": " ".join(words[:BEGINS]),
        "words": len(words),
        "version_of": kept.version_of,
        "changed": bool(kept.choices),
    }


def _theirs(school: str, owner: str | None, id: str | None, keeping: Keeping) -> str | None:
    if id is None:
        return None
    try:
        return find_own(school, owner, id, keeping).id
    except NotFound:
        return None
