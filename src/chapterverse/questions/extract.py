"""An answer without a language model: the unit of the sources that answers, and no more."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np

from chapterverse.citations.model import Verdict, VerdictKind
from chapterverse.core.book import Sentence
from chapterverse.core.hits import Passage, Vectors
from chapterverse.core.ports import Embedder
from chapterverse.core.words import distinct_terms, terms_of
from chapterverse.messages import message
from chapterverse.questions.answer_types import has_answer_type
from chapterverse.questions.answers import CitableSource, Claim, Findings, Question, SourceCitation
from chapterverse.questions.units import ScoredUnit
from chapterverse.search.words import holds

MAX_COMPARED = 64  # units compared with the question: half a second with MiniLM on a CPU
MAX_SIMILARITY = 0.9  # cosine above which two sentences are near duplicates (S1-18)
WORDS = 0.3  # weight of the share of the question's words, on the scale of the cosine
TYPE = 0.1  # for a text that has what the question asks for: a time, a place, a person, a number
MARGIN = 0.1  # below the best unit; further ones are shown if they are as close as that,
CLOSE = 0.6  # or with this share of its score if they have words of the question that the units before lack
ODDS = 1.0  # logarithm of the odds below the best scored unit, for one that is shown as well,
FAR_ODDS = 2.0  # and for one with words of the question that the units before lack
NEXT_TO = 0.2  # for a sentence next to the selection
MAX_EXAMPLE = 6  # sentences
LABEL = 3  # words of "Example 2.1:"
CUE = 0.1  # for a definition, an example or a reason
_CUE = re.compile(r"\b(?:(?:is|are) (?:called|defined)|means?|for (?:example|instance)|e\.g|such as|because)\b", re.IGNORECASE)
_WHY = re.compile(r"\bwhy\b|\bhow come\b|\breasons?\b|\bwhat for\b", re.IGNORECASE)
_REASON = re.compile(  # in a sentence that says why
    r"\b(?:because|since|due to|owing to|so that|in order to|otherwise|reasons?|caused?|causes|causing|leads? to|depends? on"
    r"|therefore|hence|thus|(?:that|this|which) is why|for this reason|as a result|consequently)\b|[;,:] (?:for|as|so) ",
    re.IGNORECASE,
)
_OWN_REASON = re.compile(  # in a sentence that says itself why, unlike "Smoking causes cancer" or "So the pipes burst"
    r"\b(?:because|due to|owing to|so that|in order to)\b|, since\b"
    r"|[;,] (?:and )?(?:so(?! (?:far|called))|therefore|hence|thus)\b|\w\W+(?:and |which )?(?:that|this|which) is why\b",
    re.IGNORECASE,
)
_REASON_CLAUSE = re.compile(r"\b(?:because|since|due to|owing to)\b[^,;:]*", re.IGNORECASE)
_POINTS_BACK = re.compile(r"\W*(?:this|that|these|those|it|they|so|the reason|one reason|the cause)\b", re.IGNORECASE)
_ASKS_EXAMPLE = re.compile(r"\b(?:examples?|instances?)\b", re.IGNORECASE)
_EXAMPLE = re.compile(r"\W*examples?\b(?!\s+of\b)|.*\b(?:for (?:example|instance)\b|e\.g\.)", re.IGNORECASE)
_FOLLOWS = re.compile(  # at the beginning of a sentence whose reason stands before it
    r"^\W*(?:so|therefore|hence|thus|consequently|as a result|that is why|this is why|for this reason|then|the result)\b"
    r"|\b(?:therefore|hence|consequently)\b",
    re.IGNORECASE,
)
OWN_WORDS = Verdict(VerdictKind.SUPPORTS, message("source_own_words"))


@dataclass(frozen=True, slots=True)
class Unit:
    """Passages of one source that answer together, in reading order."""

    source: CitableSource
    passages: tuple[Passage, ...]

    @property
    def text(self) -> str:
        return "\n".join(passage.sentence.text for passage in self.passages)

    @property
    def compared(self) -> str:
        """The text with the headings that it stands under."""
        return ". ".join([*self.source.headings[-1:], self.text])

    @property
    def claim(self) -> Claim:
        return Claim(self.text, tuple(SourceCitation(self.source, passage, OWN_WORDS) for passage in self.passages))


def extract_claims(question: Question, findings: Findings, max_claims: int, embedder: Embedder) -> list[Claim]:
    """At most `max_claims` claims made of sentences of the sources, at least one: if the first source is one whole answer, its
    first sentences; else the best unit, and others that are about as good, without near duplicates. Units that were not
    scored are compared with the query here.

    To a question that only points at a selection: what the source that holds it says around it.

    Raises EmbedderUnavailable, ModelUnavailable."""
    sources = findings.sources
    first = sources[0]
    if first.whole:
        return [Unit(first, (passage,)).claim for passage in first.passages][:max_claims]
    if findings.units and not question.points:
        by_number = {source.number: source for source in sources}
        chosen = _chosen(question.query, findings.units)[:max_claims]
        return [Unit(by_number[unit.source], unit.passages).claim for unit in chosen]
    neighbours = _neighbours(question.selected, first) if question.points else ()
    units = [*islice(_each_once(sources), MAX_COMPARED), *neighbours]
    [wanted] = embedder.embed_queries([question.query])
    vectors = embedder.embed_passages([unit.compared for unit in units])
    scores = vectors @ wanted + np.array([_signs(question.query, unit) for unit in units])
    if question.points and holds(first.text, question.selected):
        around = _around(question.selected, first, units, scores)
        if asks_why(question.question):
            own = [at for at, unit in enumerate(units) if unit.source is first and holds(question.selected, _last(unit).text)]
            reasons = _giving_reasons(question.selected, [*own, *around], units)
            around = reasons or _next_to(question.selected, around, units) or around
        examples = _examples(question.selected, first) if _ASKS_EXAMPLE.search(question.question) else []
        best_first = _each_sentence_once([*examples, *(units[at] for at in around)])
        return [unit.claim for unit in best_first[:max_claims]]
    apart = _apart([int(at) for at in np.argsort(-scores, kind="stable")], units, vectors)
    return [units[at].claim for at in _needed(question.query, apart, units, scores)[:max_claims]]


def _chosen(query: str, best_first: Sequence[ScoredUnit]) -> list[ScoredUnit]:
    """The best unit, those about as good, and those that answer another part of the question."""
    missing, chosen = set(distinct_terms(query)), list[ScoredUnit]()
    for unit in best_first:
        below, there = best_first[0].score - unit.score, missing & unit.terms
        if (below <= ODDS or (there and below <= FAR_ODDS)) and all(_differ(unit, other) for other in chosen):
            chosen.append(unit)
            missing -= there
    return chosen


def _differ(unit: ScoredUnit, other: ScoredUnit) -> bool:
    """Whether they share no sentence and are no near duplicates; rows with the date of the question are alike and share a
    header."""
    if unit.is_named and other.is_named:
        return unit.passages[-1] != other.passages[-1]
    ids = {passage.sentence.id for passage in unit.passages}
    shared = any(passage.sentence.id in ids for passage in other.passages)
    return not shared and float(unit.vector @ other.vector) <= MAX_SIMILARITY


def _needed(query: str, best_first: Sequence[int], units: Sequence[Unit], scores: Vectors) -> list[int]:
    """The best unit, those about as close, and those that answer another part of the question."""
    best, missing = float(scores[best_first[0]]), set(distinct_terms(query))
    needed: list[int] = []
    for at in best_first:
        there = missing & set(terms_of(units[at].compared))
        if scores[at] >= best - MARGIN or (there and scores[at] >= CLOSE * best):
            needed.append(at)
            missing -= there
    return needed


def _signs(query: str, unit: Unit) -> float:
    """What the words of the unit add to its cosine."""
    terms, there = distinct_terms(query), set(terms_of(unit.compared))
    share = sum(term in there for term in terms) / max(len(terms), 1)
    return WORDS * share + TYPE * has_answer_type(query, unit.text)


def _around(selected: str, first: CitableSource, units: Sequence[Unit], scores: Vectors) -> list[int]:
    """The units of the first source, best first: next to the selection, a definition, an example, a reason. Those of other
    sections and on other matters are left out, and so is the selection itself, which the reader knows, unless there is nothing
    else."""
    inside = [at for at, unit in enumerate(units) if unit.source is first]
    sections = {_section(units[at]) for at in inside if holds(units[at].text, selected) or holds(selected, units[at].text)}
    inside = [at for at in inside if _section(units[at]) in sections] or inside
    others = [at for at in inside if not holds(selected, units[at].passages[-1].sentence.text)] or inside
    others = [at for at in others if _bears_on(selected, units[at])] or others

    def score(at: int) -> float:
        passage = units[at].passages[-1]
        is_next = any(one and holds(selected, one.text) for one in (passage.previous, passage.next))
        return float(scores[at]) + NEXT_TO * is_next + CUE * bool(_CUE.search(units[at].text))

    return sorted(others, key=score, reverse=True)


def asks_why(question: str) -> bool:
    """Whether it asks for a reason."""
    return bool(_WHY.search(question))


def give_reason(claims: Sequence[Claim], selected: str) -> bool:
    """Whether one of the sentences says why the selection is so."""
    return any(_gives_reason(selected, one.passage) for claim in claims for one in claim.citations)


def _giving_reasons(selected: str, best_first: Sequence[int], units: Sequence[Unit]) -> list[int]:
    """Those next to the selection, or with it, that say why it is so."""
    near = [at for at in best_first if _is_near(selected, units[at].passages[-1])]
    return [at for at in near if _gives_reason(selected, units[at].passages[-1])]


def _gives_reason(selected: str, passage: Passage) -> bool:
    """Whether the passage says why: with a word for it, and of the selection, not of another matter beside it; or because the
    selection says that it follows from what stands before."""
    text, before, after = passage.sentence.text, passage.previous, passage.next
    if holds(selected, text):
        return bool(_OWN_REASON.search(text))
    if after and holds(selected, after.text) and _FOLLOWS.search(after.text):
        return True
    if not _REASON.search(text.replace(selected, "")):
        return False
    points = before and _POINTS_BACK.match(text) and (holds(selected, before.text) or holds(before.text, selected))
    return bool(points or holds(text, selected) or set(terms_of(_REASON_CLAUSE.sub("", text))) & set(terms_of(selected)))


def _examples(selected: str, source: CitableSource) -> list[Unit]:
    """The sentences of the selection's section that announce an example, those after the selection first, each with the rest
    of its paragraph if it begins so."""
    every = source.citable
    marked = next((at for at, one in enumerate(every) if _is_marked(selected, one)), None)
    if marked is None:
        return []
    section = every[marked].sentence.address.section_path
    inside = [(at, one) for at, one in enumerate(every) if one.sentence.address.section_path == section]
    found = [(at, one) for at, one in inside if _EXAMPLE.match(one.sentence.text) and not _is_marked(selected, one)]
    found.sort(key=lambda each: (each[0] < marked, abs(each[0] - marked)))
    return [Unit(source, _example(every, at) or source.together(one)) for at, one in found]


def _example(every: Sequence[Passage], at: int) -> tuple[Passage, ...]:
    """The rest of the paragraph that begins here with its example, which is the next paragraph's after a mere label."""
    first = every[at].sentence
    if first.prev_id or not re.match(r"\W*examples?\b", first.text, re.IGNORECASE):
        return ()
    label = first.next_id is None and len(first.text.split()) <= LABEL
    paragraphs = {first.address.paragraph, first.address.paragraph + label}
    return tuple(one for one in every[at : at + MAX_EXAMPLE] if one.sentence.address.paragraph in paragraphs)


def _bears_on(selected: str, unit: Unit) -> bool:
    """Whether it holds the selection, stands next to it, or has a word of it."""
    return _is_near(selected, unit.passages[-1]) or bool(set(terms_of(unit.text)) & set(distinct_terms(selected)))


def _each_sentence_once(best_first: Sequence[Unit]) -> list[Unit]:
    """Those that have a sentence that none before has as well."""
    chosen, seen = list[Unit](), set[str]()
    for unit in best_first:
        ids = {passage.sentence.id for passage in unit.passages}
        if not ids & seen:
            chosen.append(unit)
        seen |= ids
    return chosen


def _last(unit: Unit) -> Sentence:
    return unit.passages[-1].sentence


def _is_marked(selected: str, passage: Passage) -> bool:
    """Whether the passage holds the selection or is part of it."""
    return holds(passage.sentence.text, selected) or holds(selected, passage.sentence.text)


def _next_to(selected: str, best_first: Sequence[int], units: Sequence[Unit]) -> list[int]:
    return [at for at in best_first if _is_near(selected, units[at].passages[-1])]


def _is_near(selected: str, passage: Passage) -> bool:
    """Whether the passage holds the selection or stands next to it."""
    is_next = any(one and (holds(selected, one.text) or holds(one.text, selected)) for one in (passage.previous, passage.next))
    return is_next or holds(passage.sentence.text, selected)


def _neighbours(selected: str, source: CitableSource) -> Iterator[Unit]:
    """The sentences before and after the selection in its paragraph that are no passages of the source."""
    known = {passage.sentence.id for passage in source.passages}
    for passage in source.passages:
        if holds(selected, passage.sentence.text) or holds(passage.sentence.text, selected):
            if passage.next and passage.next.id not in known:
                yield Unit(source, (replace(passage, sentence=passage.next, previous=passage.sentence, next=None),))
            if passage.previous and passage.previous.id not in known:
                yield Unit(source, (replace(passage, sentence=passage.previous, previous=None, next=passage.sentence),))


def _section(unit: Unit) -> tuple[str, ...]:
    return unit.passages[-1].sentence.address.section_path


def _each_once(sources: Sequence[CitableSource]) -> Iterator[Unit]:
    """The units of the sources without questions, each once although chunks overlap."""
    seen = set[str]()
    for source in sources:
        for passage in source.passages:
            sentence = passage.sentence
            if sentence.id not in seen and (len(source.passages) == 1 or not sentence.text.rstrip().endswith("?")):
                seen.add(sentence.id)
                yield Unit(source, source.together(passage))


def _apart(best_first: Sequence[int], units: Sequence[Unit], vectors: Vectors) -> list[int]:
    """Those that share no sentence with a better one and are no near duplicate of it."""
    apart: list[int] = []
    used = set[str]()
    for at in best_first:
        ids = {passage.sentence.id for passage in units[at].passages}
        if not ids & used and all(float(vectors[at] @ vectors[other]) <= MAX_SIMILARITY for other in apart):
            apart.append(at)
            used |= ids
    return apart
