"""The rules on content (claims against the books, reasons) and on features (form and tone of an essay)."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from threading import Lock

from chapterverse.citations.model import Cited, Evidence, Judge, JudgeAll, Verdict, VerdictKind
from chapterverse.essays.model import NOTHING_FOUND, Citation, Comment, Style, Subject, Tone
from chapterverse.essays.writing.slips import SlipFound, slips_in

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def words_of(text: str) -> list[str]:
    """The words of the text, as written."""
    return _WORD.findall(text)


@dataclass(frozen=True)
class RuleContext:
    """What the rules of one dimension read. mentioned: remarks made already, which are not repeated."""

    subject: Subject
    style: Style
    judge: Judge
    mentioned: set[str] = field(default_factory=set)

    def text(self, paragraph: int) -> str:
        """The text of the paragraph with this index."""
        return self.subject.essay.paragraphs[paragraph].text

    @cached_property
    def lengths(self) -> list[int]:
        """Number of words of each paragraph."""
        return [len(each.text.split()) for each in self.subject.essay.paragraphs]

    @cached_property
    def slips(self) -> list[list[SlipFound]]:
        """The slips in each paragraph."""
        return [list(slips_in(each.text)) for each in self.subject.essay.paragraphs]

    @cached_property
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


PAIRS_AT_ONCE = 24  # pairs: more than most essays have, and few enough that a deadline is seen between two calls


@dataclass(frozen=True)
class CachedJudge:
    """A thread-safe Judge that judges pairs in groups and each pair only once; of evidence that was read, the reading counts.

    expected: the pairs that rules will ask about, in that order. Raises as judge_all does."""

    judge_all: JudgeAll
    expected: Sequence[Cited]
    known: dict[Cited, Verdict] = field(default_factory=dict)
    lock: Lock = field(default_factory=Lock)

    def __call__(self, claim: str, evidence: Evidence) -> Verdict:
        if evidence.reading:
            return evidence.reading.verdict
        wanted = (claim, evidence)
        with self.lock:
            if wanted not in self.known:
                others = (pair for pair in self.expected if pair not in self.known and pair != wanted)
                some = [wanted, *islice(others, PAIRS_AT_ONCE - 1)]
                self.known.update(zip(some, self.judge_all(some), strict=True))
            return self.known[wanted]


def cited_pairs(subject: Subject) -> Iterator[Cited]:
    """The pairs of claim and evidence that the rules on content cite and no model has read, by paragraph."""
    for paragraph in range(len(subject.essay.paragraphs)):
        for evidence in subject.on(paragraph):
            if not evidence.reading:
                yield subject.claim(paragraph, evidence), evidence


SHORT = 25  # words; a shorter paragraph may open or close an essay, and needs no reason of its own
OWN_EXPERIENCE = "That is fine for something you have seen yourself; if you have read it, say where."
OWN_NUMBERS = "You give figures here: say where they come from."

NO_REASON = (
    "You say what you think here, but no reason or example stands out: there is no word like “because” or “for example”. "
    "Add one reason, or one thing that happened."
)

VERDICT_TEXTS = {
    VerdictKind.CONTRADICTS: "Look at this again. {reason}",
    VerdictKind.SUPPORTS: "{reason}",
    VerdictKind.PARTLY: "{reason}",
    VerdictKind.NOT_FOUND: "The book may be about the same thing, but whether you are right it does not say.",
}

WHAT_TO_DO = {
    VerdictKind.CONTRADICTS: "Read its sentence, then change yours, or say why you see it differently.",
    VerdictKind.SUPPORTS: "Read its sentence: if it fits, name book and page in your essay, and say in a sentence how.",
    VerdictKind.PARTLY: "Say only as much as the book does, or find support for the rest.",
    VerdictKind.NOT_FOUND: "Read its sentence, and use it: agree with it, or argue against it.",
}

_REASON = re.compile(
    r"\b(because|since|so that|therefore|thus|for example|for instance|e\.g|such as|when|if|one time|once|in my|proves?|shows?"
    r"|reason|example|due to|that is why|thats why)\b",
    re.IGNORECASE,
)

_DIGIT = re.compile(r"\d")


def on_paragraph(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """Comments on the paragraph's content: from the books, then on reasons."""
    yield from from_books(look, paragraph)
    text = look.text(paragraph)
    if len(text.split()) > SHORT and not _REASON.search(text) and not _DIGIT.search(text):
        yield Comment(paragraph, NO_REASON)


def from_books(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """A comment for each piece of evidence, or one saying that there is none."""
    yield from nothing_found(look, paragraph)
    for one in look.subject.on(paragraph):
        yield on_claim(look, paragraph, one)


def nothing_found(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """A comment if the paragraph was searched for and has no evidence."""
    if not look.subject.on(paragraph) and paragraph not in look.subject.left_out:
        yield Comment(paragraph, f"{NOTHING_FOUND} {OWN_NUMBERS if _DIGIT.search(look.text(paragraph)) else OWN_EXPERIENCE}")


def on_claim(look: RuleContext, paragraph: int, evidence: Evidence) -> Comment:
    """A comment on what the book says about the claim, with advice at the first of its kind."""
    claim = look.subject.claim(paragraph, evidence)
    verdict = look.judge(claim, evidence)
    written = evidence.reading.comment if evidence.reading else ""
    advice = written or VERDICT_TEXTS[verdict.kind].format(reason=verdict.reason)
    if verdict.kind not in look.mentioned and not written:
        look.mentioned.add(verdict.kind)
        advice = f"{advice} {WHAT_TO_DO[verdict.kind]}"
    start = look.text(paragraph).find(claim)
    about = (start, start + len(claim)) if start >= 0 else None
    return Comment(paragraph, advice, about, (Citation(evidence, verdict),))


def nothing_more(_: RuleContext) -> Iterator[Comment]:
    """No comments: rules on content check nothing in the whole essay."""
    yield from ()


CONTENT = Rules(
    on_paragraph,
    nothing_more,
    checked=(
        "each paragraph against the sentences found in your books: numbers, names, and words such as “not”",
        "whether a longer paragraph gives a reason or an example",
    ),
    not_checked=("whether the essay answers the question you were set", "whether your reasons are good ones"),
)

MIN_PARAGRAPHS = 3  # an opening, a middle and an ending
UNBALANCED = 3.0  # times as long as the others are on average
MIN_WORDS = 60  # of a paragraph that can be too long
MIN_LINKED_WORDS = 150  # of an essay: a shorter one has little to link

_OPINION = re.compile(
    r"\b(i (think|believe|beleive|agree|disagree|argue|feel|am convinced)|in my (opinion|view)|should|shouldn'?t|must"
    r"|ought to)\b",
    re.IGNORECASE,
)

_ENDING = re.compile(
    r"\b(in conclusion|to conclude|to sum up|in summary|in short|all in all|overall|finally|in the end|therefore|that is why"
    r"|this shows|so everybody|so we|for these reasons)\b",
    re.IGNORECASE,
)

_LINK = re.compile(
    r"\b(first(ly)?|second(ly)?|third(ly)?|next|then|also|besides|moreover|furthermore|however|but|although|on the other hand|"
    r"because|therefore|so|for example|for instance|finally|in addition|similarly|with \w+ it is the same)\b",
    re.IGNORECASE,
)

_CHATTY = re.compile(
    r"\b(gonna|wanna|gotta|kinda|sorta|lol|omg|btw|cuz|coz|stuff|guys|yeah|ok|okay|u|ur|pls|thx|you know)\b"
    r"|(?<!\w)[:;]-?[)(DP](?!\w)",
    re.IGNORECASE,
)

_SHOUTED = re.compile(r"\b[A-Z]{2,}(?:\s+[A-Z]{2,})+\b|!{2,}")
NO_TITLE = "Your essay has no title. A good one says what it is about, in a few words."

FEW_PARAGRAPHS = (
    "An essay usually has an opening, a middle and an ending, each a paragraph of its own. Part yours where a new idea begins."
)

NO_OPINION = "The first paragraph does not seem to say what you think (no “I think”, no “should”). Tell the reader early."

NO_ENDING = (
    "The last paragraph does not sound like an ending (no “so”, “in conclusion” or the like). "
    "End with what you have shown, in a sentence or two."
)

NO_LINK = (
    "This paragraph begins without a link to the one before. "
    "A word like “also”, “but” or “however” shows how they belong together."
)

TOO_LONG = "This paragraph is much longer than the others. Perhaps there are two ideas in it."
CHATTY = "This sounds like talking to a friend. In an essay use a plainer word."
SHOUTED = "Words say it better than capitals or many exclamation marks."
GOOD_FORM = "Your essay has a title, an opening that says what you think, and an ending."


def features_on_paragraph(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """Comments on the paragraph's tone and length."""
    text = look.text(paragraph)
    for pattern, advice in ((_CHATTY, CHATTY), (_SHOUTED, SHOUTED)):
        if found := pattern.search(text):
            yield Comment(paragraph, advice, found.span())
    if _is_too_long(look, paragraph):
        yield Comment(paragraph, TOO_LONG)


def on_essay(look: RuleContext) -> Iterator[Comment]:
    """Comments on title, opening, ending and links; praise for good form if the tone is KIND."""
    missing = list(_missing(look))
    if not missing and look.style.tone is Tone.KIND:
        yield Comment(None, GOOD_FORM)
    yield from missing


def _missing(look: RuleContext) -> Iterator[Comment]:
    essay = look.subject.essay
    last = len(essay.paragraphs) - 1
    if not essay.title:
        yield Comment(None, NO_TITLE)
    if len(essay.paragraphs) < MIN_PARAGRAPHS:
        yield Comment(None, FEW_PARAGRAPHS)
    if not _OPINION.search(f"{essay.title or ''} {essay.paragraphs[0].text}"):
        yield Comment(0, NO_OPINION)
    if last >= MIN_PARAGRAPHS - 1 and not _ENDING.search(essay.paragraphs[last].text):
        yield Comment(last, NO_ENDING)
    unlinked = [n for n in range(1, last) if not _LINK.search(essay.paragraphs[n].sentences[0])]
    if unlinked and sum(look.lengths) > MIN_LINKED_WORDS:
        yield Comment(unlinked[0], NO_LINK)


def _is_too_long(look: RuleContext, paragraph: int) -> bool:
    own, others = look.lengths[paragraph], len(look.lengths) - 1
    return others > 1 and own >= MIN_WORDS and own > UNBALANCED * (sum(look.lengths) - own) / others


FEATURES = Rules(
    features_on_paragraph,
    on_essay,
    checked=(
        "whether there are a title, an opening with your opinion, and an ending, by the words that usually show them",
        "links between paragraphs, and their length",
        "words and marks that do not suit an essay",
    ),
    not_checked=("whether this is the kind of text you were asked for", "whether style, tense and person stay the same"),
)
