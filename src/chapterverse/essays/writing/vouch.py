"""Vouch for what a language model drafted: find its words in the essay, hold it to the contract, have it read a second time.

Drafts of one call are read together, each for itself, beside the essay. One that fails is mended once by the model, then
dropped."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher, get_close_matches

from chapterverse.citations.contract import Contracted, Grounds, Requirement, evidence_in, find_words, quotes_of, under_contract
from chapterverse.citations.model import Evidence, Relation
from chapterverse.citations.passages import evidence_lines
from chapterverse.citations.second_reading import Ask, Statement, ask_for, read_comments
from chapterverse.core.errors import BadAnswer
from chapterverse.essays.model import Comment, CommentKind, Correction, Dimension, Essay, Place, Style, overlaps
from chapterverse.essays.writing import forms
from chapterverse.messages import ENGLISH, in_words, message

MAX_WORDS, MAX_SUMMARY = 60, 100  # of a comment, of a summary
MAX_RULE = 30  # words that explain a correction
MIN_LIKE = 0.5  # likeness of words that a model copied wrongly to the sentence that is meant
STAYING = 2  # words that stay and are shown beside what a correction changes, if the model has them and no other one does
LONGER = 5  # words by which a correction may be longer than what it corrects
NEAR = 0.6  # share of letters, from which a name is the same, spelt otherwise
_CITED_AS = {
    Relation.SUPPORTS: "supports the student's point",
    Relation.CONTRADICTS: "says otherwise than the student",
    Relation.LIMITS: "grants less than the student says, or sets a limit to it",
    Relation.EXAMPLE: "is a case of the student's point",
    Relation.BACKGROUND: "adds to the student's point",
}
PROBLEMS: Mapping[Requirement, str] = {
    Requirement.LENGTH: "It has too many words, or none.",
    Requirement.PLAIN: "It has mark-up or signs that are no text.",
    Requirement.CONTACT: "It names an address.",
    Requirement.MARK: "It gives a mark, points or a percentage.",
    Requirement.PLACE: "It names a page or chapter; leave that out.",
    Requirement.EVIDENCE: "It names evidence that is not there.",
    Requirement.QUOTATION: "It has words in quotation marks that stand neither in the essay nor in a cited sentence.",
    Requirement.NUMBER: "It has a number that the material does not have.",
    Requirement.NAME: "It has a name that the material does not have.",
    Requirement.QUESTION: "It gives advice; it may only ask, and ends with its question.",
    Requirement.LANGUAGE: "It is in another language than it should be written in.",
}
MARKS = {".", ",", ";", ":", "!", "?"}


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a draft: the comment, and what each sentence that it cites is to the student's point; or the summary;
    neither if it is withheld. rank: the order in which comments are taken up, None of the summary; repaired: it was mended."""

    rank: int | None
    comment: Comment | None = None
    relations: Mapping[int, Relation] = field(default_factory=dict)
    summary: str = ""
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class _Text:
    """A text to vouch for. rank: as in Outcome; draft: None for the summary, else at its words: at: index of the paragraph,
    span: characters of it, see: indices of other paragraphs; cited: with what each is to the student's point."""

    rank: int | None
    text: str
    draft: forms.DraftComment | None = None
    at: int = 0
    span: tuple[int, int] = (0, 0)
    cited: tuple[tuple[Evidence, Relation], ...] = ()
    see: tuple[int, ...] = ()

    @property
    def longest(self) -> int:
        return MAX_WORDS if self.draft else MAX_SUMMARY


@dataclass(frozen=True)
class Voucher:
    """Vouches for the drafts on one essay. ask: of the model, which mends and reads a second time; deadline: a time of
    time.monotonic(); unfound: what the essay has in quotation marks and no book has."""

    essay: Essay
    style: Style
    language: str
    ask: Ask
    deadline: float
    unfound: Sequence[str] = ()
    stopped: Callable[[], bool] = field(default=lambda: False)

    def comments(
        self, drafts: Mapping[int, forms.DraftComment], evidence: Mapping[int, Evidence], summary: str = ""
    ) -> Iterator[Outcome]:
        """What becomes of each of these drafts, by rank, and of the summary, if there is one; those that need no mending first.
        evidence: what they may cite, by number. Raises as Ask does."""
        placed = [one for rank, each in drafts.items() if (one := self._placed(rank, each, evidence))]
        yield from map(Outcome, drafts.keys() - {one.rank for one in placed})
        placed += [_Text(None, summary)] if summary else []
        found = self._read(placed)
        for one, (problem, held) in zip(placed, found, strict=True):
            if not problem:
                yield self._accepted(one, held)
        for one, (problem, _) in zip(placed, found, strict=True):
            if problem:
                repaired = self._repaired(one, problem, evidence)
                [(still, held)] = self._read([repaired])
                yield replace(Outcome(one.rank) if still else self._accepted(repaired, held), repaired=True)

    def _repaired(self, one: _Text, problem: str, evidence: Mapping[int, Evidence]) -> _Text:
        """The text without its problem, as the model mends it; what it is and cites may change, too."""
        statement = self._statement(one, one.text)
        blocks = self._context() | (dict(statement.context) if one.draft else {})
        if statement.sources:
            blocks["sources"] = "\n".join(statement.sources)
        wanted = forms.repair_prompt(one.text, problem, blocks, self.language, one.longest - 5)
        answer = ask_for(forms.RepairAnswer, wanted, self.ask, self.deadline)
        if one.draft is None:
            return replace(one, text=answer.comment)
        given = {each.number: evidence[each.number] for each in one.draft.evidence if each.number in evidence}
        cited = tuple((given[each.number], each.relation) for each in answer.evidence if each.number in given)
        return replace(one, text=answer.comment, draft=one.draft.model_copy(update={"kind": answer.kind}), cited=cited)

    def corrections(self, rules: Sequence[forms.DraftRule]) -> list[Correction]:
        """The corrections that stand in the essay and only mend, by the second reading. Raises as Ask does."""
        placed: list[Correction] = []
        for rule in rules:
            why = self._why(rule)
            for each in rule.places:
                if (place := self._to_mend(each, [there for _, there in placed])) is not None:
                    placed.append((why, place))
        return self.confirmed(placed)

    def confirmed(self, placed: Sequence[Correction]) -> list[Correction]:
        """Those of these corrections that only mend, by the second reading, without rules that mislead. Raises as Ask does."""
        if not (placed := placed[: forms.MAX_PAIRS]):
            return []
        pairs = list[tuple[str, str, str, str]]()
        for why, place in placed:
            paragraph, (start, end) = self.essay.paragraphs[place.paragraph], place.about
            sentences = " ".join(text for text, begins, ends in paragraph.placed if begins < end and start < ends)
            pairs.append((sentences, paragraph.text[start:end], place.instead, why))
        found = ask_for(forms.RightCorrections, forms.corrections_prompt(pairs), self.ask, self.deadline)
        return [
            ("" if number in found.misleading else why, place)
            for number, (why, place) in enumerate(placed, start=1)
            if number in found.right
        ]

    def _to_mend(self, draft: forms.DraftPlace, taken: Sequence[Place]) -> Place | None:
        """Where the words that a correction changes stand, after the places that were found before; None if they do not, or its
        form does not hold."""
        at = draft.paragraph - 1
        if not (0 <= at < len(self.essay.paragraphs) and self._may_mend(draft)):
            return None
        text, spans, end = self.essay.paragraphs[at].text, [one.about for one in taken if one.paragraph == at], 0
        while found := find_words(draft.words, text[end:]):
            there = _with_ends(draft.words.strip(), text, found[0] + end, found[1] + end)
            whole = _with_marks(text, there, draft.instead.strip())
            for span, instead in (_changed(text, *whole, staying) for staying in (STAYING, 0)):
                if not overlaps(span, spans):
                    return None if text[slice(*span)] == instead else Place(at, span, instead)
            end += found[1]
        return None

    def _may_mend(self, draft: forms.DraftPlace) -> bool:
        """Whether the form of a correction holds: other words, about as many, with the same numbers and names."""
        words, instead = draft.words.strip(), draft.instead.strip()
        grounds = Grounds((), (draft.words,), nouns_have_capitals=True)
        failed = {*under_contract(instead, grounds, len(words.split()) + LONGER).failed} - {Requirement.QUOTATION}
        return words != instead and not (instead and failed) and _names_stay(draft)

    def _why(self, rule: forms.DraftRule) -> str:
        """The rule if it keeps the contract; else none."""
        mended = (each.instead for each in rule.places if self._may_mend(each))
        texts = (*(each.text for each in self.essay.paragraphs), *mended)
        known = (forms.LANGUAGES.get(self.language, ""),)
        grounds = Grounds(texts, known, nouns_have_capitals=self.language == "de", language=self.language)
        return "" if under_contract(rule.why, grounds, MAX_RULE).failed else " ".join(rule.why.split())

    def _read(self, placed: Sequence[_Text]) -> list[tuple[str, Contracted]]:
        """For each text what is wrong with it, empty if nothing is; and the text under the contract."""
        held = [under_contract(one.text, self._grounds(one), one.longest) for one in placed]
        problems = [" ".join(PROBLEMS[each] for each in one.failed) for one in held]
        rest = [place for place, problem in enumerate(problems) if not problem]
        if rest:
            if self.stopped():
                raise BadAnswer("llm_too_late")
            statements = [self._statement(placed[place], held[place].text) for place in rest]
            found = read_comments(statements, self._context(), self.ask, self.deadline)
            for place, problem in zip(rest, found, strict=True):
                problems[place] = problem
        return list(zip(problems, held, strict=True))

    def _statement(self, one: _Text, text: str) -> Statement:
        """A text for the second reading, which sees all of what students are shown: the neighbours of a sentence, too."""
        if one.draft is None:
            return Statement(text, {"at": "the whole essay, as a summary"})
        words = self.essay.paragraphs[one.at].text[slice(*one.span)]
        context = {"at": f"paragraph {one.at + 1}, “{words}”"}
        if one.cited:
            named = (f"Evidence #{each.number} {_CITED_AS[relation]}" for each, relation in one.cited)
            context["it says that"] = "; ".join(named)
        return Statement(text, context, tuple("\n".join(evidence_lines(each, None)) for each, _ in one.cited))

    def _accepted(self, one: _Text, held: Contracted) -> Outcome:
        draft = one.draft
        if draft is None:
            return Outcome(None, summary=held.text)
        named = evidence_in(held.text)
        relations = {each.number: relation for each, relation in one.cited if each.number in named}  # else only listed
        kind = CommentKind.SUGGESTION if draft.kind == "removal" else CommentKind(draft.kind)
        criteria = dict(enumerate((each.text for each in self.style.rubric), start=1))
        comment = Comment(
            one.at,
            held.text,
            one.span,
            Dimension(draft.part),
            CommentKind.CONTRADICTION if Relation.CONTRADICTS in relations.values() else kind,
            tuple(relations),
            one.see,
            criterion=criteria.get(draft.criterion),
        )
        return Outcome(one.rank, comment, relations)

    def _context(self) -> dict[str, str]:
        """What the second reading sees of the essay."""
        task = self.style.task
        context = {"paragraphs of the essay": forms.numbered(self.essay)}
        if task and task.text:
            context["the task"] = task.text
        if self.unfound:
            context[forms.UNFOUND] = "\n".join(self.unfound)
        return context

    def _grounds(self, one: _Text) -> Grounds:
        """What a text may rest on: all that the second reading sees, and the names of what it cites."""
        task, passages = self.style.task, [each.passage for each, _ in one.cited]
        there = [each for its in passages for each in (its.sentence, its.previous, its.next) if each and each.quotable]
        texts = [text for each in self.essay.paragraphs for text in (*each.above, each.text, *each.below)]
        own = (self.essay.title or "", task.text if task else "", *texts)
        quotable = (*(each.text for each in there), *own)
        language = forms.LANGUAGES.get(self.language, "")  # "in plain English"
        known = [language, *(task.sources if task else ()), *(each.text for each in self.style.rubric)]
        known += map(str, range(1, len(self.essay.paragraphs) + 1))  # "paragraph 2"
        for each in passages:
            known += [*each.authors, each.book_title, each.sentence.address.chapter.name or "", each.paragraph]
        name = in_words(message("evidence_name"), self.language or ENGLISH)
        asks = self.style.tone == "questions" and one.draft is not None and one.draft.kind != "strength"
        return Grounds(
            quotable,
            tuple(known),
            [each.number for each, _ in one.cited],
            nouns_have_capitals=self.language == "de",
            evidence_name=name,
            only_asks=asks,
            language=self.language,
        )

    def _placed(self, rank: int, draft: forms.DraftComment, evidence: Mapping[int, Evidence]) -> _Text | None:
        """The draft at its words, whichever paragraph they stand in; None if they stand in none. A model copies carelessly:
        case, marks and blanks do not count, and the sentence that shares most words is meant where they are not found."""
        count = len(self.essay.paragraphs)
        named = draft.paragraph - 1
        places = sorted(range(count), key=lambda each: each != named)
        spans = ((at, find_words(draft.words, self.essay.paragraphs[at].text)) for at in places)
        found = next(((at, span) for at, span in spans if span), None)
        if found is None:
            near = [named] if 0 <= named < count else places
            likely = {text: (at, (start, end)) for at in near for text, start, end in self.essay.paragraphs[at].placed}
            if not (alike := get_close_matches(draft.words, likely, 1, MIN_LIKE)):
                return None
            found = likely[alike[0]]
        at, span = found
        cited = tuple((evidence[each.number], each.relation) for each in draft.evidence if each.number in evidence)
        quoted = [each for each in places if quotes_of(draft.comment, self.essay.paragraphs[each].text)]
        see = [each - 1 for each in draft.see if 0 < each <= count]
        others = tuple(each for each in dict.fromkeys([*see, *quoted]) if each != at)
        return _Text(rank, draft.comment, draft, at, span, cited, others)


def _names_stay(draft: forms.DraftPlace) -> bool:
    """Whether each word with a capital, but the first, is near one that the student wrote."""
    written = [word.lower() for word in draft.words.split()]
    named = [word.lower() for word in draft.instead.split()[1:] if word[:1].isupper() and word != "I"]
    return all(get_close_matches(word, written, 1, NEAR) for word in named)


def _with_ends(words: str, text: str, start: int, end: int) -> tuple[int, int]:
    """The span of the words with as many of the marks around it as the words begin and end with."""
    return start - min(_marks(words), _marks(text[:start][::-1])), end + min(_marks(words[::-1]), _marks(text[end:]))


def _marks(text: str) -> int:
    """How many marks the text begins with."""
    return len(text) - len(re.sub(r"^[^\w\s]+", "", text))


def _with_marks(text: str, span: tuple[int, int], instead: str) -> tuple[tuple[int, int], str]:
    """The span and what replaces it, without a mark at either end that stands beside it already; another one replaces that."""
    (start, end), before = span, text[: span[0]].rstrip()
    first, last, there = instead[:1], instead[-1:], text[end : end + 1]
    if first in MARKS and before[-1:] in MARKS:
        start, instead = (start, instead[1:].lstrip()) if before[-1] == first else (len(before) - 1, instead)
    if last in MARKS and there in MARKS:
        end, instead = (end, instead[:-1]) if there == last else (end + 1, instead)
    return (start, end), instead


def _changed(text: str, span: tuple[int, int], instead: str, staying: int) -> tuple[tuple[int, int], str]:
    """The characters of the span that change, and what replaces exactly these: without the words that stay at both ends, but
    for so many beside them (at least one where words are only added or left out)."""
    places = [(span[0] + each.start(), span[0] + each.end()) for each in re.finditer(r"\S+", text[slice(*span)])]
    old, new = [text[slice(*each)] for each in places], instead.split()
    steps = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    before = max(steps[0][2] - staying, 0) if steps and steps[0][0] == "equal" else 0
    after = max(len(old) - steps[-1][1] - staying, 0) if len(steps) > 1 and steps[-1][0] == "equal" else 0
    if before + after == min(len(old), len(new)):
        before, after = (before - 1, after) if before else (0, max(after - 1, 0))
    shorter = " ".join(new[before : len(new) - after])
    return ((places[before][0], places[-1 - after][1]), shorter) if before or after else (span, instead)
