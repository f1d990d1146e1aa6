"""Vouch for what a language model drafted: find its words in the essay, hold it to the contract, have it read a second time.

A draft that fails is mended once by the model, then dropped."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher, get_close_matches

from chapterverse.citations.contract import Contracted, Grounds, Requirement, evidence_in, find_words, under_contract
from chapterverse.citations.model import Evidence, Relation
from chapterverse.citations.passages import evidence_lines
from chapterverse.citations.second_reading import Ask, Statement, ask_for, read_again
from chapterverse.core.errors import BadAnswer
from chapterverse.essays.model import Comment, CommentKind, Dimension, Essay, Paragraph, Style
from chapterverse.essays.writing.forms import (
    DraftComment,
    DraftCorrection,
    RepairAnswer,
    RightCorrections,
    corrections_prompt,
    repair_prompt,
)

MAX_WORDS = 60  # of a comment
MIN_SHARED = 0.5  # of the words that a model copied wrongly: so many must stand in the sentence that is meant
MAX_AROUND, SENTENCES_AROUND = 120, 2  # words of a paragraph that the second reading sees whole; of a longer one, sentences
LONGER = 2  # words by which a correction may be longer than what it corrects
NEAR = 0.6  # share of letters, from which a name is the same, spelt otherwise
_CITED_AS = {
    Relation.SUPPORTS: "supports the student's point",
    Relation.CONTRADICTS: "says otherwise than the student",
    Relation.EXAMPLE: "is a case of the student's point",
    Relation.BACKGROUND: "adds to the student's point",
}
PROBLEMS: Mapping[Requirement, str] = {
    Requirement.LENGTH: f"It has more than {MAX_WORDS} words, or none.",
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


@dataclass(frozen=True)
class Voucher:
    """Vouches for the drafts on one essay. write: the model that wrote, to mend; check: the model that reads a second time.
    relations: of the useful evidence to the paragraph's position, by number; deadline: a time of time.monotonic()."""

    essay: Essay
    style: Style
    language: str
    write: Ask
    check: Ask
    deadline: float
    stopped: Callable[[], bool] = field(default=lambda: False)

    def comment(
        self,
        draft: DraftComment,
        at: int,
        evidence: Mapping[int, Evidence],
        relations: Mapping[int, Relation],
        *,
        whole: bool = False,
    ) -> Vouched:
        """The comment that a draft on the paragraph with this index stands for. whole: it is on the essay as a whole, so that
        all paragraphs are its grounds. Raises as Ask does."""
        place = self._place(draft.words, at, whole)
        if place is None:
            return Vouched(None)
        at, span = place
        cited = [evidence[number] for number in dict.fromkeys(draft.evidence) if number in relations and number in evidence]
        see = tuple(number - 1 for number in dict.fromkeys(draft.see) if 0 < number <= len(self.essay.paragraphs))
        context = self._context_of(at, span, see, whole)
        grounds = self._grounds(at, see, cited, whole)
        sources = tuple(
            "\n".join([*evidence_lines(one), f"    The comment says: it {_CITED_AS[relations[one.number]]}."]) for one in cited
        )
        contracted, repaired = self._mended(draft.comment, context, sources, grounds)
        if contracted is None:
            return Vouched(None)
        says_otherwise = any(relations[one.number] is Relation.CONTRADICTS for one in cited)
        kind = CommentKind(draft.kind)
        if kind is CommentKind.CONTRADICTION and not says_otherwise:
            kind = CommentKind.SUGGESTION
        criteria = dict(enumerate((one.text for one in self.style.rubric), start=1))
        named = evidence_in(contracted.text)
        numbers = tuple(one.number for one in cited if one.number in named)  # what it lists and does not speak of is not cited
        part = Dimension(draft.part)
        comment = Comment(at, contracted.text, span, part, kind, numbers, see, criterion=criteria.get(draft.criterion))
        return Vouched(comment, repaired)

    def summary(self, text: str, comments: Sequence[Comment]) -> str:
        """The summary if it says only what the comments say; else empty. Raises as Ask does."""
        said = "\n".join(one.text for one in comments)
        texts = tuple(each.text for each in self.essay.paragraphs)
        known = (said, self.essay.title or "", self.style.task.text if self.style.task else "")
        grounds = Grounds(texts, known, nouns_have_capitals=self.language == "de")
        contracted, _ = self._mended(text, {"comments that the student gets": said}, (), grounds)
        return contracted.text if contracted else ""

    def corrections(self, drafts: Sequence[DraftCorrection], at: int) -> list[Comment]:
        """The corrections of the paragraph that stand in it and only mend, by the second reading. Raises as Ask does."""
        text = self.essay.paragraphs[at].text
        placed = [(span, each) for each in drafts if (span := find_words(each.words, text)) and self._may_mend(each)]
        if not placed:
            return []
        pairs = [(text[slice(*span)], each.instead) for span, each in placed]
        right = ask_for(RightCorrections, corrections_prompt(text, pairs), self.check, self.deadline).right
        return [
            Comment(
                at, self._why(each), span, Dimension.EXPRESSIONS, CommentKind.CORRECTION, instead=_with_marks(text, span, each)
            )
            for number, (span, each) in enumerate(placed, start=1)
            if number in right
        ]

    def _may_mend(self, draft: DraftCorrection) -> bool:
        """Whether the form of a correction holds: other words, about as many, with the same numbers and names."""
        words, instead = draft.words.split(), draft.instead.split()
        grounds = Grounds((), (draft.words,), nouns_have_capitals=True)
        failed = set(under_contract(draft.instead, grounds, len(words) + LONGER).failed) if instead else set()
        return draft.words.strip() != draft.instead.strip() and not failed and _names_stay(draft)

    def _why(self, draft: DraftCorrection) -> str:
        """The reason if it keeps the contract; else none."""
        grounds = Grounds((draft.words, draft.instead), nouns_have_capitals=self.language == "de")
        contracted = under_contract(draft.why, grounds, MAX_WORDS)
        return "" if contracted.failed else contracted.text

    def _mended(
        self, text: str, context: Mapping[str, str], sources: tuple[str, ...], grounds: Grounds
    ) -> tuple[Contracted | None, bool]:
        """The text under the contract, None if something is wrong with it that the model did not mend; whether it had to."""
        problem, contracted = self._problem(text, context, sources, grounds)
        if not problem:
            return contracted, False
        shown = {**context, "sources": "\n".join(sources)} if sources else context
        wanted = repair_prompt(text, problem, shown, self.language)
        again = ask_for(RepairAnswer, wanted, self.write, self.deadline).comment
        problem, contracted = self._problem(again, context, sources, grounds)
        return None if problem else contracted, True

    def _problem(
        self, text: str, context: Mapping[str, str], sources: tuple[str, ...], grounds: Grounds
    ) -> tuple[str, Contracted]:
        """What is wrong with the text, empty if nothing is; and the text under the contract."""
        contracted = under_contract(text, grounds, MAX_WORDS)
        if contracted.failed:
            return " ".join(PROBLEMS[each] for each in contracted.failed), contracted
        if self.stopped():
            raise BadAnswer("llm_too_late")
        found = read_again(Statement(contracted.text, context, sources), self.check, self.deadline)
        return "" if found.keeps else found.problem or "It is not true of these words or sentences.", contracted

    def _context_of(self, at: int, span: tuple[int, int], see: Sequence[int], whole: bool) -> dict[str, str]:
        """What the second reading sees of the essay."""
        paragraphs = self.essay.paragraphs
        words = paragraphs[at].text[slice(*span)]
        context = {"words of the essay": words, "around them": f"[{at + 1}] {_around(paragraphs[at], span)}"}
        if self.essay.title:
            context["title"] = self.essay.title
        others = [n for n in (range(len(paragraphs)) if whole else see) if n != at]
        if others:
            context["other paragraphs"] = "\n".join(f"[{n + 1}] {paragraphs[n].text}" for n in others)
        if whole and self.style.task and self.style.task.text:
            context["the task"] = self.style.task.text
        return context

    def _grounds(self, at: int, see: Sequence[int], cited: Sequence[Evidence], whole: bool) -> Grounds:
        paragraphs = self.essay.paragraphs
        places = range(len(paragraphs)) if whole else [at, *see]
        books = [one.passage.sentence.text for one in cited if one.passage.sentence.quotable]
        task = self.style.task
        known = [self.essay.title or "", *((task.text, *task.sources) if task else ())]
        known += [one.text for one in self.style.rubric]
        known += map(str, range(1, len(paragraphs) + 1))  # "paragraph 2"
        for one in cited:
            passage = one.passage
            known += [passage.book_title, passage.sentence.address.chapter.name or "", passage.paragraph]
        numbers = {one.number: one.number for one in cited}
        quotable = (*books, *(paragraphs[n].text for n in places))
        return Grounds(quotable, tuple(known), numbers, nouns_have_capitals=self.language == "de")

    def _place(self, words: str, at: int, whole: bool) -> tuple[int, tuple[int, int]] | None:
        """Index of the paragraph, and the words in it. A model copies carelessly: case, marks and blanks do not count, and the
        sentence that shares most words is meant where they are not found."""
        places = [at, *(n for n in range(len(self.essay.paragraphs)) if n != at)] if whole else [at]
        for each in places:
            if span := find_words(words, self.essay.paragraphs[each].text):
                return each, span
        wanted = words.lower().split()
        sentences = [(each, start, end, text) for each in places for text, start, end in self.essay.paragraphs[each].placed]
        shares = [(_shared(wanted, text.lower().split()), each, (start, end)) for each, start, end, text in sentences]
        share, each, span = max(shares, default=(0.0, at, (0, 0)))
        return (each, span) if share >= MIN_SHARED else None


def _around(paragraph: Paragraph, span: tuple[int, int]) -> str:
    """The paragraph; of a long one the sentences of the span with those around them."""
    if len(paragraph.text.split()) <= MAX_AROUND:
        return paragraph.text
    placed = list(paragraph.placed)
    inside = [at for at, (_, start, end) in enumerate(placed) if start < span[1] and span[0] < end] or [0]
    return " ".join(text for text, _, _ in placed[max(min(inside) - SENTENCES_AROUND, 0) : max(inside) + SENTENCES_AROUND + 1])


def _shared(words: Sequence[str], there: Sequence[str]) -> float:
    """Share of the words that stand there in the same order."""
    blocks = SequenceMatcher(None, words, there, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks) / max(len(words), 1)


def _names_stay(draft: DraftCorrection) -> bool:
    """Whether each word with a capital, but the first, is near one that the student wrote."""
    written = [word.lower() for word in draft.words.split()]
    named = [word.lower() for word in draft.instead.split()[1:] if word[:1].isupper() and word != "I"]
    return all(get_close_matches(word, written, 1, NEAR) for word in named)


def _with_marks(text: str, span: tuple[int, int], draft: DraftCorrection) -> str:
    """What replaces exactly the characters of the span: without a mark at the end that the model copied and the span leaves."""
    instead = draft.instead.strip()
    last = instead[-1:]
    return instead[:-1] if last in {".", ",", ";", ":", "!", "?"} and text[span[1] : span[1] + 1] == last else instead
