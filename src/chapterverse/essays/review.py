"""A teacher's review of stored feedback: choose its evidence, approve it.

Each call sets a state, so repeating it changes nothing, and the default value undoes it. `seen` is the state that the teacher
saw. If it has changed since then, ChangedMeanwhile is raised and nothing happens, so no teacher overwrites another's change
unseen."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from chapterverse.citations.model import Evidence
from chapterverse.citations.verbatim import sentences_with
from chapterverse.core.book import BookId, SentenceId
from chapterverse.core.errors import BadRequest, ChangedMeanwhile, NotFound
from chapterverse.core.hits import FoundBy, Query, QueryKind, Scope
from chapterverse.essays.evidence import by_similarity
from chapterverse.essays.history import FeedbackHistory, feedback_of, find_feedback, visible_feedback
from chapterverse.essays.model import COMMENT, FIRST_OWN, Choice, OwnComment, Show, StoredFeedback, TeacherEdits
from chapterverse.essays.service import EssayContext
from chapterverse.library.scope import OpenBook, find_passage, look_in_open_books
from chapterverse.library.services import CollectionServices
from chapterverse.search.engine import embedded, find

MAX_EDITED, MAX_BANK = 500, 50  # feedback that is looked through for own comments, and those that are offered


def choose(school: str, id: str, choice: Choice, context: EssayContext, seen: Choice | None = None) -> None:
    """Store how a piece of evidence is shown. A replacement is read from the school's own books and stays even if its book is
    removed. Raises NotFound, also for unknown evidence or sentences, ChangedMeanwhile, and the embedder's errors."""
    stored = find_feedback(school, id, context.history)
    there, number = _chosen(stored, choice.number), choice.number
    _expect(seen, replace(there, instead=None), replace(choice, instead=None))
    is_added = there.instead is not None and number >= FIRST_OWN
    written = (one for one in feedback_of(stored).evidence.evidence if one.number == number)
    if (old := there.instead or next(written, None)) is None:
        raise NotFound("no_such_evidence", number=number)
    if choice.sentence and choice.sentence != there.sentence:
        passage = find_passage(school, choice.sentence, context.services)
        unread = replace(old, passage=passage, relation=None, quotation=None)  # nobody has read it beside the paragraph
        choice = replace(choice, instead=_scored(unread, context.services))
    elif choice.sentence or is_added:  # an added passage is hidden, never lost
        choice = replace(choice, sentence=there.sentence, instead=there.instead)

    def change(stored: StoredFeedback) -> StoredFeedback:
        _expect(seen, replace(_chosen(stored, choice.number), instead=None), replace(choice, instead=None))
        others = [each for each in stored.choices if each.number != choice.number]
        choices = others if choice == Choice(choice.number, Show.NORMAL) else [*others, choice]
        return replace(stored, choices=tuple(sorted(choices, key=lambda each: each.number)))

    context.history.store.change(school, id, change)


def add_passage(school: str, id: str, paragraph: int, sentence: SentenceId, context: EssayContext) -> int:
    """Add a sentence of the school's books for the paragraph with this index; return its number. The same sentence again gets
    the same number. Raises NotFound, BadRequest for a paragraph that is not there, and the embedder's errors."""
    stored = find_feedback(school, id, context.history)
    paragraphs = feedback_of(stored).evidence.paragraphs
    if not 0 <= paragraph < len(paragraphs):
        raise BadRequest("comment_place_unknown")
    query = Query(paragraphs[paragraph].paragraph.text, QueryKind.PARAGRAPH, paragraph)
    passage = find_passage(school, sentence, context.services)
    new = _scored(Evidence(FIRST_OWN, passage, 0.0, (FoundBy(query, 0.0),)), context.services)
    numbers: list[int] = []

    def change(stored: StoredFeedback) -> StoredFeedback:
        own = [each for each in stored.choices if each.number >= FIRST_OWN]
        same = next((each.number for each in own if each.sentence == sentence), None)
        taken = [each.number for each in own] + [each.number for each in stored.edits.own]
        number = same or max(taken, default=FIRST_OWN - 1) + 1
        numbers.append(number)
        added = Choice(number, Show.NORMAL, sentence, replace(new, number=number))
        others = [each for each in stored.choices if each.number != number]
        return replace(stored, choices=tuple(sorted([*others, added], key=lambda each: each.number)))

    context.history.store.change(school, id, change)
    return numbers[-1]


def edit(school: str, id: str, edits: TeacherEdits, history: FeedbackHistory, seen: TeacherEdits | None = None) -> None:
    """Replace a teacher's edits of the comments. Raises NotFound, also for unknown comments, BadRequest for words that are not
    in the essay, ChangedMeanwhile."""
    stored = find_feedback(school, id, history)
    feedback = feedback_of(stored)
    written = {one.number for one in feedback.comments} | {one.number for one in stored.choices}
    for change in edits.changes:
        if change.number not in written:
            raise NotFound("no_such_part_of_feedback", part=COMMENT, number=change.number)
    paragraphs = [each.paragraph.text for each in feedback.evidence.paragraphs]
    if not all(_is_in(one, paragraphs) for one in edits.own):
        raise BadRequest("comment_place_unknown")
    criteria = {each.text for each in feedback.rubric}
    if not all(each.criterion in criteria for each in edits.levels):
        raise BadRequest("criterion_unknown")

    def change_edits(stored: StoredFeedback) -> StoredFeedback:
        _expect(seen, stored.edits, edits)
        return replace(stored, edits=edits)

    history.store.change(school, id, change_edits)


def _is_in(comment: OwnComment, paragraphs: Sequence[str]) -> bool:
    """Whether the essay has the words that the comment is about."""
    if comment.paragraph is None:
        return comment.start is None and comment.end is None
    if not 0 <= comment.paragraph < len(paragraphs) or (comment.start is None) is not (comment.end is None):
        return False
    start, end = comment.start or 0, comment.end
    return end is None or 0 <= start < end <= len(paragraphs[comment.paragraph])


def written_comments(school: str, history: FeedbackHistory) -> list[str]:
    """The comments that the school's teachers have written themselves, without repetitions, the most frequent first."""
    edited = history.store.edited(school, history.since, MAX_EDITED)
    counted = Counter(" ".join(one.text.split()) for each in edited for one in each.own)
    return [text for text, _ in counted.most_common(MAX_BANK)]


def approve(school: str, id: str, approved: bool, history: FeedbackHistory, seen: bool | None = None) -> None:
    """Release feedback to students, or withdraw it. Raises NotFound, ChangedMeanwhile."""
    find_feedback(school, id, history)
    now = history.now()

    def change(stored: StoredFeedback) -> StoredFeedback:
        _expect(seen, stored.approved is not None, approved)
        return replace(stored, approved=(stored.approved or now) if approved else None)

    history.store.change(school, id, change)


def _expect(seen: object, there: object, wanted: object) -> None:
    """Raise ChangedMeanwhile if the state is neither the seen nor the wanted one."""
    if seen is not None and there not in (seen, wanted):
        raise ChangedMeanwhile("changed_meanwhile")


def _chosen(stored: StoredFeedback, number: int) -> Choice:
    return next((each for each in stored.choices if each.number == number), Choice(number))


def _scored(evidence: Evidence, services: CollectionServices) -> Evidence:
    """The evidence with its cosines to the passages that found the old sentence."""
    queries = [by.query for by in evidence.found_by]
    [vector] = services.embedder.embed_passages([evidence.passage.sentence.text])
    scores = services.embedder.embed_queries([query.text for query in queries]) @ vector
    found_by = [FoundBy(query, float(score)) for query, score in zip(queries, scores, strict=True)]
    return replace(evidence, score=max(by.score for by in found_by), found_by=tuple(found_by))


def candidates_for(
    school: str,
    id: str,
    number: int | None,
    context: EssayContext,
    *,
    words: str = "",
    books: tuple[BookId, ...] = (),
    limit: int = 8,
    paragraph: int = 0,
) -> list[Evidence]:
    """Sentences that could replace the evidence with this number, or be added for the paragraph with this index if number is
    None; best first, at most `limit`, without those already shown.

    They are those that have `words` in a row, if few have, then the nearest to these, or without words to what found the
    evidence, or to the paragraph, with any score. books: only from these, if any. Raises NotFound, also if there is no book to
    search, and every RetryableError of the ports."""
    stored = find_feedback(school, id, context.history)
    given, shown = feedback_of(stored).evidence, visible_feedback(stored).evidence
    found = next((one for one in (*given.evidence, *shown.evidence) if one.number == number), None)
    if found is None and not (number is None and 0 <= paragraph < len(given.paragraphs)):
        raise NotFound("no_such_evidence", number=number or paragraph + 1)
    text = words or ("" if found else given.paragraphs[paragraph].paragraph.text)
    queries = (Query(text, QueryKind.PARAGRAPH, 0),) if text or not found else tuple(by.query for by in found.found_by)
    visible = {one.passage.sentence.id for one in shown.evidence}
    many = replace(context.plan, hits_per_query=limit + len(visible), min_score=-2.0, limit=limit + len(visible))
    scope, services = Scope(school, books), context.services
    nearest = find(partial(embedded, queries), scope, many, services, by_similarity)

    def look(books: dict[str, OpenBook]) -> list[SentenceId]:
        return sentences_with(words, [services.fingerprint_of(book.key) for book in books.values()])

    literal = look_in_open_books(look, scope, services)
    first = [Evidence(0, find_passage(school, one, services), 1.0, ()) for one in literal if len(literal) <= limit]
    both = {one.passage.sentence.id: one for one in (*first, *nearest)}
    return [one for id, one in both.items() if id not in visible][:limit]
