"""Answer a question from a school's documents (S2) or textbooks (S4)."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from chapterverse.core.book import Sentence, SentenceId
from chapterverse.core.hits import Passage, Scope
from chapterverse.core.words import holds
from chapterverse.library.services import CollectionServices
from chapterverse.messages import message
from chapterverse.questions import styles
from chapterverse.questions.answers import (
    CitableSource,
    Findings,
    Question,
    Reading,
    is_in_other_language,
    is_marked,
    passage_around,
    read_passages,
    source_of,
)
from chapterverse.questions.compose import compose_answer
from chapterverse.questions.conversation import MAX_SELECTED, Exchange, standalone_question
from chapterverse.questions.model import Answerability, ConfidenceLevel
from chapterverse.questions.records import AnswerRecord
from chapterverse.questions.styles import PASSAGES_READ, AnswerSettings, AnswerStyle
from chapterverse.search.chunks import FoundChunk, find_chunks
from chapterverse.search.plan import QUESTIONS, logistic

MAX_SOURCE = 1_500  # characters that a language model reads of a chunk
MAX_OF_ENTRY = 5  # sentences of an FAQ entry
RIVAL = 0.5  # log odds: if another passage is no further behind the best one, that is not sure
BOOST = 2.0  # of the scores of chunks that hold the selected text (S4-7); it only changes the order
RELATED, LONGEST_NUMBER = 3, 4  # titles (S4-17), and characters of one that may be only a number, such as "XIII"


class AnswerResult(NamedTuple):
    """An answer and the findings that it was made from."""

    answer: AnswerRecord
    findings: Findings


def ask(
    question: str,
    scope: Scope,
    services: CollectionServices,
    settings: AnswerSettings,
    style: AnswerStyle = styles.DOCUMENT_QA,
    *,
    earlier: Sequence[Exchange] = (),
    selected: str = "",
) -> AnswerResult:
    """An answer from the best chunks of the sources in scope. earlier: the conversation so far, oldest first. selected: text
    that the asker has marked in them.

    Raises NotFound without sources, and every RetryableError of the ports; if the language model fails, the answer is a
    passage of the sources."""
    if courtesy := settings.courtesy(question):
        understood, findings = Question(question, ""), Findings(courtesy=courtesy)
    else:
        understood = standalone_question(question, earlier, scope.school, services, selected)
        findings = _found(understood, scope, services, style)
    return AnswerResult(compose_answer(understood, findings, style, scope.school, settings), findings)


def _found(question: Question, scope: Scope, services: CollectionServices, style: AnswerStyle) -> Findings:
    """The chunks for an answer. Those that hold the selected text count more for the order, and are the only ones that are
    read for an answer without a language model; where none has been found, the selection alone is searched. Raises as ask."""
    selected = question.selected
    found = find_chunks(question.query, scope, services, QUESTIONS)
    marked = [one for one in found if selected and holds(one.chunk.text, selected)]
    if selected and not marked:
        of_selection = find_chunks(selected[:MAX_SELECTED], scope, services, QUESTIONS)
        marked = [one for one in of_selection if holds(one.chunk.text, selected)][:1]
    weights = {one.chunk.id: BOOST for one in marked}
    each = {one.chunk.id: one for one in (*marked, *found)}.values()
    best = sorted(each, key=lambda one: -one.ordered_by * weights.get(one.chunk.id, 1))[: style.sources]
    is_there = any(is_marked(each, selected) for one in marked for each in one.sentences)
    return Findings(
        tuple(sources_of(best)),
        tuple(sorted((one.score for one in found), reverse=True)[: style.scored]),
        related_sections(found) if style.related else {},
        partial(read_found, question, marked if is_there else best, style, services, selected=selected if is_there else ""),
    )


def sources_of(found: Sequence[FoundChunk]) -> Iterator[CitableSource]:
    """The chunks as a language model reads them, numbered from 1: whole sentences, lists and rows, none in two of them, a long
    section around its sentences nearest to the question. Raises NotFound if one was replaced meanwhile."""
    taken, number = set[SentenceId](), 0
    for one in found:
        sentences = [each for each in _whole(one) if each.id not in taken]
        if sentences:
            number += 1
            taken.update(each.id for each in sentences)
            yield source_of(one, number, sentences)


def _whole(found: FoundChunk) -> Sequence[Sentence]:
    """The sentences of a chunk with those that its first and its last need, or the part of a long one that is nearest."""
    own = found.sentences
    if found.chunk.question:
        return [one for one in own if one.id in found.nearest[:MAX_OF_ENTRY]]
    if sum(len(one.text) for one in own) > MAX_SOURCE:
        return passage_around(found.best, found.text, limit=MAX_SOURCE)
    return list({one.id: one for one in (*found.unit(own[0]), *own, *found.unit(own[-1]))}.values())


def read_found(
    question: Question, found: Sequence[FoundChunk], style: AnswerStyle, services: CollectionServices, *, selected: str = ""
) -> Reading:
    """What is shown of the chunks. selected: text that the asker has marked in them; what stands around it is at least a
    possible answer, and at most where another passage is about as likely. To a question in another language it is the nearest
    place at most, and at least. Raises as read_passages."""
    read_as = f"{question.about}. {question.question}" if question.about else question.query  # the title would only dilute it
    best, by_reader = read_passages(read_as, found, services, selected=selected)
    if not best:
        return Reading()
    score = logistic(max(one.score for one in best)) if by_reader else max(one.score for one in found)
    judgement = style.judged(score, PASSAGES_READ if by_reader else None)
    close = [one for one in best[1:] if one.score >= best[0].score - RIVAL]
    is_other = by_reader and any(one.highlighted_text != best[0].highlighted_text for one in close)  # not another edition
    is_rivalled = is_other or not best[0].highlighted  # by another row
    if (selected and not judgement.standing.answers) or (is_rivalled and judgement.standing is ConfidenceLevel.CONFIDENT):
        judgement = Answerability(judgement.score, ConfidenceLevel.POSSIBLE)
    if not is_in_other_language(question.question, found):
        return Reading(tuple(best), judgement)
    return Reading(tuple(best), Answerability(judgement.score, ConfidenceLevel.NEAR), notes=(message("note_other_language"),))


def related_sections(found: Sequence[FoundChunk]) -> dict[str, Passage]:
    """Titles of the closest sections, each once, with the sentence closest to the question: those in which that stands, or what
    they belong to if they have only a number; the book's only where it has no others."""
    related: dict[str, Passage] = {}
    for one in sorted(found, key=lambda one: -one.score):
        headings = [*one.chunk.headings, *one.best.address.section_path]
        title = next((each for each in reversed(headings) if len(each) > LONGEST_NUMBER), one.book.title)
        related.setdefault(title, one.passage(one.best))
    titles = [title for title in related if title and title not in {one.book.title for one in found}] or list(related)
    return {title: related[title] for title in titles[:RELATED]}
