"""What a change is: read off its words, off the books, and off the rest of the essay."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher

from chapterverse.citations.quotations import MIN_QUOTED_WORDS, quotations, quoted_spans
from chapterverse.core.words import EMPTY, word_set
from chapterverse.essays.outline import EssaySpan
from chapterverse.essays.revision.align import (
    GERMAN_EMPTY,
    TOKEN,
    DraftSentence,
    Embed,
    SentencePair,
    content_of,
    trigrams,
    words_in,
)
from chapterverse.essays.revision.model import Change, ChangeKind
from chapterverse.essays.writing.rules import end_of_page

K = ChangeKind


@dataclass(frozen=True, slots=True)
class BookSentence:
    """A sentence of the chosen books that may stand behind an added one. nearness: cosine of the two."""

    title: str
    text: str
    nearness: float


LookUp = Callable[[Sequence[str]], list[list[BookSentence]]]
"""The nearest sentences of the chosen books for each text; empty lists without books."""

MIN_RUN = 5  # words in a row that are no accident
MOSTLY_QUOTED = 0.6  # of the words in quotation marks that stand in a book: then the rest is a mistake
MIN_MARKED = 2  # words in quotation marks that may be a book's
NAMED_NEAR = 0.45  # cosine with a sentence of a book, where the added one says that somebody said so
NEAR = 0.68  # without that
SHARED = 0.4  # of the content of an added sentence that a sentence of a book has, likewise
_ATTRIBUTED = re.compile(
    r"(?<!\bI )(?<!\bwe )(?<!\bWe )(?<!may )(?<!might )(?<!could )\b(?:says?|said|writes?|wrote|argues?|argued"
    r"|thinks|thought|claims?|claimed|calls?|called|explains?|describes?|warns?|believes|believed|learned|objects?"
    r"|speaks of|told|tells|felt"
    r"|found|failed|demands?|measures|according to|in (?:his|her) (?:own )?words|for [A-Z]\w+|schreibt|schrieb|sagt"
    r"|sagte|meint|nennt|nach [A-Z]\w+|erklärt"
    r"|fordert|behaupten?|laut|für ihn)\b"
)


@dataclass(frozen=True, slots=True)
class FromBook:
    """A sentence of a book that an added one brings in. exact: as Change.exact."""

    title: str
    exact: bool | None


def from_book(text: str, found: Sequence[BookSentence]) -> FromBook | None:
    """The book that the text quotes or paraphrases closely; None if it does neither."""
    marked = [words for each in quotations(text) if len(words := words_in(each)) >= MIN_MARKED]
    for one in found:
        there = words_in(one.text)
        if any(_run(words, there) == len(words) for words in marked):
            return FromBook(one.title, True)
    for one in found:
        there = words_in(one.text)
        if any(_alike(words, there) for words in marked if len(words) >= MIN_RUN):
            return FromBook(one.title, False)
    words, content = words_in(text), content_of(words_in(text))
    for one in sorted(found, key=lambda one: -one.nearness):
        there = words_in(one.text)
        shared = len(content & content_of(there)) / max(len(content), 1)
        says = bool(_ATTRIBUTED.search(text))
        if _run(words, there) >= MIN_RUN and len(content & content_of(there)) >= MIN_RUN - 2:
            return FromBook(one.title, None)
        if one.nearness >= NEAR or (says and (one.nearness >= NAMED_NEAR or (shared >= SHARED and len(content) > 2))):
            return FromBook(one.title, None)
    return None


def _says_more(new: str, old: str, found: Sequence[BookSentence]) -> bool:
    """Whether the new words bring in more of a sentence of the books than the old ones did."""
    had, has = content_of(words_in(old)), content_of(words_in(new))
    there = [content_of(words_in(one.text)) for one in found]
    return not from_book(old, found) or any(len(has & each) > len(had & each) + 1 for each in there)


def _put_right(old: str, new: str, found: Sequence[BookSentence]) -> FromBook | None:
    """The book that the new text quotes word for word where the old one did not, or without the page."""
    quoted = _newly_quoted(old, new)
    titles = (one.title for one in found if any(_run(words, words_in(one.text)) == len(words) for words in quoted))
    return next((FromBook(title, exact=True) for title in titles), None)


def _newly_quoted(old: str, new: str) -> list[tuple[str, ...]]:
    """The words of each quotation that the old text has otherwise or not at all, or without its page."""
    had = _pages_named(old)
    return [words for words, has_page in _pages_named(new).items() if has_page > had.get(words, -1)]


def _pages_named(text: str) -> dict[tuple[str, ...], bool]:
    """Of the words of each quotation, whether its page follows in brackets."""
    found = ((words_in(quoted), end) for (_, end), quoted in quoted_spans(text))
    return {words: bool(end_of_page(text, end)) for words, end in found if len(words) >= MIN_QUOTED_WORDS}


def _run(words: Sequence[str], there: Sequence[str]) -> int:
    """The most words in a row that stand in both."""
    return SequenceMatcher(None, words, there, autojunk=False).find_longest_match().size


def _alike(words: Sequence[str], there: Sequence[str]) -> bool:
    """Whether most of the quoted words stand there, in order."""
    blocks = SequenceMatcher(None, words, there, autojunk=False).get_matching_blocks()
    return sum(block.size for block in blocks if block.size > 1) >= MOSTLY_QUOTED * len(words)


_NUMBER = re.compile(
    r"\d|\b(?:million|billion|hundred|thousand|percent|half of|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|Prozent"
    r"|Millionen|tausend|hundert|zwanzig|dreißig|vierzig|fünfzig)\b"
)
_FEW = re.compile(
    r"\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|zwei|drei|vier|fünf|sechs|sieben|zehn|zwölf)\b"
)
_SOURCE = re.compile(
    r"\b(?:according to|stud(?:y|ies)|surveys?|statistics|reports?|newspaper|on the news|researchers?|scientists?|documentary"
    r"|laut|nach angaben|studien?|umfragen?|forscher\w*|zeitung|nachrichten)\b",
    re.IGNORECASE,
)
_SHARE = re.compile(r"%|\bper ?cent\b|\bprozent\b", re.IGNORECASE)
_SURE = re.compile(rf"\b(?:100|(?:a |one )?hundred) ?(?:{_SHARE.pattern})", re.IGNORECASE)  # "I am 100% sure" is no figure
_EXAMPLE = re.compile(r"\b(?:for example|for instance|such as|zum beispiel|beispielsweise|z\. ?b\.)", re.IGNORECASE)
_TIME = re.compile(
    r"\b(?:yesterday|last (?:year|week|summer|winter|month|night|spring|autumn|fall|\w+day|october|may)|years? ago"
    r"|one day|(?<!at )once|when (?:i|we|he|she|they|my \w+) (?:was|were|had|came|got|went|broke|divorced|\w{3,}ed"
    r"|\w+ was)\b|(?:in|on) (?:january|february|march|april|may|june|july|august|september|october"
    r"|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|gestern|letzte[ns]? \w+|im (?:januar"
    r"|februar|märz|april|mai"
    r"|juni|juli|august|september|oktober|november|dezember|winter|sommer)|als ich|vor \w+ jahren)\b",
    re.IGNORECASE,
)
_PEOPLE = re.compile(
    r"\b(?:my|our|a friend of mine|meine?[mnr]?|unsere?[mnr]?|bei uns)\s*(?:best |old |little |big |own |oldest |youngest )?"
    r"(?:mother|mom|mum|father|dad|parents|sister|brother|cousin|uncle|aunt|grandmother|grandfather|grandma|grandpa"
    r"|grandparents|friends?|neighbou?rs?|teacher|coach|class|school|village|town|street|building|country|flat|cat|dog|team"
    r"|job|mutter|vater|eltern|schwester|bruder|cousine?|onkel|tante|oma|opa|freund\w*|nachbar\w*|lehrer\w*|klasse|schule"
    r"|hund|katze)\b|\ba friend of mine\b",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:went|came|said|saw|got|took|told|ran|met|found|broke|became|began|slept|drew|cried|ate|lost|left|gave|made|knew"
    r"|wrote|stood|bought|sold|won|taught|fell|grew|threw|paid|sent|spent|built|kept|died|put on)\b"
    r"|\b(?:I|we|he|she|it|they|who|which|boy|girl|man|woman|brother|sister|mother|father|cousin|uncle|aunt|grandfather"
    r"|grandmother|doctor|[A-Z]\w+|was|were|had) (?:\w+ )?(?:was|were|had|did|\w{3,}ed)\b"
    r"|\b(?:wurden?|hatten?|waren|ging|kam|landete|sah|fand|\w{3,}ten)\b",
)
_NAME = re.compile(r"(?<![.!?:“\"„‘'’] )(?<!^)(?<![“\"„])\b[A-Z][a-zé]+(?:[A-Z][a-z]+)?\b")
_LINKED = re.compile(
    r"\b(?:because(?! of)|since(?! \d)|therefore|thus|hence|thereby|so that|that is why|which is why|this is why|that's why"
    r"|the difference"
    r"|(?:this|that|which|it|image|word) \w{0,9} ?(?:means?|shows?|proves?|suggests?|follows?)|means? that|shows? (?:me )?that"
    r"|as a result|for this reason|in order to|otherwise|whereas|however|although|though|even if|even though|leads? to"
    r"|it follows|such that|precisely|consequently|unless|instead|in contrast"
    r"|weil|denn|deshalb|deswegen|daher|darum|sodass|folglich|schließlich|somit|damit|obwohl|zwar|dadurch|nämlich|sonst"
    r"|das (?:heißt|bedeutet|zeigt)|während)\b|, (?:so|for|and so|but|as|aber)\b",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"^(?:if|but|so|then|still|of course|admittedly|yet|with|without|knowing|one (?:may|might|could)|had |nevertheless|only"
    r"|when|wenn|aber|so|denn|trotzdem|natürlich|man könnte|wer)\b",
    re.IGNORECASE,
)
_WEIGHED = re.compile(
    r"\b(?:would|could|cannot|can't|can not|easier|better than|more than|less \w+|not \w+ but|no reason|würde|könnte)\b",
    re.IGNORECASE,
)


def evidence_signs(text: str, known: frozenset[str] = frozenset(), *, names: bool = True) -> float:
    """How much in the text looks like a fact, a source or an experience. known: words that the essay had before, in lower case.
    names: whether a capital within a sentence is a name, as in English."""
    new = {each for each in _NAME.findall(text) if each.lower() not in known} if names else set()
    return (
        2.0 * bool(_NUMBER.search(text))
        + 3.0 * bool(_SOURCE.search(text))
        + 2.0 * bool(_EXAMPLE.search(text))
        + 2.0 * bool(_TIME.search(text))
        + 1.5 * bool(_PEOPLE.search(text))
        + 0.5 * bool(_FEW.search(text))
        + 1.0 * min(len(_PAST.findall(text)), 2)
        + 1.5 * min(len(new), 2)
    )


def reasoning_signs(text: str) -> float:
    """How much in the text gives a reason, draws a conclusion or weighs one thing against another."""
    return 2.0 * bool(_LINKED.search(text)) + 2.0 * bool(_OPENS.search(text)) + 0.7 * bool(_WEIGHED.search(text))


SIGNS = 1.5  # from which a sentence is more than a point
EXPLAINS = 9  # words of a sentence that explains something, though no word says so


def kind_by_signs(text: str, known: frozenset[str], *, names: bool) -> ChangeKind:
    """Evidence from elsewhere, reasoning, or a point without either."""
    evidence, reasoning = evidence_signs(text, known, names=names), reasoning_signs(text)
    if max(evidence, reasoning) < SIGNS:
        return K.REASONING if len(words_in(text)) >= EXPLAINS else K.POINT
    certain = _NUMBER.search(text) or _SOURCE.search(text) or _TIME.search(text)
    return K.ELSEWHERE if evidence > reasoning or (certain and evidence == reasoning) else K.REASONING


@dataclass(frozen=True)
class Drafts:
    """Two drafts and what their changes are compared with. embed: None for an essay that is not English."""

    first: Sequence[DraftSentence]
    second: Sequence[DraftSentence]
    embed: Embed | None
    known: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "known", frozenset(word for one in self.first for word in one.words))

    def before(self, pair: SentencePair) -> str:
        """The words of the earlier draft."""
        return " ".join(self.first[at].text for at in pair.before)

    def after(self, pair: SentencePair) -> str:
        """The words of the later draft."""
        return " ".join(self.second[at].text for at in pair.after)


ADDED = 3  # words in a row that may bring a reason or a fact into a sentence
STILL_THERE = 0.5  # of the content of a sentence that something was added to


def kinds_of(pairs: Sequence[SentencePair], drafts: Drafts, look_up: LookUp) -> list[Change]:
    """The changes, in the order of the pairs; sentences that stayed the same are none."""
    told = [pair for pair in pairs if drafts.before(pair) != drafts.after(pair) or pair.moved]
    asked = [pair for pair in told if pair.after and not pair.moved and _adds(pair, drafts)]
    found = dict(zip(map(id, asked), _look_up_all([drafts.after(pair) for pair in asked], look_up), strict=True))
    repeated = _repeated([pair for pair in asked if not pair.before], drafts)
    return [_change(pair, drafts, found.get(id(pair), []), repeated.get(id(pair))) for pair in told]


def _look_up_all(texts: Sequence[str], look_up: LookUp) -> list[list[BookSentence]]:
    """The nearest sentences of each text, and of what it has in quotation marks, in one call."""
    if not texts:
        return []
    asked = [(at, part) for at, text in enumerate(texts) for part in (text, *quotations(text)) if words_in(part)]
    found: list[list[BookSentence]] = [[] for _ in texts]
    for (at, part), hits in zip(asked, look_up([part for _, part in asked]), strict=True):
        found[at] += hits if part == texts[at] else [replace(one, nearness=0.0) for one in hits]
    return found


def _adds(pair: SentencePair, drafts: Drafts) -> bool:
    """Whether the later sentence has words, a quotation or its page that the earlier one has not."""
    old, new = drafts.before(pair), drafts.after(pair)
    return not pair.before or bool(_additions(old, new) or _newly_quoted(old, new))


def _change(pair: SentencePair, drafts: Drafts, found: Sequence[BookSentence], repeated: EssaySpan | None) -> Change:
    before, after = tuple(drafts.first[i].place for i in pair.before), tuple(drafts.second[j].place for j in pair.after)
    old, new = drafts.before(pair), drafts.after(pair)
    if not after or old == new:
        return Change(K.MOVED if after else K.REMOVED, before, after)
    right = _put_right(old, new, found) if before else None
    surface = bool(before) and right is None and is_surface(old, new)
    book = right or (None if surface else from_book(new, found))
    if book and (not before or book.exact or _says_more(new, old, found)):
        return Change(K.BOOK, before, after, book.title, book.exact)
    names = drafts.embed is not None
    if before:
        return Change(K.SURFACE if surface else _kind_of_addition(old, new, drafts, names=names), before, after)
    if repeated:
        return Change(K.REPETITION, (), after, repeats=repeated)
    return Change(kind_by_signs(new, drafts.known, names=names), (), after)


def _kind_of_addition(old: str, new: str, drafts: Drafts, *, names: bool) -> ChangeKind:
    """What was added to a sentence that else says the same, or a new source or figure in any; other words where nothing was."""
    had, has = content_of(words_in(old)), content_of(words_in(new))
    says_same = bool(had) and len(had & has) >= STILL_THERE * len(had)
    if _SHARE.search(_SURE.sub("", new)) and not _NUMBER.search(old):
        return K.ELSEWHERE
    for added in (_SURE.sub("", each) for each in _additions(old, new)):
        sourced = any(sign.search(added) and not sign.search(old) for sign in (_SOURCE, _NUMBER))
        if (says_same or sourced) and content_of(words_in(added)) - had:
            kind = kind_by_signs(added, drafts.known, names=names)
            signs = max(evidence_signs(added, drafts.known, names=names), reasoning_signs(added))
            if kind is not K.POINT and signs >= SIGNS:
                return kind
    return K.WORDING


def _additions(old: str, new: str) -> list[str]:
    """The runs of at least ADDED words of the new sentence that the old one has not, with the mark before them."""
    tokens, there = TOKEN.findall(new), [token.lower() for token in TOKEN.findall(old)]
    matcher = SequenceMatcher(None, there, [token.lower() for token in tokens], autojunk=False)
    runs = [tokens[j1:j2] for tag, _, _, j1, j2 in matcher.get_opcodes() if tag in {"insert", "replace"}]
    return [" ".join(run).replace(" ,", ",") for run in runs if sum(token[0].isalnum() for token in run) >= ADDED]


SPELT_ALIKE = 0.6  # of the letters of two spellings or forms of a word
OTHERWISE_BEGUN = 0.75  # of those that begin with another letter
LONG_SMALL = 5  # letters of words without content that are alike by chance: "without", "within"
MAX_SMALL = 3  # small words that come or go with a correction


def is_surface(old: str, new: str) -> bool:
    """Whether only spelling, marks, capitals and forms of the same words differ."""
    a, b = words_in(old), words_in(new)
    small = 0
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        if tag == "equal" or "".join(a[i1:i2]).replace("'", "") == "".join(b[j1:j2]).replace("'", ""):
            continue
        gone, come = [*a[i1:i2]], [*b[j1:j2]]
        for word in [*gone]:
            match = next((other for other in come if _same_word(word, other)), None)
            if match:
                gone.remove(word)
                come.remove(match)
        if any(not _is_small(word) for word in (*gone, *come)):
            return False
        small += max(len(gone), len(come))
    return small <= MAX_SMALL


def _same_word(one: str, other: str) -> bool:
    """Whether they are spellings or forms of one word."""
    alike = SequenceMatcher(None, one, other, autojunk=False).ratio()
    are_small = one in EMPTY and other in EMPTY and len(one) > LONG_SMALL
    return not are_small and alike >= (SPELT_ALIKE if one[0] == other[0] else OTHERWISE_BEGUN)


def _is_small(word: str) -> bool:
    return (word in EMPTY or word in GERMAN_EMPTY) and word not in {"not", "never", "no", "nicht", "kein", "keine"}


SAYS_AGAIN = 0.74  # cosine with another sentence of the essay
SAME_AGAIN = 0.82  # likewise, where some of its words are new
AGAIN_WORDS = 0.6  # of its content that another sentence has, instead
NEW_WORDS = 2  # with content, that a repetition may have beside the essay's
NEAREST = 4  # other sentences for each added one
_NOT = word_set("not no never nobody none nothing nicht kein keine niemand nie without ohne")
_GOES_ON = re.compile(r"^(?:this|that|das) (?:means?|shows?|proves?|heißt|bedeutet|zeigt)\b", re.IGNORECASE)


def _repeated(pairs: Sequence[SentencePair], drafts: Drafts) -> dict[int, EssaySpan]:
    """By the id of a pair whose added sentence says again what the draft says already: where it says it."""
    second = drafts.second
    added = sorted({at for pair in pairs for at in pair.after})
    others = [at for at in range(len(second)) if at not in added]
    if not added or not others:
        return {}
    near = _nearest(added, others, second)
    wanted = sorted({*near, *(j for its in near.values() for j in its)})
    embedded = drafts.embed([second[at].text for at in wanted]) if drafts.embed else None
    vectors = {} if embedded is None else dict(zip(wanted, embedded, strict=True))
    essay = frozenset(stem for j in others for stem in second[j].content)

    def says_again(at: int, other: int) -> bool:
        one, there = second[at], second[other]
        if _GOES_ON.match(one.text) or _denies(one) != _denies(there):
            return False
        cosine = float(vectors[at] @ vectors[other]) if vectors else 0.0
        new = len(one.content - essay)
        shares = len(one.content & there.content) >= max(2, AGAIN_WORDS * len(one.content))
        return cosine >= SAME_AGAIN or ((cosine >= SAYS_AGAIN or shares) and new <= NEW_WORDS)

    found = ((pair, next((j for at in pair.after for j in near[at] if says_again(at, j)), None)) for pair in pairs)
    return {id(pair): second[j].place for pair, j in found if j is not None}


def _nearest(added: Sequence[int], others: Sequence[int], second: Sequence[DraftSentence]) -> dict[int, list[int]]:
    """The other sentences that share most letters and words with each added one."""
    letters = trigrams([one.text for one in second])
    near: dict[int, list[int]] = {}
    for at in added:
        likeness = letters[list(others)] @ letters[at]
        shared = [len(second[at].content & second[j].content) / max(len(second[at].content), 1) for j in others]
        order = sorted(range(len(others)), key=lambda n: -(likeness[n] + shared[n]))
        near[at] = [others[n] for n in order[:NEAREST]]
    return near


def _denies(one: DraftSentence) -> bool:
    return bool(_NOT & set(one.words)) or any(word.endswith("n't") for word in one.words)
