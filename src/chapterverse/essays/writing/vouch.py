"""Vouch for what a language model drafted: find its words in the essay, hold it to the contract, have it read a second time.

Drafts of one call are read together, each for itself, beside the paragraphs that they are on. One that fails is mended once by
the model, then dropped."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher, get_close_matches

from chapterverse.citations.contract import (
    Contracted,
    Grounds,
    Requirement,
    evidence_in,
    find_words,
    quotes_of,
    under_contract,
)
from chapterverse.citations.model import Evidence, Relation
from chapterverse.citations.passages import evidence_lines
from chapterverse.citations.second_reading import Ask, Statement, ask_for, read_comments
from chapterverse.core.errors import BadAnswer
from chapterverse.essays.corrections import correction
from chapterverse.essays.model import Comment, CommentKind, Dimension, Essay, Paragraph, Place, Style
from chapterverse.essays.proofreading.model import overlaps
from chapterverse.essays.writing.forms import (
    LANGUAGES,
    UNFOUND,
    DraftComment,
    DraftPlace,
    DraftRule,
    RepairAnswer,
    RightCorrections,
    corrections_prompt,
    numbered,
    repair_prompt,
)

MAX_WORDS, MAX_SUMMARY = 60, 100  # of a comment, of a summary
MAX_RULE = 19  # words that explain a correction
MIN_LIKE = 0.5  # likeness of words that a model copied wrongly to the sentence that is meant
MAX_AROUND, SENTENCES_AROUND = 120, 2  # words of a paragraph that the second reading sees whole; of a longer one, sentences
LONGER = 3  # words by which a correction may be longer than what it corrects
NEAR = 0.6  # share of letters, from which a name is the same, spelt otherwise
_CITED_AS = {
    Relation.SUPPORTS: "supports the student's point",
    Relation.CONTRADICTS: "says otherwise than the student",
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
}


@dataclass(frozen=True, slots=True)
class Vouched:
    """What became of a draft: the comment, or None; repaired: it was mended."""

    comment: Comment | None
    repaired: bool = False


@dataclass(frozen=True, slots=True)
class _Placed:
    """A draft at its words. at: index of the paragraph; span: characters of it; see: indices of other paragraphs."""

    draft: DraftComment
    at: int
    span: tuple[int, int]
    cited: tuple[Evidence, ...]
    see: tuple[int, ...]


@dataclass(frozen=True)
class Voucher:
    """Vouches for the drafts on one essay. write: the model that wrote, to mend; check: the model that reads a second time;
    deadline: a time of time.monotonic(); unfound: what the essay has in quotation marks and no book has."""

    essay: Essay
    style: Style
    language: str
    write: Ask
    check: Ask
    deadline: float
    unfound: Sequence[str] = ()
    stopped: Callable[[], bool] = field(default=lambda: False)

    def comments(
        self,
        drafts: Sequence[DraftComment],
        evidence: Mapping[int, Evidence],
        relations: Mapping[int, Relation],
        *,
        whole: bool = False,
    ) -> Iterator[Vouched]:
        """What becomes of each of these drafts; those that need no mending first. evidence, relations: what they may cite, and
        what it is to the student's point, by number. whole: they are on the essay as a whole, so that the second reading sees
        all paragraphs. Raises as Ask does."""
        placed = [one for each in drafts if (one := self._placed(each, evidence, relations))]
        yield from [Vouched(None)] * (len(drafts) - len(placed))
        found = self._read([(one, one.draft.comment) for one in placed], relations, whole)
        for one, (problem, held) in zip(placed, found, strict=True):
            if not problem:
                yield Vouched(self._comment(one, held, relations))
        for one, (problem, _) in zip(placed, found, strict=True):
            if problem:
                shown = self._context([one], whole)
                if one.cited:
                    shown["sources"] = "\n".join(self._statement(one, "", relations).sources)
                wanted = repair_prompt(one.draft.comment, problem, shown, self.language, MAX_WORDS - 5)
                text = ask_for(RepairAnswer, wanted, self.write, self.deadline).comment
                [(still, held)] = self._read([(one, text)], relations, whole)
                yield Vouched(None if still else self._comment(one, held, relations), repaired=True)

    def summary(self, text: str, comments: Sequence[Comment]) -> str:
        """The summary if it says only what the comments and the essay say, mended once; else empty. Raises as Ask does."""
        said = "\n".join(one.text for one in comments)
        texts = tuple(each.text for each in self.essay.paragraphs)
        asked = self.style.task.text if self.style.task else ""
        known = (said, self.essay.title or "", asked, *map(str, range(1, len(texts) + 1)))  # "paragraph 2"
        grounds = Grounds(texts, known, nouns_have_capitals=self.language == "de")
        context = {"paragraphs of the essay": numbered(self.essay), "what else was said": said}

        def read(text: str) -> tuple[str, str]:
            held = under_contract(text, grounds, MAX_SUMMARY)
            if held.failed:
                return " ".join(PROBLEMS[each] for each in held.failed), ""
            [problem] = read_comments([Statement(held.text, {})], context, self.check, self.deadline)
            return problem, held.text

        problem, shown = read(text)
        if problem:
            wanted = repair_prompt(text, problem, context, self.language, MAX_SUMMARY - 10)
            problem, shown = read(ask_for(RepairAnswer, wanted, self.write, self.deadline).comment)
        return "" if problem else shown

    def corrections(self, rules: Sequence[DraftRule]) -> list[Comment]:
        """The corrections that stand in the essay and only mend, by the second reading, a comment for each rule. Raises as Ask
        does."""
        placed: list[tuple[DraftRule, Place]] = []
        pairs: list[tuple[str, str, str, str]] = []
        for rule in rules:
            for each in rule.places:
                if (place := self._to_mend(each, [there for _, there in placed])) is not None:
                    placed.append((rule, place))
                    paragraph = self.essay.paragraphs[place.paragraph]
                    sentence, words = _around(paragraph, [place.about], 0, 0), paragraph.text[slice(*place.about)]
                    pairs.append((sentence, words, place.instead, self._why(rule)))
        if not placed:
            return []
        found = ask_for(RightCorrections, corrections_prompt(pairs), self.check, self.deadline)
        by_rule: dict[str, list[Place]] = {}
        for number, (rule, place) in enumerate(placed, start=1):
            if number in found.right:
                by_rule.setdefault("" if number in found.misleading else self._why(rule), []).append(place)
        return [correction(why, places) for why, places in by_rule.items()]

    def _to_mend(self, draft: DraftPlace, taken: Sequence[Place]) -> Place | None:
        """Where the words that a correction changes stand, after the places that were found before; None if they do not, or its
        form does not hold."""
        at = draft.paragraph - 1
        if not (0 <= at < len(self.essay.paragraphs) and self._may_mend(draft)):
            return None
        text, spans, end = self.essay.paragraphs[at].text, [one.about for one in taken if one.paragraph == at], 0
        while found := find_words(draft.words, text[end:]):
            span, instead = _changed(text, (found[0] + end, found[1] + end), draft)
            if span not in spans:
                same = text[slice(*span)] == instead
                return None if same or overlaps(span, spans) else Place(at, span, instead)
            end += found[1]
        return None

    def _may_mend(self, draft: DraftPlace) -> bool:
        """Whether the form of a correction holds: other words, about as many, with the same numbers and names."""
        words, instead = draft.words.split(), draft.instead.split()
        grounds = Grounds((), (draft.words,), nouns_have_capitals=True)
        failed = set(under_contract(draft.instead, grounds, len(words) + LONGER).failed) if instead else set()
        return draft.words.strip() != draft.instead.strip() and not failed and _names_stay(draft)

    def _why(self, rule: DraftRule) -> str:
        """The rule if it keeps the contract; else none."""
        mended = (each.instead for each in rule.places if self._may_mend(each))
        texts = (*(each.text for each in self.essay.paragraphs), *mended)
        grounds = Grounds(texts, (LANGUAGES.get(self.language, ""),), nouns_have_capitals=self.language == "de")
        held = under_contract(rule.why, grounds, MAX_RULE)
        return "" if held.failed else held.text

    def _read(
        self, texts: Sequence[tuple[_Placed, str]], relations: Mapping[int, Relation], whole: bool
    ) -> list[tuple[str, Contracted]]:
        """For each text what is wrong with it, empty if nothing is; and the text under the contract."""
        held = [under_contract(text, self._grounds(one, whole), MAX_WORDS) for one, text in texts]
        problems = [" ".join(PROBLEMS[each] for each in one.failed) for one in held]
        rest = [place for place, problem in enumerate(problems) if not problem]
        if rest:
            if self.stopped():
                raise BadAnswer("llm_too_late")
            statements = [self._statement(texts[place][0], held[place].text, relations) for place in rest]
            context = self._context([texts[place][0] for place in rest], whole)
            found = read_comments(statements, context, self.check, self.deadline)
            for place, problem in zip(rest, found, strict=True):
                problems[place] = problem
        return list(zip(problems, held, strict=True))

    def _statement(self, one: _Placed, text: str, relations: Mapping[int, Relation]) -> Statement:
        """A comment for the second reading."""
        words = self.essay.paragraphs[one.at].text[slice(*one.span)]
        context = {"at": f"paragraph {one.at + 1}, “{words}”"}
        if one.cited:
            named = (f"Evidence #{each.number} {_CITED_AS[relations[each.number]]}" for each in one.cited)
            context["it says that"] = "; ".join(named)
        return Statement(text, context, tuple("\n".join(evidence_lines(each)) for each in one.cited))

    def _comment(self, one: _Placed, held: Contracted, relations: Mapping[int, Relation]) -> Comment:
        draft, kind = one.draft, CommentKind(one.draft.kind)
        says_otherwise = any(relations[each.number] is Relation.CONTRADICTS for each in one.cited)
        if kind is CommentKind.CONTRADICTION and not says_otherwise:
            kind = CommentKind.SUGGESTION
        criteria = dict(enumerate((each.text for each in self.style.rubric), start=1))
        named = evidence_in(held.text)
        numbers = tuple(each.number for each in one.cited if each.number in named)  # listed and not spoken of is not cited
        return Comment(
            one.at,
            held.text,
            one.span,
            Dimension(draft.part),
            kind,
            numbers,
            one.see,
            criterion=criteria.get(draft.criterion),
        )

    def _context(self, placed: Sequence[_Placed], whole: bool) -> dict[str, str]:
        """What the second reading sees of the essay: the paragraphs of these drafts and those that they speak of."""
        paragraphs, task = self.essay.paragraphs, self.style.task
        spans = {at: [one.span for one in placed if one.at == at] for at in {one.at for one in placed}}
        shown = range(len(paragraphs)) if whole else sorted({*spans, *(at for one in placed for at in one.see)})
        texts = [
            f"[{at + 1}] {_around(paragraphs[at], spans[at]) if at in spans and not whole else paragraphs[at].text}"
            for at in shown
        ]
        context = {"paragraphs of the essay": "\n".join(texts)}
        if self.essay.title:
            context["title"] = self.essay.title
        if whole and task and task.text:
            context["the task"] = task.text
        if whole and self.unfound:
            context[UNFOUND] = "\n".join(self.unfound)
        return context

    def _grounds(self, one: _Placed, whole: bool) -> Grounds:
        """What a comment may rest on. whole: names and numbers of all paragraphs, because the second reading sees them, too."""
        paragraphs, task = self.essay.paragraphs, self.style.task
        there = [(each.passage.sentence, each.passage.previous, each.passage.next) for each in one.cited]
        books = [each.text for its in there for each in its if each and each.quotable]
        asked = (self.essay.title or "", task.text if task else "")
        known = [*(task.sources if task else ()), *(name for each in one.cited for name in each.passage.authors)]
        known += [each.text for each in self.style.rubric]
        known += map(str, range(1, len(paragraphs) + 1))  # "paragraph 2"
        known += [each.text for each in paragraphs] if whole else []
        for each in one.cited:
            passage = each.passage
            known += [passage.book_title, passage.sentence.address.chapter.name or "", passage.paragraph]
        numbers = {each.number: each.number for each in one.cited}
        quotable = (*books, *asked, *(paragraphs[at].text for at in (one.at, *one.see)))
        return Grounds(quotable, tuple(known), numbers, nouns_have_capitals=self.language == "de")

    def _placed(
        self, draft: DraftComment, evidence: Mapping[int, Evidence], relations: Mapping[int, Relation]
    ) -> _Placed | None:
        """The draft at its words, whichever paragraph they stand in; None if they stand in none. A model copies carelessly:
        case, marks and blanks do not count, and the sentence that shares most words is meant where they are not found."""
        count = len(self.essay.paragraphs)
        named = draft.paragraph - 1
        places = sorted(range(count), key=lambda each: each != named)
        found = next(
            ((at, span) for at in places if (span := find_words(draft.words, self.essay.paragraphs[at].text))), None
        ) or self._nearest(draft.words, [named] if 0 <= named < count else places)
        if found is None:
            return None
        at, span = found
        cited = [evidence[each] for each in dict.fromkeys(draft.evidence) if each in relations and each in evidence]
        quoted = [each for each in places if quotes_of(draft.comment, self.essay.paragraphs[each].text)]
        see = [each - 1 for each in draft.see if 0 < each <= count]
        others = tuple(each for each in dict.fromkeys([*see, *quoted]) if each != at)
        return _Placed(draft, at, span, tuple(cited), others)

    def _nearest(self, words: str, places: Sequence[int]) -> tuple[int, tuple[int, int]] | None:
        """The sentence of these paragraphs that is most like the words, if it is like enough."""
        spans = {text: (at, (start, end)) for at in places for text, start, end in self.essay.paragraphs[at].placed}
        return next((spans[text] for text in get_close_matches(words, spans, 1, MIN_LIKE)), None)


def _around(
    paragraph: Paragraph, spans: Sequence[tuple[int, int]], longest: int = MAX_AROUND, sentences: int = SENTENCES_AROUND
) -> str:
    """The paragraph; of one with more words than `longest`, the sentences of the spans with so many around them."""
    if len(paragraph.text.split()) <= longest:
        return paragraph.text
    placed = list(paragraph.placed)
    inside = {at for at, (_, start, end) in enumerate(placed) if any(start < last and first < end for first, last in spans)}
    near = {each for at in inside for each in range(at - sentences, at + sentences + 1)}
    return " ".join(text for at, (text, _, _) in enumerate(placed) if at in near)


def _names_stay(draft: DraftPlace) -> bool:
    """Whether each word with a capital, but the first, is near one that the student wrote."""
    written = [word.lower() for word in draft.words.split()]
    named = [word.lower() for word in draft.instead.split()[1:] if word[:1].isupper() and word != "I"]
    return all(get_close_matches(word, written, 1, NEAR) for word in named)


def _changed(text: str, span: tuple[int, int], draft: DraftPlace) -> tuple[tuple[int, int], str]:
    """The characters of the span that change, and what replaces exactly these: without the words that stay at both ends (one
    stays where words are only added or left out), and without a mark at the end that the model copied and the span leaves."""
    instead = draft.instead.strip()
    last = instead[-1:]
    if last in {".", ",", ";", ":", "!", "?"} and text[span[1] : span[1] + 1] == last:
        instead = instead[:-1]
    places = [(span[0] + each.start(), span[0] + each.end()) for each in re.finditer(r"\S+", text[slice(*span)])]
    old, new = [text[slice(*each)] for each in places], instead.split()
    steps = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    before = steps[0][2] if steps and steps[0][0] == "equal" else 0
    after = len(old) - steps[-1][1] if len(steps) > 1 and steps[-1][0] == "equal" else 0
    if before + after == min(len(old), len(new)):
        before, after = (before - 1, after) if before else (0, max(after - 1, 0))
    shorter = " ".join(new[before : len(new) - after])
    return ((places[before][0], places[-1 - after][1]), shorter) if before or after else (span, instead)
