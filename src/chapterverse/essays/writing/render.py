"""Feedback as Markdown, as an HTML page with the essay's words highlighted, and as a PDF of that page (S1-25).

The page contains everything it shows; it runs no scripts and loads nothing from the network."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from types import MappingProxyType

from bookreader.sandbox import SandboxLimits, answer_of
from chapterverse.citations.model import cite
from chapterverse.citations.passages import HighlightedPages, by_header, escaped, labels_of
from chapterverse.core.errors import TooLarge
from chapterverse.essays.model import (
    BY_RULES,
    Citation,
    Comment,
    CommentKind,
    Dimension,
    EssayEvidence,
    Feedback,
    Item,
    ParagraphEvidence,
    Review,
    kind_of,
)
from chapterverse.essays.outline import EssaySpan, Outline, PieceKind
from chapterverse.essays.revision.story import CHANGES_HEADING, COMMENTS_HEADING, HEADING, visible_revision
from chapterverse.essays.task import Criterion
from chapterverse.library.services import Printer
from chapterverse.messages import ENGLISH, Message, in_words, message
from chapterverse.templates import style_sheet, template

OPENING = 8  # words that identify a paragraph
LONGEST = 100  # characters of these words


def feedback_markdown(feedback: Feedback, *, numbers: bool = False, language: str = ENGLISH) -> str:
    """The feedback as Markdown: title, what the teacher wrote, what changed since an earlier draft, what to read first, the
    rest of each dimension by kind, the Evidence section.

    Text of essays and books is escaped. numbers: put the part and number that a teacher annotates it by before each comment.
    language: of what changed and of the headings of what the teacher wrote."""
    found, blocks = feedback.evidence, blocks_of(feedback)
    teacher = "\n".join(_from_teacher(feedback, partial(in_words, language=language)))
    first = "\n".join(_read_first(feedback, numbers=numbers))
    reviews = ("\n".join(on_dimension(review, blocks, found, numbers=numbers)) for review in feedback.reviews)
    revised, argument = "\n".join(_revised(feedback, language)), "\n".join(_argument(feedback))
    criteria = "\n".join(_criteria(feedback, partial(in_words, language=language)))
    parts = [heading(found), teacher, revised, first, argument, criteria, *reviews, feedback.section]
    return "\n\n".join(part for part in parts if part)


def heading(found: EssayEvidence) -> str:
    """The heading line."""
    return f"# Feedback on “{escaped(found.title)}”" if found.title else "# Feedback"


FROM_TEACHER = message("from_your_teacher")


def by_models(feedback: Feedback) -> Message | None:
    """Says that a language model wrote comments, as the EU AI Act's Article 50 asks; None if rules did."""
    return message("by_language_model", models=", ".join(feedback.models)) if feedback.models else None


def _grade(grade: str) -> Message:
    return message("teacher_grade", grade=grade)


def _level(level: str) -> Message:
    return message("teacher_level", level=level)


def _from_teacher(feedback: Feedback, say: Callable[[Message], str]) -> Iterator[str]:
    """The lines with the student's name, what a language model wrote, and the teacher's note and grade; none without any."""
    edits = feedback.edits
    if feedback.written_by:
        yield f"*{escaped(feedback.written_by)}*\n"
    if words := by_models(feedback):
        yield f"*{escaped(say(words))}*\n"
    if edits.note or edits.grade:
        yield f"## {say(FROM_TEACHER)}\n"
        yield from (f"{escaped(line)}  " for line in edits.note.splitlines())
    if edits.grade:
        yield f"\n**{escaped(say(_grade(edits.grade)))}**"


def _revised(feedback: Feedback, language: str) -> Iterator[str]:
    """The lines on what changed since an earlier draft; none without one."""
    if not (revision := visible_revision(feedback)):
        return
    say = partial(in_words, language=language)
    yield f"## {say(HEADING)}"
    yield ""
    yield from (f"{escaped(say(one))}  " for one in revision.story)
    if revision.comments:
        yield f"\n**{say(COMMENTS_HEADING)}**\n"
        for comment in revision.comments:
            words = f" “{escaped(comment.words)}”" if comment.words else ""
            yield f"- **{say(comment.name)}**{words}: {escaped(comment.text)}"
    if revision.changes:
        yield f"\n**{say(CHANGES_HEADING)}**\n"
        for one in revision.changes:
            where = f" ({say(one.where)})" if one.where else ""
            words = " → ".join(f"“{escaped(text)}”" for text in (one.before, one.after) if text)
            yield f"- **{say(one.name)}**{where}: {words}"


KIND_NAMES = {
    CommentKind.WORKS: "What works",
    CommentKind.TASK: "What the task asks for",
    CommentKind.BOOKS: "Your books",
    CommentKind.REASONS: "Reasons and sources",
    CommentKind.STRUCTURE: "Structure",
    CommentKind.LANGUAGE: "Spelling and grammar",
    CommentKind.SENTENCES: "Sentences",
    CommentKind.WORDING: "Words",
}


@dataclass(frozen=True, slots=True)
class CommentGroup:
    """Comments of one kind and dimension, shown together. more: how many there are of a priority beside the one shown."""

    kind: CommentKind
    dimension: Dimension
    comments: tuple[Comment, ...]
    more: int = 0

    @property
    def name(self) -> str:
        """The kind in words, with the number of comments."""
        return f"{KIND_NAMES[self.kind]} ({len(self.comments)})"


def first_of(feedback: Feedback) -> list[CommentGroup]:
    """The priorities, one comment each."""
    by_item = {(review.dimension, one.number): one for review in feedback.reviews for one in review.comments}
    firsts = ((group, Dimension(group.items[0].part)) for group in feedback.arranged.first)
    return [
        CommentGroup(group.kind, dimension, (by_item[dimension, group.items[0].number],), len(group.items) - 1)
        for group, dimension in firsts
    ]


def blocks_of(feedback: Feedback) -> dict[Dimension, list[CommentGroup]]:
    """All comments but the priorities, by dimension and kind."""
    shown = {(block.dimension, block.comments[0].number) for block in first_of(feedback)}
    blocks: dict[Dimension, list[CommentGroup]] = {}
    for review in feedback.reviews:
        left = [one for one in review.comments if (review.dimension, one.number) not in shown]
        kinds = dict.fromkeys(kind_of(one, review.dimension) for one in left)
        blocks[review.dimension] = [
            CommentGroup(kind, review.dimension, tuple(one for one in left if kind_of(one, review.dimension) is kind))
            for kind in kinds
        ]
    return blocks


def _read_first(feedback: Feedback, *, numbers: bool) -> Iterator[str]:
    """The lines on what to read first; none without comments."""
    if not (first := first_of(feedback)):
        return
    yield "## First"
    yield ""
    for block in first:
        more = f" ({block.more} more like this)" if block.more else ""
        yield from _lines_of(block.comments[0], block.dimension, feedback.evidence, numbers=numbers, more=more)


PIECE_NAMES = {
    PieceKind.BOOK: "from your books",
    PieceKind.SOURCE: "a source",
    PieceKind.STATISTIC: "a number",
    PieceKind.EXAMPLE: "an example",
}


def _argument(feedback: Feedback) -> Iterator[str]:
    """The lines on the essay's own argument; none if it does not argue, or nothing was found."""
    outline, found = feedback.outline, feedback.evidence
    if not outline or not (outline.genre.argues and (outline.claim or outline.reasons)):
        return
    yield "## Your argument"
    yield ""
    yield f"- **Claim:** {_words(outline.claim, found) if outline.claim else NOT_SEEN}"
    for number, reason in enumerate(outline.reasons, start=1):
        yield f"- **Reason {number}:** {_words(reason.place, found)}"
        yield from (f"  - {PIECE_NAMES[one.kind]}: {_words(one.place, found)}" for one in reason.pieces)
        if not reason.pieces:
            yield f"  - {NO_PIECE}"
        if reason.books:
            yield f"  - in your books: {', '.join(f'Evidence #{number}' for number in reason.books)}"
    yield f"- **The other side:** {_words(outline.counter, found) if outline.counter else NOT_SEEN}"
    yield ""
    yield counted_pieces(outline)


def comments_on(criterion: Criterion, feedback: Feedback) -> list[Item]:
    """The comments that name the criterion."""
    return [
        Item(review.dimension.value, one.number)
        for review in feedback.reviews
        for one in review.comments
        if one.criterion == criterion.text
    ]


def _criteria(feedback: Feedback, say: Callable[[Message], str]) -> Iterator[str]:
    """The lines on the rubric; none without one."""
    if feedback.criteria:
        yield "## What your teacher looks for"
        yield ""
    for one in feedback.criteria:
        count = len(comments_on(one.criterion, feedback))
        counted = f" {escaped(one.found)}" if one.found else ""
        yield f"- **{escaped(one.criterion.text)}** ({count} comments){counted}"
        if chosen := feedback.edits.level_of(one.criterion.text):
            yield f"  - **{escaped(say(_level(chosen)))}**"
        yield from (f"  - {escaped(level)}" for level in one.criterion.levels)
        if one.on_evidence and feedback.outline:
            yield f"  - {counted_pieces(feedback.outline)}"
            yield from (f"    - {_words(piece.place, feedback.evidence)}" for piece in feedback.outline.pieces)


NOT_SEEN = "not found"
NO_PIECE = "no evidence found for it yet"


def counted_pieces(outline: Outline) -> str:
    """How many pieces of evidence there are, and how many are specific."""
    specific = sum(bool(one.specific) for one in outline.pieces)
    return f"Pieces of evidence: {len(outline.pieces)}; with a name, a number or a quotation: {specific}."


def _words(place: EssaySpan, found: EssayEvidence) -> str:
    text = found.paragraphs[place.paragraph].paragraph.text[place.start : place.end]
    return f"“{escaped(text)}” (paragraph {place.paragraph + 1})"


def _lines_of(comment: Comment, dimension: Dimension, found: EssayEvidence, *, numbers: bool, more: str = "") -> Iterator[str]:
    item = f"{dimension} {comment.number} · " if numbers else ""
    named = f" *(for: {escaped(comment.criterion)})*" if comment.criterion else ""
    yield f"- {item}{where(comment, found)}: {escaped(comment.text)}{_instead(comment)}{more}{named}"
    yield from (f"  - {_cited(citation)}" for citation in comment.citations)


def on_dimension(
    review: Review, blocks: Mapping[Dimension, Sequence[CommentGroup]], found: EssayEvidence, *, numbers: bool = False
) -> Iterator[str]:
    """The lines of one dimension: comments by kind, then what was checked and what was not."""
    yield f"## {review.dimension.capitalize()}"
    yield ""
    for block in blocks[review.dimension]:
        yield f"**{block.name}**"
        yield ""
        for comment in block.comments:
            yield from _lines_of(comment, review.dimension, found, numbers=numbers)
        yield ""
    if review.is_clean:
        yield "- Nothing stood out."
        yield ""
    if review.dimension is Dimension.CONTENT:
        yield from _not_in_books(found)
    yield from (f"{escaped(str(note))}  " for note in review.notes)
    if review.checked:
        yield f"Checked{'' if review.by == BY_RULES else f' by {escaped(review.by)}'}: {escaped('; '.join(review.checked))}.  "
    yield f"Not checked: {escaped('; '.join(review.not_checked))}."


def _not_in_books(found: EssayEvidence) -> Iterator[str]:
    """A line on each paragraph without evidence."""
    for number, one in enumerate(found.paragraphs, start=1):
        if one.message:
            yield f"Paragraph {number}: {escaped(str(one.message))}  "


def where(comment: Comment, found: EssayEvidence) -> str:
    """The comment's paragraph, and the words that it is about or that the paragraph begins with."""
    if comment.paragraph is None:
        return "**The whole essay**"
    words = opening(comment, found.paragraphs[comment.paragraph].paragraph.text)
    return f"**Paragraph {comment.paragraph + 1}** (“{escaped(words)}”)"


def opening(comment: Comment, paragraph: str) -> str:
    """The words that the comment is about, or the paragraph's first words, at most OPENING."""
    words = (paragraph[slice(*comment.about)] if comment.about else paragraph).split()
    begins = " ".join(words[:OPENING])[:LONGEST]
    return begins if begins == " ".join(words) else f"{begins} …"


def _instead(comment: Comment) -> str:
    return f" Perhaps: **{escaped(comment.instead)}**" if comment.instead else ""


def _cited(citation: Citation) -> str:
    """A citation in the form that S1 asks for: "… (**Evidence #1**)"."""
    book = escaped(citation.evidence.passage.book_title)
    quoted = f": “{escaped(citation.quote)}”" if citation.quote else ""
    return f"*{book}*{quoted} (**Evidence #{citation.evidence.number}**)"


@dataclass(frozen=True, slots=True)
class Highlight:
    """The characters [start, end) of a paragraph that comment #number is about."""

    number: int
    dimension: Dimension
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A part of a paragraph's text. dimension: of the highlight on it, None without one; ends: numbers of the highlights that
    end here."""

    text: str
    dimension: Dimension | None = None
    ends: tuple[int, ...] = ()
    start: int = field(default=0, compare=False)


def spans_of(text: str, marks: Sequence[Highlight], targets: Iterable[int] = ()) -> Iterator[TextSpan]:
    """The text, split where highlights begin or end, and at the targets of links. Highlights may overlap; the shortest one
    determines the dimension."""
    edges = sorted({0, len(text), *targets, *(edge for mark in marks for edge in (mark.start, mark.end))})
    for start, end in pairwise(edges):
        on_it = [mark for mark in marks if mark.start <= start and end <= mark.end]
        dimension = min(on_it, key=lambda mark: mark.end - mark.start).dimension if on_it else None
        yield TextSpan(text[start:end], dimension, tuple(mark.number for mark in marks if mark.end == end), start)


SCREEN, PAPER = "screen.css", "print.css"
NO_PAGES: HighlightedPages = MappingProxyType({})

ABOUT = {
    Dimension.CONTENT: "What you say, and what your books say about it.",
    Dimension.EXPRESSIONS: "How you say it: spelling, words and sentences.",
    Dimension.FEATURES: "Whether it has the form of an essay, and sounds like one.",
}

Comments = Mapping[Dimension, Sequence[tuple[int, Comment]]]


def feedback_html(
    feedback: Feedback, pages: HighlightedPages = NO_PAGES, style: str = SCREEN, *, language: str = ENGLISH
) -> str:
    """The feedback as one HTML page: the essay with numbered highlights, the comments, and the Evidence section (S1-25).

    pages: pictures of the books' pages. style: SCREEN for a browser and its printer, PAPER for the port Printer. Everything
    that an essay, a book or a model says is escaped. language: of what changed and the headings of what the teacher wrote."""
    found, comments = feedback.evidence, numbered(feedback.reviews)
    targets = {(place.paragraph, place.start) for place in places_of(feedback.outline)}
    return template("feedback.html").render(
        heading=f"Feedback on “{found.title}”" if found.title else "Feedback",
        written_by=feedback.written_by,
        edits=feedback.edits,
        from_teacher=FROM_TEACHER,
        grade_text=_grade,
        level_text=_level,
        style=style_sheet(style),
        paragraphs=list(_paragraphs(found, comments, targets)),
        outline=feedback.outline,
        targets=targets,
        words_at=lambda place: found.paragraphs[place.paragraph].paragraph.text[place.start : place.end],
        criteria=[(one, len(comments_on(one.criterion, feedback))) for one in feedback.criteria],
        piece_names=PIECE_NAMES,
        not_seen=NOT_SEEN,
        no_piece=NO_PIECE,
        counted_pieces=counted_pieces,
        reviews=feedback.reviews,
        revision=visible_revision(feedback),
        language=language,
        say=partial(in_words, language=language),
        headings=(HEADING, COMMENTS_HEADING, CHANGES_HEADING),
        first=first_of(feedback),
        blocks=blocks_of(feedback),
        number_of={(name, one.number): number for name, some in comments.items() for number, one in some},
        kind_names=KIND_NAMES,
        folded=style == SCREEN,
        about=ABOUT,
        opening=opening,
        evidence_by_header=list(by_header(found.evidence, feedback.offered)),
        verdicts=labels_of(found.evidence, feedback.verdicts),
        pages=pages,
        cite=cite,
        by_rules=BY_RULES,
        by_models=by_models(feedback),
    )


def feedback_pdf(feedback: Feedback, pages: HighlightedPages, printer: Printer, language: str = ENGLISH) -> bytes:
    """The page as a PDF. Raises TooLarge."""
    return printer(feedback_html(feedback, pages, PAPER, language=language))


def numbered(reviews: Sequence[Review]) -> Comments:
    """The comments of each dimension, numbered from 1 throughout, in the order in which they are shown."""
    first, by_dimension = 1, {}
    for review in reviews:
        by_dimension[review.dimension] = list(enumerate(review.comments, start=first))
        first += len(review.comments)
    return by_dimension


def places_of(outline: Outline | None) -> Iterator[EssaySpan]:
    """The places in the essay that its outline names."""
    if outline:
        yield from (one for one in (outline.claim, outline.counter) if one)
        yield from (one.place for one in outline.reasons)
        yield from (one.place for one in outline.pieces)


def _paragraphs(
    found: EssayEvidence, comments: Comments, targets: Collection[tuple[int, int]]
) -> Iterator[tuple[int, list[TextSpan], ParagraphEvidence]]:
    """Number from 1, highlighted text and evidence of each paragraph."""
    for position, one in enumerate(found.paragraphs):
        text = one.paragraph.text
        marks = [
            Highlight(number, dimension, *(comment.about or (len(text), len(text))))
            for dimension, some in comments.items()
            for number, comment in some
            if comment.paragraph == position
        ]
        yield position + 1, list(spans_of(text, marks, [start for of, start in targets if of == position])), one


PRINT_WORKER = "chapterverse.essays.writing.print_worker"
PRINT_LIMITS = SandboxLimits(seconds=40.0, megabytes=1536)  # 20,000 words as 2,800 paragraphs took 15 s on a busy machine


def print_in_sandbox(html: str, paper: str = "a4") -> bytes:
    """The port Printer: the HTML as a PDF, made in a sandbox, because others wrote its content. paper: "a4" or "letter".

    print_worker.py describes the protocol. Raises TooLarge beyond PRINT_LIMITS."""
    with answer_of(PRINT_WORKER, {"paper": paper}, html.encode(), PRINT_LIMITS) as answer:
        match json.loads(answer.readline() or b"null"):
            case {"pdf": size} if len(pdf := answer.read(size)) == size:
                return pdf
    raise TooLarge("pdf_export_too_large", seconds=PRINT_LIMITS.seconds, megabytes=PRINT_LIMITS.megabytes)
