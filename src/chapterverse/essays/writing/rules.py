"""The rules on content (claims against the books, reasons), and what rules read: the essay's genre, what a paragraph is for."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import accumulate

from chapterverse.citations.model import MAY_HELP, Evidence, Quotation, Relation, VerdictKind
from chapterverse.citations.quotations import PLACE
from chapterverse.citations.verbatim import QuotedText, marked_spans
from chapterverse.core.hits import Passage
from chapterverse.core.lazy import lazy
from chapterverse.core.ports import Signs
from chapterverse.essays.model import Citation, Comment, Style, Subject
from chapterverse.essays.quoted import claim_of
from chapterverse.essays.task import Genre, genre_wanted
from chapterverse.essays.writing.genre import SIDE, Role, genre_of, roles_of
from chapterverse.essays.writing.grammar import IsLate, SlipFound, never
from chapterverse.essays.writing.slips import OF_SENTENCES, slips_in

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def words_of(text: str) -> list[str]:
    """The words of the text, as written."""
    return _WORD.findall(text)


ALWAYS, ALWAYS_WORDS = 24, 2_000  # paragraphs, and words of these together, that are always checked: most essays


@dataclass(frozen=True)
class RuleContext:
    """What the rules of one dimension read. signs: what the reader of essays noticed at each sentence of each paragraph, empty
    without it. time_is_up: tells to stop. mentioned: remarks made already, which are not repeated;
    misspelt: words whose spelling was looked into; untried: others, left out; unfinished: indices of paragraphs, likewise."""

    subject: Subject
    style: Style
    time_is_up: IsLate = never
    signs: Sequence[Sequence[Signs | None]] = ()
    mentioned: set[str] = field(default_factory=set)
    misspelt: list[str] = field(default_factory=list)
    untried: list[str] = field(default_factory=list)
    unfinished: set[int] = field(default_factory=set)

    @lazy
    def always(self) -> int:
        """How many of the first paragraphs are checked even if time is up."""
        return sum(words <= ALWAYS_WORDS for words in accumulate(self.lengths[:ALWAYS]))

    def is_late(self, paragraph: int) -> bool:
        """Whether the paragraph with this index is not to be checked further; it is noted as unfinished then."""
        if not self.time_is_up() or paragraph < self.always:
            return False
        self.unfinished.add(paragraph)
        return True

    @lazy
    def genre(self) -> Genre:
        """What kind of text the essay is: as given, as the task asks for, or as the text tells."""
        return self.style.genre or genre_wanted(self.style.task) or genre_of(self.subject.essay)

    @lazy
    def unread(self) -> list[int]:
        """Indices of the paragraphs that the reader of essays had no time for, or not for all of."""
        return [at for at, its in enumerate(self.signs) if None in its]

    @lazy
    def argues(self) -> bool:
        """Whether the essay has a claim and reasons; a letter may only tell or invite."""
        own = (each.own_text for each in self.subject.essay.paragraphs)
        return self.genre.argues and (self.genre is not Genre.LETTER or any(SIDE.search(each) for each in own))

    @lazy
    def roles(self) -> tuple[Role, ...]:
        """What each paragraph is for."""
        return roles_of(self.subject.essay)

    def sentence(self, paragraph: int, sentence: str) -> tuple[int, int] | None:
        """Where the sentence stands in the paragraph; None if it does not."""
        start = self.text(paragraph).find(sentence)
        return (start, start + len(sentence)) if start >= 0 else None

    def text(self, paragraph: int) -> str:
        """The text of the paragraph with this index."""
        return self.subject.essay.paragraphs[paragraph].text

    def own(self, paragraph: int) -> tuple[str, ...]:
        """The sentences of the paragraph that are the student's words."""
        return self.subject.essay.paragraphs[paragraph].own

    @lazy
    def lengths(self) -> list[int]:
        """Number of words of each paragraph."""
        return [len(each.text.split()) for each in self.subject.essay.paragraphs]

    @lazy
    def slips(self) -> list[list[SlipFound]]:
        """The slips in each paragraph, as far as there is time."""
        found = [slips_in(each.text, partial(self.is_late, at)) for at, each in enumerate(self.subject.essay.paragraphs)]
        return [[one for one in its if one.text not in OF_SENTENCES or not self.is_item(at)] for at, its in enumerate(found)]

    def is_item(self, paragraph: int) -> bool:
        """Whether the paragraph is an item of a list, which need not be a sentence: one of several that begin small, stand
        together, and have a sentence each, in an essay that has capitals."""
        small = self.small
        together = any(small[max(paragraph - 1, 0) : paragraph]) or any(small[paragraph + 1 : paragraph + 2])
        return small[paragraph] and together and sum(small) < len(small) - 1

    @lazy
    def small(self) -> list[bool]:
        """Of each paragraph whether it is one sentence that begins with a small letter."""
        return [each.text[:1].islower() and len(each.sentences) == 1 for each in self.subject.essay.paragraphs]

    @lazy
    def words_of_essay(self) -> Counter[str]:
        """How often each word stands in the essay, in lower case."""
        return Counter(word.lower() for each in self.subject.essay.paragraphs for word in words_of(each.text))

    @lazy
    def written(self) -> frozenset[str]:
        """The words of essay and evidence, in lower case."""
        return self.words_of_books.union(self.words_of_essay)

    @lazy
    def words_of_books(self) -> frozenset[str]:
        """The words of the evidence, in lower case; rules accept them as correct."""
        passages = (one.passage for one in self.subject.evidence)
        return frozenset(word.lower() for each in passages for word in words_of(f"{each.book_title} {each.paragraph}"))


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one dimension. on_paragraph: comments on the paragraph with this index; on_essay: on the whole essay.
    checked, not_checked: descriptions for the reader."""

    on_paragraph: Callable[[RuleContext, int], Iterator[Comment]]
    on_essay: Callable[[RuleContext], Iterator[Comment]]
    checked: tuple[str, ...]
    not_checked: tuple[str, ...]


NEAR = 0.65  # cosine; what is less near, and nobody has read, stands under its paragraph, without a comment
MIN_QUOTED = 6  # words that are somebody else's, to be explained
LAST_WORDS = 5  # of a sentence, which tell where something could be added
MIN_INEXACT = 6  # words of a quotation that has other words than the book
MAX_TITLE = 6  # words of a book's title in a comment


QUESTIONS = {
    VerdictKind.CONTRADICTS: "{reason} Do you both mean the same? Then after “{words}” you could add what {book} says.",
    VerdictKind.SUPPORTS: "Does {book} say what you mean here? Then after “{words}” you could add that it does, and where.",
    VerdictKind.PARTLY: "Does {book} give an example of what you mean? Then after “{words}” you could add it.",
    VerdictKind.NOT_FOUND: "This may help: is this sentence of {book} about your point? Then after “{words}” you could add "
    "what it says.",
}
QUOTED = "You could say after it what it shows for your point."
PLACED = "Can your reader find it? You could put the page in brackets after it."
MEND = "You could copy it word for word, or say it in words of your own."
UNMARKED = "You could also say it in words of your own."
USE = "After “{words}” you could add what {book} says."

_SAME_SENTENCE = r"[^.!?“„\"«(\[]{0,99}"
_BRACKETS = re.compile(  # behind the marks that close a quotation, or what ends its sentence
    rf"(?:[^\w\s(\[]{{0,4}}(?:\s(?=[a-zà-ÿ]){_SAME_SENTENCE})?|[^\w\s.!?(\[]{{0,3}}\s{_SAME_SENTENCE})"
    r"[.!?]?\s{0,2}[(\[](?P<within>[^()\[\]]{1,60})[)\]]"
)
_PAGE = re.compile(  # or a number alone, or behind an author's name; four digits are a year
    rf"(?i:{PLACE.pattern}|\b(?:pp?|pgs?|s|seiten?|kap|kapitel)\.?\s?\d)"
    r"|\A\s*(?:[^\W\d_a-zß-ÿ][^\d]{0,40}[\s,:])?\d{1,3}(?:\s?[-–]\s?\d{1,3})?f{0,2}\.?\s*\Z"
)

_RETELLS = re.compile(
    r"\b(?:the|this) (?:author|writer|narrator|text|article|book|chapter|passage)\b|\baccording to\b|\bon page\b", re.IGNORECASE
)
_TASK = re.compile(r"(?:write|explain|describe|discuss|compare) .*\b(?:essay|your|text)\b", re.IGNORECASE)


def evidence_found(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """A comment on each quotation and each contradiction and, without a contradiction, on the best evidence that no comment
    cites yet and that is near enough."""
    yield from on_quotations(look, paragraph)
    found = [on_claim(look, paragraph, one) for one in look.subject.on(paragraph) if not one.quotation]
    new = [
        one
        for one in found
        if _is_near(one, look.text(paragraph)[slice(*one.about or (0, 0))])
        and look.genre is not Genre.NARRATIVE
        and f"#{one.citations[0].evidence.number}" not in look.mentioned
    ]
    shown = [one for one in found if one.contradicts] or sorted(new, key=_by_use)[:1]
    look.mentioned.update(f"#{one.citations[0].evidence.number}" for one in shown)
    yield from shown


def on_quotations(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """A comment on each quotation: where it stands, whether it is word for word, and what to do; none if nothing is to do."""
    for evidence in look.subject.on(paragraph):
        title = evidence.passage.book_title
        if (
            (quotation := evidence.quotation)
            and (verdict := evidence.verdict)
            and _is_quoted(look, paragraph, quotation, title)
        ):
            use = MEND if quotation.marked else UNMARKED
            if quotation.marked and quotation.exact and not (use := _use_of_right(look, paragraph, quotation)):
                continue
            text = f"{quotation.message_on(with_short_title(evidence))} {use}"
            rule = "books.quotation" if quotation.exact else "books.misquoted"
            yield Comment(paragraph, text, (quotation.start, quotation.end), (Citation(evidence, verdict),), rule=rule)


def _use_of_right(look: RuleContext, paragraph: int, quotation: Quotation) -> str:
    """What to do with a right quotation: say what it shows, unless enough words of the student's own follow in the paragraph;
    else name its page; empty if that stands in brackets already."""
    whole = look.subject.essay.paragraphs[paragraph]
    spans = marked_spans(QuotedText(whole.text, whole.quoted))
    end = max([quotation.end, *(last for first, last in spans if first <= quotation.start < last)])
    page_end = end_of_page(whole.text, end)
    if len(words_of(whole.text[page_end or end :])) < MIN_QUOTED:
        return QUOTED
    return "" if page_end else PLACED


def end_of_page(text: str, end: int) -> int | None:
    """Where the brackets with the page or chapter end that follow a quotation up to `end`, at once or at the end of its
    sentence; None without them."""
    found = _BRACKETS.match(text, end)
    return found.end() if found and _PAGE.search(found["within"]) else None


def _is_quoted(look: RuleContext, paragraph: int, quotation: Quotation, title: str) -> bool:
    """Whether the words are quoted: no title, and not a few words that are nearly the book's, above all in a story."""
    words = look.text(paragraph)[quotation.start : quotation.end].split()
    if " ".join(words).casefold() == title.casefold():
        return False
    return quotation.exact or (look.genre is not Genre.NARRATIVE and len(words) >= MIN_INEXACT)


def with_short_title(evidence: Evidence) -> Passage:
    """The passage under the short title of its book."""
    return replace(evidence.passage, book_title=short_title(evidence))


def _is_near(comment: Comment, claim: str) -> bool:
    """Whether the evidence is worth a comment: somebody read it, or it is very near, is no task that the book sets, and
    does not speak of the book, as introductions do. claim: the student's words, which may tell already what a text says."""
    evidence = comment.citations[0].evidence
    sentence, title = evidence.passage.sentence.text, evidence.passage.book_title
    is_about_book = _TASK.match(sentence) or title in sentence
    return _is_read(evidence) or (evidence.score >= NEAR and not is_about_book and not _RETELLS.search(claim))


def _is_read(evidence: Evidence) -> bool:
    """Whether somebody read it beside the essay and says how it bears on it; the usefulness model says only that it may."""
    return evidence.reading is not None and (
        bool(evidence.reading.comment) or evidence.reading.relation is not Relation.BACKGROUND
    )


def _by_use(comment: Comment) -> tuple[bool, float]:
    """What a model chose comes before what is only similar, its first choice first."""
    evidence = comment.citations[0].evidence
    return not _is_read(evidence), evidence.number if _is_read(evidence) else -evidence.score


def on_claim(look: RuleContext, paragraph: int, evidence: Evidence) -> Comment:
    """A comment on what the book says about the claim, and how the student could use it."""
    claim = claim_of(look.subject.essay, paragraph, evidence, look.subject.evidence)
    verdict = evidence.verdict or MAY_HELP
    place = look.sentence(paragraph, claim)
    words, book = last_words(claim), short_title(evidence)
    written = evidence.reading.comment if evidence.reading else ""
    advice = f"{written} {USE}" if written else QUESTIONS[verdict.kind]
    text = advice.replace("{reason}", str(verdict.reason)).replace("{words}", words).replace("{book}", book)
    return Comment(paragraph, text, place, (Citation(evidence, verdict),), rule=f"books.{verdict.kind}")


def last_words(sentence: str) -> str:
    """The last words of a sentence, without the marks around them."""
    return " ".join(sentence.split()[-LAST_WORDS:]).strip(" .,;:!?“”\"'‘’()[]")


def short_title(evidence: Evidence) -> str:
    """The book's title, at most MAX_TITLE words of it."""
    words = evidence.passage.book_title.split()
    return " ".join(words) if len(words) <= MAX_TITLE else f"{' '.join(words[:MAX_TITLE])} …"


def nothing_more(_: RuleContext) -> Iterator[Comment]:
    """No comments on the whole essay."""
    yield from ()


CONTENT = Rules(
    evidence_found,
    nothing_more,
    checked=(
        "each paragraph for sentences of your books that may help, and what you quote of them",
        "reasons that stand bare, evidence that nothing explains, claims without a source, the other side without an answer",
    ),
    not_checked=("whether the essay answers the question you were set", "whether your reasons are good ones"),
)

OF_ANY_LANGUAGE = Rules(
    evidence_found,
    nothing_more,
    checked=("which sentences of your books are near to what you say, and what you quote of them",),
    not_checked=(*CONTENT.checked[1:], *CONTENT.not_checked),
)
"""The rules on the content of an essay that is not English."""

GRADES_ABOVE = 4  # of readability, beyond those of the reader
BASE_LENGTH = 18  # words, and one more for each grade: a longer sentence is hard to follow (grade 7: 25)


def readability(sentences: Sequence[str]) -> float:
    """The school grade that the text reads like: the Automated Readability Index (Smith and Senter 1967, AMRL-TR-66-220)."""
    words = [word for sentence in sentences for word in words_of(sentence)]
    return 4.71 * sum(map(len, words)) / max(len(words), 1) + 0.5 * len(words) / max(len(sentences), 1) - 21.43
