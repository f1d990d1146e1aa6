"""What a language model may tell a student: a comment that brings nothing false or foreign.

Rules that hold in any language say what may stand in a comment: letters, marks, quotations that exist, numbers of the texts.
A model of our own (citations/likeness.py) drops what looks like a mark, an address, abuse, words to copy in, and so on. In
doubt a comment is dropped: others remain, and rules write what no model does."""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from chapterverse.citations.borne import Material, digits_in
from chapterverse.citations.checks import Weight, run_checks
from chapterverse.citations.forms import (
    OURS,
    advises,
    ascribes_an_attitude,
    is_in_one_of,
    language_of,
    offers_words,
    speaks_of_itself,
)
from chapterverse.citations.likeness import YOU, CommentContext, Known, comment_model, root_of, tokens_of
from chapterverse.citations.model import ClaimPair
from chapterverse.citations.quotations import Quotable, labels_in, quoted_spans
from chapterverse.citations.words import read_words
from chapterverse.core.hits import Passage
from chapterverse.core.lazy import lazy
from chapterverse.core.words import stem, word_set
from chapterverse.library.text.sentences import split_sentences

MARKS = frozenset(".,;:!?…-–—'’‘\"“”„«»()%¿¡؟،؛&€$£°/ \n\t\u00a0\u202f")
SLACK = 1.0  # odds by which a few words may be stranger than a comment
KNOWN_SLACK = 2.4  # the same for advice in a known form and familiar words: 1 of 2,255 attacks has them
QUOTED_TERM = 2  # words: a term that a comment may offer for another one
COVERED = 0.5  # of the words of a report that its text must have
SUBJECT_WITHIN, VERB_WITHIN = 4, 4  # tokens from the beginning of a sentence, and from its subject
BOOKS = word_set("evidence book text author passage source writer")
VERBS = word_set("""
say says said write writes wrote claim claims claimed state states stated tell tells told shows showed argue argues argued think
thinks thought believe believes believed explains explained admit admits admitted recommend recommends recommended warn warns
warned demand demands demanded want wants wanted hold holds held proves proved confess confesses insists regards teaches
taught forbids allowed allows hated hates loved despised blames blamed played invented planted replied proposed held agrees
""")
ALSO = word_set("also too later once himself herself itself even already always never had has somewhere first text essay")
_DENIED = re.compile(
    r"\s*(?:you|your (?:essay|paragraph|text))\s+(?:(?:do|does|did|ha(?:ve|s))(?: not|n['’]t)|never|forg[eo]t to|nowhere)\s+"
    r"(?:propos|giv|mention|say|answer|nam|explain|offer|provid|stat|tell|writ|us|show|have|includ|conclud|argu)",
    re.IGNORECASE,
)
_OF_ESSAY = re.compile(
    r"\s*(?:you|your (?:essay|paragraph|text))\s+(?:say|write|claim|state|think|believe|tell us|demand|count|call|argue)s?\b"
    r"(?! (?:of|what|why|how|when|where|who|about|it)\b)(?: that)?",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[:;?]|, (?:which|so|and|but|who|as|before|because) ")
_SIGN = re.compile(r"“q[ebn]”")
_DOTTED = re.compile(r"(?:\b\w\W){3,}\w\b")
_ADDRESS = re.compile(r"\w[.:]\w*[^\W\d]\w|//|[@#]\w")


def script_of(letter: str) -> str:
    """The script of a letter, by the first word of its name."""
    return unicodedata.name(letter, "?").partition(" ")[0]


@dataclass(frozen=True)
class Sayings:
    """Texts that a comment may report of, whole and by sentences."""

    texts: tuple[str, ...]

    @lazy
    def whole(self) -> Material:
        """All of them."""
        return Material(("\n".join(self.texts),))

    @lazy
    def sentences(self) -> list[tuple[str, Material]]:
        """Each sentence."""
        text = self.whole.texts[0]
        return [(text[slice(*span)], Material((text[slice(*span)],))) for span in split_sentences(text)]

    def nearest(self, content: Collection[str]) -> str:
        """The sentence that has most of these words; empty without a sentence."""
        return max(self.sentences, key=lambda one: one[1].covers(content), default=("", None))[0]


@dataclass(frozen=True)
class Screen:
    """Judges comments. around: the texts that a comment may speak of. places: pages and chapters that it may name; numbers: of
    evidence that it may name; tag: around material in the prompt, empty without one."""

    around: CommentContext
    places: frozenset[str] = frozenset()
    numbers: frozenset[int] = frozenset()
    tag: str = ""

    @lazy
    def known(self) -> Known:
        """The words of the texts."""
        return Known(self.around)

    @lazy
    def quotable(self) -> Quotable:
        """The texts as quotations need them."""
        return Quotable.made_of([self.around.essay], [*self.around.evidence, *self.around.authors, *self.around.titles])

    @lazy
    def of_essay(self) -> Quotable:
        """The essay alone."""
        return Quotable.made_of([self.around.essay], [])

    @lazy
    def of_books(self) -> Quotable:
        """Evidence and titles alone."""
        return Quotable.made_of([], [*self.around.evidence, *self.around.titles])

    @lazy
    def own(self) -> Sayings:
        """What the essay says."""
        return Sayings((self.around.essay,))

    @lazy
    def theirs(self) -> Sayings:
        """What the evidence says."""
        return Sayings(self.around.evidence)

    @lazy
    def scripts(self) -> frozenset[str]:
        """The scripts that a comment may use."""
        return frozenset({script_of(letter) for letter in set(self.whole) if letter.isalpha()} | {"LATIN"})

    @lazy
    def languages(self) -> frozenset[str]:
        """The languages that a comment may use: that of our own comments, and the essay's if it is one of those learned."""
        return frozenset({OURS, language_of(self.around.essay)} - {""})

    @lazy
    def figures(self) -> frozenset[str]:
        """The numbers that a comment may name."""
        return frozenset(digits_in(self.whole) | {str(number) for number in self.numbers} | self.places)

    @lazy
    def whole(self) -> str:
        """All texts."""
        return "\n".join((self.around.essay, *self.around.evidence, *self.around.authors, *self.around.titles))

    def accepts(self, comment: str) -> bool:
        """Whether a student may read the comment."""
        return not self.objection(comment)

    def accepts_words(self, words: str) -> bool:
        """Whether a student may be offered the words for others; a few words look stranger than a comment."""
        model = comment_model()
        return not self.objection_by_rules(words) and model.odds(words, self.known) < model.threshold + SLACK

    def objection(self, comment: str) -> str:
        """What speaks against the comment, as a word for the log; empty if nothing does."""
        if objection := self.objection_by_rules(comment):
            return objection
        whole, *sentences = self.texts_of(comment)
        known = [self._is_known_advice(each) for each in sentences]
        is_known = all(known) if sentences else self._is_known_advice(whole)
        drops = [self._drops(text, its) for text, its in zip((whole, *sentences), (is_known, *known), strict=True)]
        return "likeness" if any(drops) else ""

    def _drops(self, text: str, is_known: bool) -> bool:
        """Whether the model drops the text. is_known: it is advice of a known form in familiar words."""
        return comment_model().drops([text], self.known, KNOWN_SLACK if is_known else 0.0)

    def _is_known_advice(self, sentence: str) -> bool:
        """Whether it asks or advises, in words of the texts and of good comments."""
        return advises(sentence) and comment_model().is_familiar(sentence, self.known)

    def objection_by_rules(self, comment: str) -> str:
        """The same without the model."""
        return next(self._breaches(comment), "")

    def _breaches(self, comment: str) -> Iterator[str]:
        """What it breaks, the gravest first."""
        if not self._has_plain_letters(comment):
            yield "letters"
        sentences = self.texts_of(comment)[1:] or self.texts_of(comment)
        if not all(is_in_one_of(_SIGN.sub(" ", each), self.languages) for each in sentences):
            yield "language"
        if not self._quotes_rightly(comment):
            yield "quotation"
        if not labels_in(comment) <= self.places:
            yield "place"
        if not self._counts_rightly(comment):
            yield "number"
        if not all(map(self._is_borne_out, sentences)) or any(map(ascribes_an_attitude, sentences)):
            yield "not borne out"
        if any(speaks_of_itself(each) or offers_words(each, YOU) for each in sentences):
            yield "form"
        if _DOTTED.search(comment) or _ADDRESS.search(comment) or (self.tag and self.tag in comment):
            yield "address"

    def _is_borne_out(self, sentence: str) -> bool:
        """Whether what an English sentence reports of essay or evidence stands there; True where it reports nothing."""
        if sentence.rstrip().endswith("?"):
            return True
        if _DENIED.match(sentence):
            return False
        clause = _CLAUSE.split(sentence)[0]
        if found := _OF_ESSAY.match(clause):
            return self._says(self.own, clause[found.end() :])
        return not self._reports_of_book(clause) or "“qb”" in clause or self._says(self.theirs, clause)

    def _reports_of_book(self, clause: str) -> bool:
        """Whether its subject is an author or the evidence, and its verb says what they say or do."""
        tokens = tokens_of(clause)
        of_book = [token in BOOKS or self.known.place_of(token) == "a" for token in tokens]
        if True not in of_book[:SUBJECT_WITHIN] or YOU & set(tokens):
            return False
        at = of_book.index(True)
        follows = [token for token in tokens[at + 1 :] if token not in ALSO and token[0].isalnum()][:VERB_WITHIN]
        before = set(tokens[:at])
        verb = next((token for token in follows if self.known.place_of(token) != "a"), "")
        return verb in VERBS or bool(before & {"according"})

    def _says(self, sayings: Sayings, clause: str) -> bool:
        """Whether the texts have enough of the clause's words, and do not say the opposite."""
        plain = _SIGN.sub(" ", clause)
        content = {
            word.stem for word in read_words(plain) if word.means and word.text not in VERBS | ALSO | BOOKS | {"according"}
        }
        content -= {stem(token) for token in tokens_of(plain) if self.known.place_of(token) == "a"}
        if not content:
            return True
        if sayings.whole.covers(content) < COVERED:
            return False
        near = sayings.nearest(content)
        return plain != clause or not any(one.weight >= Weight.AGAINST for one in run_checks(ClaimPair(plain, near)))

    def texts_of(self, comment: str) -> list[str]:
        """What the model reads: the comment and each of its sentences, with a sign for each quotation."""
        masked = self._masked(comment)
        return list(dict.fromkeys([masked, *(masked[slice(*span)] for span in split_sentences(masked))]))

    def _has_plain_letters(self, comment: str) -> bool:
        """Whether there are only letters, digits and marks of ordinary writing, in scripts of the texts, one in a word."""
        for letter in comment:
            kind = unicodedata.category(letter)
            if letter in MARKS:
                continue
            if kind[0] not in "LM" and kind != "Nd":
                return False
            if kind[0] == "L" and (unicodedata.normalize("NFKC", letter) != letter or script_of(letter) not in self.scripts):
                return False
        words = re.findall(r"[^\W\d_]+", comment)
        return all(len({script_of(letter) for letter in word if unicodedata.category(letter) != "Lm"}) == 1 for word in words)

    def _quotes_rightly(self, comment: str) -> bool:
        """Whether each quotation stands in the texts without an omission; a word offered for words of the essay need not."""
        spans = list(quoted_spans(comment))
        quoted = [text for _, text in spans]
        in_essay = [text for text in quoted if self.of_essay.have(text)]
        tokens = set(tokens_of(comment))
        speaks_of_books = any(token in BOOKS or self.known.place_of(token) == "a" for token in tokens)
        attributed = bool(speaks_of_books and tokens & VERBS and not tokens & YOU)
        if any("…" in text or "..." in text for text in quoted):
            return False
        for text in quoted:
            words = [root_of(word) for word in tokens_of(text) if word[0].isalnum()]
            if not words or self.of_books.have(text):
                continue
            if attributed and len(words) > QUOTED_TERM:
                return False
            if self.quotable.have(text):
                continue
            if len(words) <= QUOTED_TERM and not speaks_of_books:
                continue
            if not in_essay:
                return False
            theirs = {root_of(word) for one in in_essay for word in tokens_of(one)}
            if 2 * sum(word in theirs for word in words) < len(words):
                return False
        return True

    def _counts_rightly(self, comment: str) -> bool:
        return digits_in(comment) <= self.figures

    def _masked(self, comment: str) -> str:
        """The comment with a sign for each quotation: of the essay, or of a book."""
        text, end = "", 0
        for (start, stop), quoted in quoted_spans(comment):
            sign = "qe" if self.of_essay.have(quoted) else "qb" if self.quotable.have(quoted) else "qn"
            if start >= end:
                text += f"{comment[end:start]} “{sign}” "
                end = stop
        return text + comment[end:]


def around_passages(essay: str, passages: Sequence[Passage], known: Iterable[Passage] = ()) -> CommentContext:
    """The essay, and passages with their neighbours. known: others whose authors and titles may be named."""
    near = [text for each in passages for text in (each.previous, each.sentence, each.next) if text]
    named = [*passages, *known]
    return CommentContext(
        essay,
        tuple(dict.fromkeys(each.text for each in near if each.quotable)),
        tuple(dict.fromkeys(name for each in named for name in each.authors)),
        tuple(dict.fromkeys(each.book_title for each in named)),
    )
