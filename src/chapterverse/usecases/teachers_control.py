"""What a teacher does with feedback: mark it, choose its evidence, approve it. Each says how it is from now on, so the same
again changes nothing, and the default takes it back. `seen`: how it was when the teacher last saw it; where it is otherwise by
now, ChangedMeanwhile is raised and nothing happens, so that of two who work at once neither undoes what the other did."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

from chapterverse.errors import ChangedMeanwhile, NotFound
from chapterverse.evidence.numbering import Evidence
from chapterverse.feedback.comments import Comment, JudgeAll, Style
from chapterverse.feedback.rules.content import on_claim
from chapterverse.feedback.rules.rule import Looking
from chapterverse.model import EVIDENCE, Choice, FoundBy, Item, KeptFeedback, Mark, SentenceId, Show
from chapterverse.usecases.chosen import INSTEAD, Instead, without
from chapterverse.usecases.foreseen import Foreseen, pairs_of
from chapterverse.usecases.kept_feedback import Keeping, feedback_of, find_feedback, items_of, with_mark
from chapterverse.usecases.lookup import find_passage
from chapterverse.usecases.services import Services
from chapterverse.usecases.write_feedback import Feedback, subject_of


def mark(school: str, id: str, mark: Mark, keeping: Keeping, seen: Mark | None = None) -> None:
    """Put the mark in the place of the item's; an empty one takes it away. Raises NotFound, also without such an item."""
    item = mark.item
    if item not in items_of(feedback_of(find_feedback(school, id, keeping))):
        raise NotFound("no_such_part_of_feedback", part=item.part, number=item.number)

    def change(kept: KeptFeedback) -> KeptFeedback:
        there = next((each for each in kept.marks if each.item == item), Mark(item))
        _expect(seen, there, mark)
        return replace(kept, marks=with_mark(kept.marks, mark))

    keeping.store.change(school, id, change)


@dataclass(frozen=True, slots=True)
class Library:
    """The school's books, and who says whether a sentence of theirs bears out an essay's."""

    school: str
    services: Services
    judge: JudgeAll


def choose(id: str, choice: Choice, keeping: Keeping, library: Library, seen: Choice | None = None) -> None:
    """Show evidence so from now on. Its sentence is read from the school's own books, so a quotation stays the book's; once
    there, it outlives its book. Raises NotFound, also without such evidence or such a sentence, and as the embedder does."""
    kept = find_feedback(library.school, id, keeping)
    given, there = feedback_of(kept), _chosen(kept, choice.number)
    _expect(seen, _told(there), _told(choice))
    if Item(EVIDENCE, choice.number) not in items_of(given):
        raise NotFound("no_such_evidence", number=choice.number)
    if choice.sentence and choice.sentence == there.sentence:
        choice = replace(choice, instead=there.instead)
    elif choice.sentence:
        instead = _instead(given, choice.number, choice.sentence, library)
        choice = replace(choice, instead=INSTEAD.dump_json(instead).decode())

    def change(kept: KeptFeedback) -> KeptFeedback:
        _expect(seen, _told(_chosen(kept, choice.number)), _told(choice))
        others = [each for each in kept.choices if each.number != choice.number]
        choices = others if choice == Choice(choice.number, Show.NORMAL) else [*others, choice]
        return replace(kept, choices=tuple(sorted(choices, key=lambda each: each.number)))

    keeping.store.change(library.school, id, change)


def approve(school: str, id: str, approved: bool, keeping: Keeping, seen: bool | None = None) -> None:
    """Students see it from now on, or no more. Raises NotFound."""
    find_feedback(school, id, keeping)
    now = keeping.now()

    def change(kept: KeptFeedback) -> KeptFeedback:
        _expect(seen, kept.approved is not None, approved)
        return replace(kept, approved=(kept.approved or now) if approved else None)

    keeping.store.change(school, id, change)


def approve_all(school: str, ids: Iterable[str], keeping: Keeping) -> None:
    """Students see each of them from now on; one that is gone meanwhile keeps no other back."""
    for id in ids:
        with suppress(NotFound):
            approve(school, id, True, keeping)


def _expect(seen: object, there: object, wanted: object) -> None:
    """Raises ChangedMeanwhile for what is neither as it was seen nor as it is wanted."""
    if seen is not None and there not in (seen, wanted):
        raise ChangedMeanwhile("changed_meanwhile")


def _chosen(kept: KeptFeedback, number: int) -> Choice:
    return next((each for each in kept.choices if each.number == number), Choice(number))


def _told(choice: Choice) -> Choice:
    """Without what is made of it."""
    return replace(choice, instead=None)


def _instead(given: Feedback, number: int, sentence: SentenceId, library: Library) -> Instead:
    """With what rules say of it where something was said of the sentence before, and of nothing else."""
    [old] = (one for one in given.evidence.evidence if one.number == number)
    services = library.services.for_school(library.school)
    new = _scored(replace(old, passage=find_passage(library.school, sentence, services)), services)
    subject = replace(subject_of(given.evidence), evidence=(new,))
    look = Looking(subject, Style(), Foreseen(library.judge, tuple(pairs_of(subject))))
    return Instead(new, tuple(_anew(given, new, look)))


def _anew(given: Feedback, new: Evidence, look: Looking) -> Iterator[Comment]:
    """In the place of each comment on a paragraph that cites the old sentence and nothing else."""
    for comment in (one for review in given.reviews for one in review.comments):
        if comment.paragraph is not None and without(comment, {new.number}) is None:
            yield replace(on_claim(look, comment.paragraph, new), number=comment.number)


def _scored(evidence: Evidence, services: Services) -> Evidence:
    """With the cosines of the passages of the essay that found the sentence before."""
    queries = [by.query for by in evidence.found_by]
    [vector] = services.embedder.embed_passages([evidence.passage.sentence.text])
    scores = services.embedder.embed_queries([query.text for query in queries]) @ vector
    found_by = [FoundBy(query, float(score), 1) for query, score in zip(queries, scores, strict=True)]
    return replace(evidence, score=max(by.score for by in found_by), found_by=tuple(found_by))
