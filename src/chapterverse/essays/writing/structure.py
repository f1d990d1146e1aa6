"""The rules on features: form and tone of an essay, and its sentences: those that run together, are no whole sentence, are very
long, or all begin alike.

A sentence is parted only where two main clauses surely meet: each begins with a subject and its verb, and no word before makes
the first one depend on the second."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bookreader.text.language import dictionary
from chapterverse.citations.quotations import quotations
from chapterverse.core.words import word_set
from chapterverse.essays.model import Comment, Paragraph
from chapterverse.essays.task import Genre
from chapterverse.essays.writing.genre import Role
from chapterverse.essays.writing.lexicon import BASE_OF_PAST, BASE_OF_THIRD_PERSON, BASES, IRREGULAR
from chapterverse.essays.writing.rules import BASE_LENGTH, RuleContext, Rules, words_of
from chapterverse.essays.writing.whole import view_in
from chapterverse.essays.writing.writing import counted

MIN_PARAGRAPHS = 3  # an opening, a middle and an ending
MIN_PARTED_WORDS = 150  # of an essay that should have them
MIN_BLOCK_WORDS, MIN_BLOCK = 95, 7  # words and sentences of a single paragraph that should be parted
UNBALANCED = 3.0  # times as long as the others are on average
MIN_WORDS = 120  # of a paragraph that can be too long
SHOUTED_LETTERS = 4  # letters of a word that is no abbreviation

_ENDING = re.compile(
    r"\b(in conclusion|to conclude|conclusion|concluding|to sum|in summary|summary|in short|all in all|overall|finally"
    r"|lastly|in the end|therefore"
    r"|thus|that is why|this shows|so|for these reasons|as you can see|should|must|need|hope|everyone|we)\b",
    re.IGNORECASE,
)
_ONE_MORE = re.compile(
    r"(?:another|also|in addition|additionally|furthermore|moreover|besides|next|second(?:ly)?|third(?:ly)?"
    r"|for (?:example|instance))\b",
    re.IGNORECASE,
)
_CHATTY = re.compile(
    r"\b(gonna|wanna|gotta|kinda|sorta|lol|omg|btw|cuz|coz|yeah|(?-i:ur?)(?!\.)|pls|thx|ain['’]t)\b|(?<!\w)[:;]-?[)(DP](?!\w)",
    re.IGNORECASE,
)
_SHOUTED = re.compile(r"\b[A-Z]{2,}(?:\s+[A-Z]{2,})+\b|!{2,}")

FEW_PARAGRAPHS = "Where does a new idea begin? Start a new paragraph there, so that your reader sees your steps."
NO_ENDING = "Your essay stops with one more point. What have you shown? You could end with that, in a sentence or two."
TOO_LONG = "This paragraph is much longer than the others. Are there two ideas in it? Then begin the second one on a new line."
CHATTY = "This sounds like talking to a friend. In an essay use a plainer word."
SHOUTED = "Words say it better than capitals or many exclamation marks."


def features_on_paragraph(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """Comments on the paragraph's tone and length."""
    text = look.text(paragraph)
    if look.genre is not Genre.NARRATIVE and (found := next(_unquoted(_CHATTY, text), None)):
        yield Comment(paragraph, CHATTY, found.span(), rule="wording.chatty")
    if found := next((each for each in _unquoted(_SHOUTED, text) if _is_shouted(each[0])), None):
        yield Comment(paragraph, SHOUTED, found.span(), rule="wording.capitals")
    if _is_too_long(look, paragraph):
        first = look.subject.essay.paragraphs[paragraph].sentences[0]
        yield Comment(paragraph, TOO_LONG, look.sentence(paragraph, first), rule="structure.long")


def _unquoted(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches that stand in no quotation."""
    quoted = list(quotations(text))
    return (found for found in pattern.finditer(text) if not any(found[0] in each for each in quoted))


def _is_shouted(text: str) -> bool:
    """Whether it is more than abbreviations."""
    words = [word.lower() for word in words_of(text) if len(word) >= SHOUTED_LETTERS]
    return "!" in text or any(word in dictionary() for word in words)


def on_essay(look: RuleContext) -> Iterator[Comment]:
    """Comments on paragraphs and ending."""
    yield from _on_paragraphs(look)
    yield from _on_ending(look)


def _on_paragraphs(look: RuleContext) -> Iterator[Comment]:
    first = look.subject.essay.paragraphs[0]
    is_block = len(look.lengths) == 1 and look.lengths[0] >= MIN_BLOCK_WORDS and len(first.sentences) >= MIN_BLOCK
    if is_block or (len(look.lengths) < MIN_PARAGRAPHS and sum(look.lengths) >= MIN_PARTED_WORDS):
        longest = look.lengths.index(max(look.lengths))
        sentences = look.subject.essay.paragraphs[longest].sentences
        middle = sentences[len(sentences) // 2]
        yield Comment(longest, FEW_PARAGRAPHS, look.sentence(longest, middle), rule="structure.paragraphs")


def _on_ending(look: RuleContext) -> Iterator[Comment]:
    """A question where the last paragraph begins with one more point, or with the view of others, and nothing in it sounds
    like an end."""
    if Role.ENDING not in look.roles or len(look.roles) < MIN_PARAGRAPHS:
        return
    ending = look.roles.index(Role.ENDING)
    sentences = look.subject.essay.paragraphs[ending].sentences
    replies = look.genre is not Genre.NARRATIVE and view_in(sentences[0]) is not None
    if (_ONE_MORE.match(sentences[0]) or replies) and not any(_ENDING.search(each) for each in sentences[-2:]):
        yield Comment(ending, NO_ENDING, look.sentence(ending, sentences[-1]), rule="structure.ending")


def _is_too_long(look: RuleContext, paragraph: int) -> bool:
    own, others = look.lengths[paragraph], len(look.lengths) - 1
    return others > 1 and own >= MIN_WORDS and own > UNBALANCED * (sum(look.lengths) - own) / others


FEATURES = Rules(
    features_on_paragraph,
    on_essay,
    checked=(
        "whether a longer text has paragraphs, how long they are, and whether it stops without an ending",
        "words and marks that do not suit an essay",
    ),
    not_checked=("whether this is the kind of text you were asked for", "whether style, tense and person stay the same"),
)

RUN_TOGETHER = "Here sentences run together. You could end the first one before “{words}”, and begin a new one there."
CHAIN = "Here one “and” follows another. You could make two sentences of it, or three: where does something new begin?"
FRAGMENT = "This is no whole sentence yet. You could join it to the sentence before, or say what follows from it."
LINKS = 4  # clauses joined by "and", "so" or "but" in a sentence that is a chain
ALIKE = 4  # sentences in a row that begin with the same word
MIN_ALIKE = 3  # words of each of them
MANY_WORDS = 25  # words beyond BASE_LENGTH and the grade: hardly a sentence is clear then
LONGEST = 1_000  # characters of a sentence that is looked into
MAX_FRAGMENT = 14  # words
_ADMITS = re.compile(r", (?:it is true|i know|i admit|i think|i guess|i must say)\W*\Z", re.IGNORECASE)
ORDINARY = frozenset({"the", "a", "an", "in", "on", "at", "when", "if", "after"})  # how sentences in a row may begin

_SUBJECT = r"(?:i|you|he|she|it|we|they|there)"
_SHORT = r"(?:i['’]m|you['’]re|he['’]s|she['’]s|it['’]s|we['’]re|they['’]re|there['’]s|its|theres|i['’]ve|we['’]ve|they['’]ve)"
_ADVERB = r"(?:(?:also|just|really|always|never|even|still|only|often|usually|already) )?"
_PLURALS = r"(?:people|students|kids|children|teachers|parents|drivers|cars|schools|phones)"
_OPENING = re.compile(
    rf"(?:(?:and|but|so|also|then|now|plus) )?(?:{_SHORT}|(?:{_SUBJECT}|this|that|(?:my|our|the) \w+|{_PLURALS}|a \w+) "
    rf"{_ADVERB}(\w+(?:['’]\w+)?))\b",
    re.IGNORECASE,
)
_NEXT = re.compile(
    rf"(?:, (?:however,? )?|(?<= it| me|him|hem| us|too) |(?<=anymore) |(?<=either) )"
    rf"(?P<words>(?:{_SHORT} (?P<first>\w+)|(?:{_SUBJECT}|my \w+) {_ADVERB}(?P<verb>\w+(?:['’]\w+)?)))\b",
    re.IGNORECASE,
)
_DEPENDS = re.compile(
    r"\b(?:if|when|whenever|because|cause|while|since|although|though|as|after|before|until|till|once|unless|whether|that|what"
    r"|which|who|whose|where|how|why|whatever|the (?:more|less|better|longer|sooner)|either|neither|not only|no matter|so \w+"
    r"|like|than)\b",
    re.IGNORECASE,
)
_REPORTS = re.compile(
    r"\b(?:thinks?|thought|say|says|said|saying|know|knows|knew|believes?|feels?|felt|hopes?|hoped|means?|tells?|told|asks?|asked"
    r"|see|sees|saw|guess|suppose|bet|swear|wish|wishes|remind\w*|promise\w*|show\w*|prove\w*|realized?|understand|seems?|find"
    r"|found|heard|hear|make|makes|made|let|lets|help|helps|argue\w*|claim\w*|explain\w*|conclude\w*|admit\w*)\b",
    re.IGNORECASE,
)
_DENIES = re.compile(r"\b(?:not|never|no|nobody|nothing)\b|n['’]?t\b|\bhardly\b", re.IGNORECASE)
_LINK = re.compile(
    rf"\b(?:and|so|but)(?: then)?,? (?:{_SHORT}|(?:{_SUBJECT}|my \w+|{_PLURALS}) {_ADVERB}(?P<verb>\w+(?:['’]\w+)?))\b",
    re.IGNORECASE,
)
_THIRD_FORMS = frozenset(third for _, third in IRREGULAR.values())
_CUT_OFF = re.compile(
    r"(?:because|since|if|although|even though|unless|while) (?:i|you|he|she|it|we|they|people|everyone|everybody|there)\b"
    r"(?! may\b)",
    re.IGNORECASE,
)
_RESULT = re.compile(r"(?:causing|leading to|resulting in|allowing) \w+", re.IGNORECASE)
_WHICH = re.compile(r"Which (?:\w+ly )?(\w+)\b")
_AUXILIARIES = word_set("am is are was were has have had do does did can could will would should must may might cannot be been")
_UNCLEAR = re.compile(r"\w[.!?]+ [a-z]|\"")  # it may be several, without their capitals, or hold somebody's words
_AGAIN = re.compile(  # what takes up what was said, after a comma: a sentence of its own
    r", (?P<words>this (?:is|was|means|makes|causes|shows|will|would|can)|however (?:if|it|they|we|i|you|he|she|there|this|the"
    r"|some|many)) \w",
    re.IGNORECASE,
)
_INTRODUCES = re.compile(
    r"(?:(?:and|but|so) )?(?:if|when|whenever|because|while|since|although|though|as|after|before|until|once|unless|whether|by"
    r"|with|in|on|at|for|from|to|what|who|\w+ing)\b",
    re.IGNORECASE,
)


class Joint(NamedTuple):
    """Where a sentence could end: the character in it at which the next one begins, and the words there."""

    at: int
    words: str


def on_sentences(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """Comments on sentences of the paragraph: run together and cut off each once in an essay, with their number."""
    here = look.subject.essay.paragraphs[paragraph]
    yield from _run_together(look, paragraph)
    yield from _cut_off(look, paragraph)
    longest = max(here.sentences, key=own_length)
    if (
        own_length(longest) > BASE_LENGTH + look.style.grade + MANY_WORDS
        and not _UNCLEAR.search(longest)
        and not runs_together(longest)
    ):
        advice = f"This sentence has {len(words_of(longest))} words. You could make two of it, or three."
        yield Comment(paragraph, advice, look.sentence(paragraph, longest), rule="sentences.long")
    if first := _beginning_alike(here.sentences):
        advice = f"{ALIKE} sentences in a row begin with “{words_of(first)[0]}”. Begin one of them with another word."
        yield Comment(paragraph, advice, look.sentence(paragraph, first), rule="sentences.alike")


def _run_together(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """A comment on the first sentence of the essay that is several; it says how many of these there are."""
    if RUN_TOGETHER in look.mentioned:
        return
    found = next(((one, text) for one in look.own(paragraph) if (text := runs_together(one))), None)
    if found:
        look.mentioned.add(RUN_TOGETHER)
        times = sum(bool(runs_together(one)) for at in range(len(look.lengths)) for one in look.own(at))
        yield Comment(paragraph, counted(found[1], times), look.sentence(paragraph, found[0]), rule="sentences.together")


def _cut_off(look: RuleContext, paragraph: int) -> Iterator[Comment]:
    """A comment on the first sentence of the essay that is none; it says how many of these there are. In a story they may be
    meant so."""
    if FRAGMENT in look.mentioned or look.genre is Genre.NARRATIVE:
        return
    here = look.subject.essay.paragraphs
    if found := next(fragments(here[paragraph]), None):
        look.mentioned.add(FRAGMENT)
        times = sum(len(list(fragments(each))) for each in here)
        yield Comment(paragraph, counted(FRAGMENT, times), look.sentence(paragraph, found), rule="sentences.cut_off")


def runs_together(sentence: str) -> str:
    """What to say of a sentence that is several; empty if it is not surely so."""
    if len(sentence) > LONGEST or re.search(r"[“”\"?:;…()]", sentence):
        return ""
    if joint := joint_of(sentence):
        return RUN_TOGETHER.replace("{words}", joint.words)
    links = [found for found in _LINK.finditer(sentence) if not found["verb"] or is_verb(found["verb"])]
    return CHAIN if len(links) >= LINKS else ""


def joint_of(sentence: str) -> Joint | None:
    """Where two main clauses meet with a comma alone, or with nothing; None if they do not surely."""
    again = _AGAIN.search(sentence)
    if _ADMITS.search(sentence):
        return None
    if again and not _INTRODUCES.match(sentence) and any(map(is_verb, words_of(sentence[: again.start()]))):
        return Joint(again.start("words"), " ".join(sentence[again.start("words") :].split()[:3]).strip(" ,."))
    for found in _NEXT.finditer(sentence):
        first = re.split(r",? (?:and|but|so|or) (?=\w+ \w)", sentence[: found.start()])[0]
        whole, rest = sentence[: found.start()], sentence[found.start("words") :]
        opening = _OPENING.match(first)
        if not opening or (opening[1] and not is_verb(opening[1])) or (found["verb"] and not is_verb(found["verb"])):
            continue
        alike = first.lower().split()[:2] == rest.lower().split()[:2]  # "it is small, it is old and it has no light"
        listed = re.search(r",? (?:and|or) ", rest) and (alike or sentence.count(",") > 1)
        if "," in whole or listed or _DEPENDS.search(whole) or _REPORTS.search(whole) or _DENIES.search(whole):
            continue
        if found["verb"] and _REPORTS.fullmatch(found["verb"]):
            continue
        return Joint(found.start("words"), " ".join(rest.split()[:3]).strip(" ,."))
    return None


def is_verb(word: str) -> bool:
    """Whether the word is a finite form of a verb that is known."""
    word = word.lower().replace("’", "'")
    return (
        word in _AUXILIARIES
        or word.removesuffix("n't").removesuffix("nt") in _AUXILIARIES
        or word in BASES
        or word in BASE_OF_PAST
        or word in BASE_OF_THIRD_PERSON
    )


def fragments(paragraph: Paragraph) -> Iterator[str]:
    """The sentences that are surely none: a reason or condition without what follows, or a result without its cause. What
    answers a question may be short."""
    before = ""
    for sentence in paragraph.sentences:
        words = [word.lower() for word in words_of(sentence)]
        is_plain = sentence.rstrip().endswith(".") and "," not in sentence and MIN_ALIKE <= len(words) <= MAX_FRAGMENT
        if is_plain and not before.rstrip().endswith("?") and _is_cut_off(sentence, words):
            yield sentence
        before = sentence


def _is_cut_off(sentence: str, words: Sequence[str]) -> bool:
    if start := _CUT_OFF.match(sentence):
        verb = len(words_of(start[0]))
        return is_verb(words[verb]) and sum(_is_finite(words, at) for at in range(len(words))) == 1
    which = _WHICH.match(sentence)
    return is_verb(which[1]) if which else bool(_RESULT.match(sentence)) and not any(map(_may_be_verb, words))


def _may_be_verb(word: str) -> bool:
    return is_verb(word) or word.endswith("ed") or word in _THIRD_FORMS


def _is_finite(words: Sequence[str], at: int) -> bool:
    """Whether the word may be the first one of a verb: not after "to", nor after another one."""
    word, before = words[at], words[at - 1] if at else ""
    known = is_verb(word) or (at > 1 and word.endswith(("ed", "s")) and not word.endswith("ss") and word != "this")
    return known and before not in {"to", "not"} | _AUXILIARIES


def own_length(sentence: str) -> int:
    """The words of the sentence that stand in no quotation; of one with a semicolon, those of its longest part."""
    own = len(words_of(sentence)) - sum(len(words_of(quoted)) for quoted in quotations(sentence))
    return min(own, max(len(words_of(part)) for part in sentence.split(";")))


def _beginning_alike(sentences: Sequence[str]) -> str | None:
    """The first of ALIKE consecutive sentences that begin with the same word, None if there are none."""
    firsts = [words[0].lower() if len(words := words_of(sentence)) >= MIN_ALIKE else "" for sentence in sentences]
    for at in range(len(firsts) - ALIKE + 1):
        if firsts[at] and firsts[at] not in ORDINARY and len(set(firsts[at : at + ALIKE])) == 1:
            return sentences[at]
    return None
