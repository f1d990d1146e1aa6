"""The rules on content (claims against the books, reasons), and what rules read: the essay's genre, what a paragraph is for."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property, partial
from itertools import accumulate

from chapterverse.citations.model import MAY_HELP, Evidence, VerdictKind
from chapterverse.core.hits import Passage
from chapterverse.essays.model import Citation, Comment, Essay, Style, Subject
from chapterverse.essays.quoted import claim_of
from chapterverse.essays.task import Genre, genre_wanted
from chapterverse.essays.writing.grammar import IsLate, SlipFound, never
from chapterverse.essays.writing.slips import slips_in

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def words_of(text: str) -> list[str]:
    """The words of the text, as written."""
    return _WORD.findall(text)


class Role(StrEnum):
    """What a paragraph is for."""

    SALUTATION = "salutation"
    OPENING = "opening"
    BODY = "body"
    ENDING = "ending"
    CLOSING = "closing"


FORMAL = 12  # words of a salutation or a closing
NARRATED = 0.03  # of the words of a narrative are "I", "we" or "my" beside verbs of the past
ENDS = 3  # paragraphs at the end that may be closing, signature and name
_SALUTATION = re.compile(r"(?:dear|hello|hi|to whom it may concern|(?:state |honou?rable )?senator|esteemed)\b", re.IGNORECASE)
_CLOSING = re.compile(
    r"(?:yours?|sincerely|(?:best|kind|warm|with) (?:regards|wishes)|regards|respectfully|thank(?:s| you)|from|love"
    r"|cordially|signed|"
    r"your (?:citizen|constituent|student|friend))\b",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?][”\"’')\]]*$")
_PAST = re.compile(
    r"\b(?:i|we|he|she|they|it|my \w+) (?:was|were|had|did|went|came|said|saw|got|felt|took|told|ran|\w{3,}ed)\b", re.IGNORECASE
)
_SOURCE_NAMED = re.compile(
    r"\b(?:(?:the|this|that|in|an) (?:article|passage|text|author|source)s?|according to|source \d|paragraph \d"
    r"|(?:states|said|says) (?:that|in))\b"
    r"|[“\"][^”\"]{30,3000}[”\"]",
    re.IGNORECASE,
)

STANCE = re.compile(
    r"\b(i (?:really |strongly |firmly |do |also |still )?(?:think|believe|beleive|agree|disagree|argue|feel|suggest"
    r"|urge)|in my (?:opinion|view)"
    r"|i am (?:convinced|against|for|in favou?r)|should|shouldn['’]?t|must|ought to|needs? to|have to|has to)\b",
    re.IGNORECASE,
)


def genre_of(essay: Essay) -> Genre:
    """The genre that the text tells."""
    text = "\n".join(each.own_text for each in essay.paragraphs)
    if _SALUTATION.match(essay.paragraphs[0].text) or Role.CLOSING in roles_of(essay):
        return Genre.LETTER
    if len(_SOURCE_NAMED.findall(text)) >= SOURCES_NAMED:
        return Genre.SOURCE_BASED
    stances, words = len(STANCE.findall(text)), len(text.split())
    if len(_PAST.findall(text)) > max(stances, NARRATED * words):
        return Genre.NARRATIVE
    return Genre.ARGUMENTATIVE if stances else Genre.EXPOSITORY


def roles_of(essay: Essay) -> tuple[Role, ...]:
    """What each paragraph is for; an essay of one paragraph is all body."""
    roles = [Role.BODY] * len(essay.paragraphs)
    for at, paragraph in enumerate(essay.paragraphs):
        words = len(paragraph.text.split())
        if at == 0 and words <= FORMAL and _SALUTATION.match(paragraph.text):
            roles[at] = Role.SALUTATION
        elif (
            at >= max(len(roles) - ENDS, 1)
            and words <= FORMAL
            and (_CLOSING.match(paragraph.text) or not _ENDED.search(paragraph.text))
        ):
            roles[at] = Role.CLOSING if _CLOSING.match(paragraph.text) or roles[at - 1] is Role.CLOSING else Role.BODY
    body = [at for at, role in enumerate(roles) if role is Role.BODY]
    if len(body) > 1:
        roles[body[0]] = Role.OPENING
        roles[body[-1]] = Role.ENDING
    return tuple(roles)


SOURCES_NAMED = 2  # times that an essay on sources names one, or quotes
ALWAYS, ALWAYS_WORDS = 24, 2_000  # paragraphs, and words of these together, that are always checked: most essays


@dataclass(frozen=True)
class RuleContext:
    """What the rules of one dimension read. time_is_up: tells to stop. mentioned: remarks made already, which are not repeated;
    misspelt: words whose spelling was looked into; untried: others, left out; unfinished: indices of paragraphs, likewise."""

    subject: Subject
    style: Style
    time_is_up: IsLate = never
    mentioned: set[str] = field(default_factory=set)
    misspelt: list[str] = field(default_factory=list)
    untried: list[str] = field(default_factory=list)
    unfinished: set[int] = field(default_factory=set)

    @cached_property
    def always(self) -> int:
        """How many of the first paragraphs are checked even if time is up."""
        return sum(words <= ALWAYS_WORDS for words in accumulate(self.lengths[:ALWAYS]))

    def is_late(self, paragraph: int) -> bool:
        """Whether the paragraph with this index is not to be checked further; it is noted as unfinished then."""
        if paragraph < self.always or not self.time_is_up():
            return False
        self.unfinished.add(paragraph)
        return True

    @cached_property
    def genre(self) -> Genre:
        """What kind of text the essay is: as given, as the task asks for, or as the text tells."""
        return self.style.genre or genre_wanted(self.style.task) or genre_of(self.subject.essay)

    @cached_property
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

    @cached_property
    def lengths(self) -> list[int]:
        """Number of words of each paragraph."""
        return [len(each.text.split()) for each in self.subject.essay.paragraphs]

    @cached_property
    def slips(self) -> list[list[SlipFound]]:
        """The slips in each paragraph, as far as there is time."""
        return [list(slips_in(each.text, partial(self.is_late, at))) for at, each in enumerate(self.subject.essay.paragraphs)]

    @cached_property
    def words_of_essay(self) -> Counter[str]:
        """How often each word stands in the essay, in lower case."""
        return Counter(word.lower() for each in self.subject.essay.paragraphs for word in words_of(each.text))

    @cached_property
    def written(self) -> frozenset[str]:
        """The words of essay and evidence, in lower case."""
        return self.words_of_books.union(self.words_of_essay)

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


NEAR = 0.5  # cosine; what is less near stands under its paragraph, without a comment
SHORT = 25  # words; a shorter paragraph needs no reason of its own
MIN_BODY = 40  # words of a paragraph that should give a reason
MIN_ARGUMENT = 150  # words of an essay that has room for the other side
MAX_NUMBERS = 3  # comments on figures in an essay
MIN_QUOTED = 6  # words that are somebody else's, to be explained
LAST_WORDS = 5  # of a sentence, which tell where something could be added
MAX_TITLE = 6  # words of a book's title in a comment

HOW_KNOWN = "How do you know this: have you seen it, or read it? You could say so here."
WHENCE = "Where does this figure come from? Name the source, so that your reader can look it up."
WHY = "What makes you think so? You could add a reason, or one thing that happened."
OTHER_SIDE = "What would somebody say who thinks otherwise? You could name it after this sentence, and answer it."
EXPLAIN = "You stop at somebody else's words. What do they show? Say it in a sentence of your own."

QUESTIONS = {
    VerdictKind.CONTRADICTS: "{reason} Do you both mean the same? Then after “{words}” you could add what {book} says.",
    VerdictKind.SUPPORTS: "Does {book} say what you mean here? Then after “{words}” you could add that it does, and where.",
    VerdictKind.PARTLY: "Does {book} give an example of what you mean? Then after “{words}” you could add it.",
    VerdictKind.NOT_FOUND: "This may help: is this sentence of {book} about your point? Then after “{words}” you could add "
    "what it says.",
}
QUOTED = "You could say after it what it shows for your point."
MEND = "You could copy it word for word, or say it in words of your own."
UNMARKED = "Or you could say it in words of your own."
USE = "After “{words}” you could add what {book} says."

_REASON = re.compile(
    r"\b(because|cause[sd]?|since|so|thus|therefore|thereby|hence|for (?:example|instance)|e\.g|such as|like|when|if"
    r"|while|as|once"
    r"|one time|my|prove[ns]?|proves|shows?|shown|showed|reasons?|examples?|due to|thanks to|leads?|results?|means?"
    r"|would|could|can"
    r"|help(?:s|ed)?|makes?|made|allows?|keeps?|in order to|otherwise|according|says?|said|states?|stud(?:y|ies)"
    r"|research|to)\b|[“”\"]|\d",
    re.IGNORECASE,
)

OTHERS = re.compile(
    r"\b(although|though|granted|admittedly|even if|despite|in spite|on the other hand|however|opponents?|critics?"
    r"|of course|it is true"
    r"|(?:some|many|most|other|few) (?:\w+ ){0,3}(?:may |might |could |would |will )?(?:say|think|argue|believe|claim"
    r"|disagree|object|feel|want|like|prefer)"
    r"|others|disadvantages?|downsides?|you (?:may|might|could) (?:say|think|argue))\b",
    re.IGNORECASE,
)

SOURCE = re.compile(
    r"\b(according to|states?|stated|says?|said|shows?|found|reports?|reported|claims?|explains?|writes?|wrote|sources?"
    r"|articles?|passages?|authors?"
    r"|texts?|stud(?:y|ies)|surveys?|research\w*|paragraph|page|book)\b|[“”\"]|\(\w+[^)]*\d{4}\)|https?:",
    re.IGNORECASE,
)

_STATED_NUMBER = re.compile(
    r"\b\d[\d.,]*\s?(?:%|percent\b|per cent\b|(?:million|billion|thousand)\b)|\b\d{1,3}(?:,\d{3})+\b|\b\d+ out of (?:\w+ )?\d+",
    re.IGNORECASE,
)

_QUOTED_LAST = re.compile(r"[“\"]([^“”\"]+)[”\"]\s*(?:\([^)]*\)\s*)?[.!?]*$")
_TASK = re.compile(r"(?:write|explain|describe|discuss|compare) .*\b(?:essay|your|text)\b", re.IGNORECASE)
_OWN = re.compile(r"\b(i|my|me|we|our|us|mine)\b", re.IGNORECASE)


def on_paragraph(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """Comments on the paragraph's content: from the books, then on reasons and sources."""
    yield from from_books(look, paragraph)
    yield from _on_numbers(look, paragraph)
    yield from _on_reasons(look, paragraph)
    yield from _on_last_words(look, paragraph)


def from_books(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """What the books say on the paragraph, or a comment saying that there is nothing."""
    yield from nothing_found(look, paragraph)
    yield from evidence_found(look, paragraph)


def evidence_found(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """A comment on each quotation and each contradiction and, without a contradiction, on the best evidence that no comment
    cites yet and that is near enough."""
    yield from on_quotations(look, paragraph)
    found = [on_claim(look, paragraph, one) for one in look.subject.on(paragraph) if not one.quotation]
    new = [one for one in found if _is_near(one) and f"#{one.citations[0].evidence.number}" not in look.mentioned]
    shown = [one for one in found if one.contradicts] or sorted(new, key=_by_use)[:1]
    look.mentioned.update(f"#{one.citations[0].evidence.number}" for one in shown)
    yield from shown


def on_quotations(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """A comment on each quotation: where it stands, whether it is word for word, and what to do."""
    for evidence in look.subject.on(paragraph):
        if (quotation := evidence.quotation) and (verdict := evidence.verdict):
            use = QUOTED if quotation.exact and quotation.marked else MEND if quotation.marked else UNMARKED
            place = (quotation.start, quotation.end)
            text = f"{quotation.message_on(with_short_title(evidence))} {use}"
            yield Comment(paragraph, text, place, (Citation(evidence, verdict),), rule="books.quotation")


def with_short_title(evidence: Evidence) -> Passage:
    """The passage under the short title of its book."""
    return replace(evidence.passage, book_title=short_title(evidence))


def _is_near(comment: Comment) -> bool:
    """Whether the evidence is worth a comment: a model read it, or it is very near and is no task that the book sets."""
    evidence = comment.citations[0].evidence
    is_task = _TASK.match(evidence.passage.sentence.text)
    return bool(evidence.reading) or (evidence.score >= NEAR and not is_task)


def _by_use(comment: Comment) -> tuple[bool, float]:
    """What a model chose comes before what is only similar, its first choice first."""
    evidence = comment.citations[0].evidence
    return evidence.reading is None, evidence.number if evidence.reading else -evidence.score


def nothing_found(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """A comment on a paragraph of the middle that was searched for, has no evidence, and names no source and nothing that the
    student saw."""
    text = " ".join(look.own(paragraph))
    if not text or look.subject.on(paragraph) or paragraph in look.subject.left_out or look.roles[paragraph] is not Role.BODY:
        return
    if look.genre not in {Genre.NARRATIVE, Genre.SOURCE_BASED} and not (SOURCE.search(text) or _OWN.search(text)):
        place = look.sentence(paragraph, look.own(paragraph)[0])
        yield Comment(paragraph, HOW_KNOWN, place, rule="books.none")


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


def _on_numbers(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """A question about each figure without a source near it that the books do not have."""
    if look.genre is Genre.NARRATIVE:
        return
    numbers_of_books = " ".join(one.passage.paragraph for one in look.subject.on(paragraph))
    sentences = look.subject.essay.paragraphs[paragraph].sentences
    for at, sentence in enumerate(sentences):
        found = _STATED_NUMBER.search(sentence)
        near = " ".join(sentences[max(at - 1, 0) : at + 2])
        is_open = found and not SOURCE.search(near) and not _OWN.search(sentence) and found[0] not in numbers_of_books
        if is_open and len([one for one in look.mentioned if one.startswith(WHENCE)]) < MAX_NUMBERS:
            look.mentioned.add(f"{WHENCE}{paragraph}.{at}")
            yield Comment(paragraph, WHENCE, look.sentence(paragraph, sentence), rule="reasons.figure")


def _on_reasons(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """A question where an opinion stands alone in a paragraph of the middle."""
    text = " ".join(look.own(paragraph))
    if not look.genre.argues or look.roles[paragraph] is not Role.BODY or look.lengths[paragraph] < MIN_BODY:
        return
    without_stance = STANCE.sub("", text)
    if not _REASON.search(without_stance) and (sentence := _first_with(STANCE, look, paragraph)):
        yield Comment(paragraph, WHY, look.sentence(paragraph, sentence), rule="reasons.why")


def _on_last_words(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """A question where a paragraph ends with a quotation that nothing explains."""
    last = look.subject.essay.paragraphs[paragraph].sentences[-1]
    if look.roles[paragraph] is Role.BODY and (found := _QUOTED_LAST.search(last)) and len(found[1].split()) >= MIN_QUOTED:
        yield Comment(paragraph, EXPLAIN, look.sentence(paragraph, last), rule="reasons.quotation")


def _first_with(pattern: re.Pattern[str], look: RuleContext, paragraph: int) -> str | None:
    return next((sentence for sentence in look.own(paragraph) if pattern.search(sentence)), None)


def nothing_more(_: RuleContext) -> Iterator[Comment]:
    """No comments on the whole essay."""
    yield from ()


def on_argument(look: RuleContext) -> Iterator[Comment]:
    """A question about the other side, if an essay that argues does not name it."""
    essay = look.subject.essay
    if not look.genre.argues or sum(look.lengths) < MIN_ARGUMENT:
        return
    if any(OTHERS.search(each.own_text) for each in essay.paragraphs):
        return
    for paragraph in range(len(essay.paragraphs)):
        if sentence := _first_with(STANCE, look, paragraph):
            yield Comment(paragraph, OTHER_SIDE, look.sentence(paragraph, sentence), rule="reasons.other_side")
            return


CONTENT = Rules(
    on_paragraph,
    on_argument,
    checked=(
        "each paragraph for sentences of your books that may help, and what you quote of them",
        "figures without a source, opinions without a reason, quotations that nothing explains, and the other side",
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
