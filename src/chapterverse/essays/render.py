"""Feedback as Markdown, as an HTML page with the essay's words highlighted, and as a PDF of that page (S1-25).

The page contains everything it shows; it runs no scripts and loads nothing from the network."""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from types import MappingProxyType

from markupsafe import Markup

from bookreader.sandbox import SandboxLimits, SpareWorkers
from bookreader.text.language import dictionary
from chapterverse.citations.contract import evidence_in
from chapterverse.citations.model import Evidence, cite_with_origin
from chapterverse.citations.passages import HighlightedPages, escaped, evidence_section
from chapterverse.core.errors import BadRequest, TooLarge
from chapterverse.essays.model import Comment, EssayEvidence, Feedback, essay_of
from chapterverse.essays.records import RevisionView
from chapterverse.essays.task import LEVELS, Criterion
from chapterverse.essays.text import language_of
from chapterverse.library.services import Printer
from chapterverse.messages import ENGLISH, Message, in_words, message
from chapterverse.templates import source, template

EXAMPLES = 2  # mistakes that show what a correction teaches
FIRST = 3  # corrections that stand among the other comments, as in feedback.js
OPENING = 8  # words that identify a paragraph
LONGEST = 100  # characters of these words
ENOUGH = 3  # words of a correction that say without those beside them what it is about
SCREEN, PAPER = "screen.css", "print.css"
Say = partial[str]  # puts a message into the reader's language
PRINT_LIMITS = SandboxLimits(seconds=40.0, megabytes=1536)  # 20,000 words as 2,800 paragraphs took 15 s on a busy machine


def feedback_markdown(feedback: Feedback, *, language: str | None = None) -> str:
    """The feedback as Markdown: title, what the teacher wrote, the summary, what changed since an earlier draft, the comments
    in the order of the page, the rubric, notes, the Evidence section.

    Text of essays, books and models is escaped. language: of headings and names, None: the essay's."""
    say = _saying(feedback, language)
    evidence = {one.number: one for one in feedback.evidence.evidence}
    comments = "\n".join(
        line for at, one in listed(feedback.comments) for line in _comment_lines(at, one, feedback, evidence, say)
    )
    blocks = [
        heading(feedback.evidence, say, escape=True),
        "\n".join(_from_teacher(feedback, say)),
        escaped(feedback.summary),
        "\n".join(_revised(feedback, say)),
        comments if feedback.comments else say(message("no_comments")),
        "\n".join(_criteria(feedback, say)),
        "  \n".join(escaped(say(note)) for note in feedback.notes),
        evidence_section(feedback.evidence.evidence, language=say.keywords["language"]) if evidence else "",
    ]
    return "\n\n".join(block for block in blocks if block)


def listed(comments: Sequence[Comment]) -> list[tuple[int, Comment]]:
    """The comments numbered from 1 in the order of the page: those on the whole essay, then paragraph by paragraph; last the
    corrections of paragraphs after the FIRST."""
    later = [one for one in comments if one.instead is not None][FIRST:]
    return list(enumerate(sorted(comments, key=lambda one: (one in later, -1 if one.paragraph is None else one.paragraph)), 1))


def _saying(feedback: Feedback, language: str | None) -> Say:
    return partial(in_words, language=language or language_of(essay_of(feedback.evidence)) or ENGLISH)


def heading(found: EssayEvidence, say: Say, *, escape: bool = False) -> str:
    """The heading; in Markdown, with the title escaped."""
    title = escaped(found.title or "") if escape else found.title
    text = say(message("feedback_on", title=title) if title else message("feedback_heading"))
    return f"# {text}" if escape else text


def by_model(feedback: Feedback) -> Message | None:
    """Says that a language model wrote comments, as the EU AI Act's Article 50 asks; None if none did."""
    return message("by_language_model", models=feedback.by) if feedback.by else None


def _from_teacher(feedback: Feedback, say: Say) -> Iterator[str]:
    """The lines with the student's name, what a language model wrote, and the teacher's note and grade; none without any."""
    edits = feedback.edits
    if feedback.written_by:
        yield f"*{escaped(feedback.written_by)}*\n"
    if words := by_model(feedback):
        yield f"*{escaped(say(words))}*\n"
    if edits.note or edits.grade:
        yield f"## {say(message('from_your_teacher'))}\n"
        yield from (f"{escaped(line)}  " for line in edits.note.splitlines())
    if edits.grade:
        yield f"\n**{escaped(say(message('teacher_grade', grade=edits.grade)))}**"


def _revised(feedback: Feedback, say: Say) -> Iterator[str]:
    """The lines on what changed since an earlier draft; none without one."""
    if not (revision := RevisionView.of(feedback)):
        return
    yield f"## {say(message('revision_heading'))}\n"
    yield from (f"{escaped(say(one))}  " for one in revision.story)
    if revision.comments:
        yield f"\n**{say(message('revision_earlier_comments'))}**\n"
        for comment in revision.comments:
            words = f" {_quoted(comment.words, say)}" if comment.words else ""
            yield f"- **{say(comment.name)}**{words}: {escaped(comment.text)}"
    if revision.changes:
        yield f"\n**{say(message('revision_changes'))}**\n"
        for one in revision.changes:
            place = say(message("revision_paragraph", number=one.paragraph or 0))
            where = f" ({place})" if one.paragraph else ""
            words = " → ".join(_quoted(text, say) for text in (one.before, one.after) if text)
            yield f"- **{say(one.name)}**{where}: {words}"


def _comment_lines(number: int, comment: Comment, feedback: Feedback, evidence: dict[int, Evidence], say: Say) -> Iterator[str]:
    """A comment and where its passages stand; of a correction, a few of its places and where to find more like them."""
    if comment.places:
        pairs = mended(comment, feedback)
        others = sorted(paragraph for *_, paragraphs in pairs[EXAMPLES:] for paragraph in paragraphs)
        places = ", ".join(map(str, dict.fromkeys(others)))
        find = f"; {say(message('find_more', count=len(others), places=places))}" if others else ""
        examples = "; ".join(
            f"{_quoted(words, say)} → **{escaped(instead) or '∅'}** ({', '.join(map(str, dict.fromkeys(paragraphs)))})"
            for words, instead, paragraphs in pairs[:EXAMPLES]
        )
        yield f"{number}. {escaped(rule_of(comment, say))}: {examples}{find}"
        return
    named = f" *({escaped(comment.criterion)})*" if comment.criterion else ""
    yield f"{number}. {where(comment, feedback.evidence, say)}: {escaped(comment.text)}{named}"
    for one in (evidence[each] for each in comment.evidence if each in evidence):
        place = escaped(cite_with_origin(one.passage, **say.keywords))
        yield f"    - **{say(message('evidence_name'))} #{one.number}** {place}"


def _quoted(words: str, say: Say) -> str:
    return say(message("quoted", words=escaped(words)))


def rule_of(comment: Comment, say: Say) -> str:
    """What a correction teaches, if a rule explains it."""
    return comment.text.rstrip(".?!:") or say(message("misspelt_words"))


def mended(comment: Comment, feedback: Feedback) -> list[tuple[str, str, list[int]]]:
    """What a correction mends, the most frequent first: the words, with those beside them where they alone say little; the same
    mended; and the numbers of the paragraphs where they stand, one for each time."""
    there: dict[tuple[str, str], list[int]] = {}
    edges = {at: _edges(at, feedback) for at in {one.paragraph for one in comment.places}}
    for one in comment.places:
        text = feedback.evidence.paragraphs[one.paragraph].paragraph.text
        words = text[slice(*one.about)]
        says_enough = len(words.split()) >= ENOUGH or not (comment.text or words.lower() in dictionary())
        before, after = ("", "") if says_enough else _words_around(text, one.about, *edges[one.paragraph])
        pair = (f"{before}{words}{after}", f"{before}{one.instead}{after}")
        there.setdefault((" ".join(pair[0].split()), " ".join(pair[1].split())), []).append(one.paragraph + 1)
    return sorted(((*pair, numbers) for pair, numbers in there.items()), key=lambda each: -len(each[2]))


def _edges(paragraph: int, feedback: Feedback) -> tuple[list[int], list[int]]:
    """How far the words before a correction in the paragraph may reach, and those after it: to sentences' ends and to other
    corrections, in order."""
    spans = [each.about for by in feedback.comments for each in by.places if each.paragraph == paragraph]
    placed = list(feedback.evidence.paragraphs[paragraph].paragraph.placed)
    firsts, lasts = [end for _, end in spans], [start for start, _ in spans]
    return sorted(firsts + [start for _, start, _ in placed]), sorted(lasts + [end for *_, end in placed])


def _words_around(text: str, span: tuple[int, int], firsts: Sequence[int], lasts: Sequence[int]) -> tuple[str, str]:
    """A word before the span and one after it, within its edges."""
    first, last = bisect_right(firsts, span[0]), bisect_left(lasts, span[1])
    before = text[firsts[first - 1] if first else span[0] : span[0]].split(" ")
    after = text[span[1] : lasts[last] if last < len(lasts) else span[1]].split(" ")
    return " ".join(before[-2:]), " ".join(after[:2]).rstrip(".,;:!?")


def where(comment: Comment, found: EssayEvidence, say: Say) -> str:
    """The comment's paragraph, and the words that it is about or that the paragraph begins with."""
    if comment.paragraph is None:
        return f"**{say(message('whole_essay'))}**"
    words = opening(comment, found.paragraphs[comment.paragraph].paragraph.text)
    place = say(message("in_paragraph", number=comment.paragraph + 1))
    return f"**{place}** ({_quoted(words, say)})"


def opening(comment: Comment, paragraph: str) -> str:
    """The words that the comment is about, or the paragraph's first words, at most OPENING."""
    words = (paragraph[slice(*comment.about)] if comment.about else paragraph).split()
    begins = " ".join(words[:OPENING])[:LONGEST]
    return begins if begins == " ".join(words) else f"{begins} …"


def _criteria(feedback: Feedback, say: Say) -> Iterator[str]:
    if feedback.rubric:
        yield f"## {say(message('rubric_heading'))}\n"
    for one in feedback.rubric:
        count = sum(each.criterion == one.text for each in feedback.comments)
        counted = message("rubric_comments", count=count)
        yield f"- **{escaped(one.text)}**" + (f" ({say(counted)})" if count else "")
        if level := level_of(one, feedback, say):
            yield f"  - **{escaped(level)}**"
        else:
            yield from (f"  - {escaped(level)}" for level in one.levels)
    if points := feedback.points:
        yield f"\n**{say(message('teacher_points', points=points[0], most=points[1]))}**"


def level_of(one: Criterion, feedback: Feedback, say: Say) -> str:
    """The level that the teacher chose for a criterion; empty without one."""
    if not (chosen := feedback.edits.level_of(one.text)):
        return ""
    return say(Message(f"level_{chosen.replace(' ', '_')}")) if chosen in LEVELS and not one.levels else chosen


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A part of a paragraph's text. part: of the comment on it, empty without one; ends: places in the list of the comments
    whose words end here."""

    text: str
    part: str = ""
    ends: tuple[int, ...] = ()


def spans_of(text: str, comments: Sequence[tuple[int, Comment]], at: int = 0) -> Iterator[TextSpan]:
    """The text of the paragraph with that index, split where the words of the comments on it begin or end. Of two on the same
    words the shorter one shows."""
    marks = [
        (place, one.part.value, *about)
        for place, one in comments
        if at in {one.paragraph, *(each.paragraph for each in one.places)}
        for about in [each.about for each in one.places if each.paragraph == at] or [one.about or (len(text), len(text))]
    ]
    edges = sorted({0, len(text), *(edge for _, _, start, end in marks for edge in (start, end))})
    for start, end in pairwise(edges):
        on_it = [(last - first, part) for _, part, first, last in marks if first <= start and end <= last]
        yield TextSpan(text[start:end], min(on_it, default=(0, ""))[1], tuple(at for at, _, _, last in marks if last == end))


def feedback_html(
    feedback: Feedback, pages: HighlightedPages = MappingProxyType({}), style: str = SCREEN, *, language: str | None = None
) -> str:
    """The feedback as one HTML page: summary, the essay with numbered highlights, each comment once with its passage (S1-25).

    pages: pictures of the books' pages. style: SCREEN for a browser and its printer, PAPER for the port Printer. Everything
    that an essay, a book or a model says is escaped. language: of headings and names, None: the essay's."""
    say, found, comments = _saying(feedback, language), feedback.evidence, listed(feedback.comments)
    return template("feedback.html").render(
        heading=heading(found, say),
        feedback=feedback,
        style=Markup(source(style)),  # noqa: S704  # our own
        paragraphs=[(at + 1, list(spans_of(one.paragraph.text, comments, at)), one) for at, one in enumerate(found.paragraphs)],
        listed=comments,
        evidence_in=evidence_in,
        mended=partial(mended, feedback=feedback),
        rule_of=partial(rule_of, say=say),
        level_of=partial(level_of, feedback=feedback, say=say),
        evidence={one.number: one for one in found.evidence},
        revision=RevisionView.of(feedback),
        language=say.keywords["language"],
        say=say,
        message=message,
        folded=style == SCREEN,
        by_model=by_model(feedback),
        opening=opening,
        pages=pages,
        cite=partial(cite_with_origin, **say.keywords),
    )


def feedback_pdf(feedback: Feedback, printer: Printer, language: str | None = None) -> bytes:
    """The page as a PDF, without pictures of the books' pages. Raises TooLarge."""
    return printer(feedback_html(feedback, style=PAPER, language=language))


def print_in_sandbox(html: str, paper: str = "a4") -> bytes:
    """The port Printer: the HTML as a PDF, made in a sandbox, because others wrote its content. paper: "a4" or "letter".

    print_worker.py describes the protocol. Raises TooLarge beyond PRINT_LIMITS, BadRequest where Pango is not installed."""
    printer = SpareWorkers("chapterverse.essays.print_worker", at_hand=0)
    with printer.answer_of({"paper": paper}, html.encode(), PRINT_LIMITS) as answer:
        match json.loads(answer.readline() or b"null"):
            case {"pdf": size} if len(pdf := answer.read(size)) == size:
                return pdf
            case {"missing": _}:
                raise BadRequest("pdf_export_without_pango")
    raise TooLarge("pdf_export_too_large", seconds=PRINT_LIMITS.seconds, megabytes=PRINT_LIMITS.megabytes)
