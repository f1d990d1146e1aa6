"""Text for the checks: clauses of stemmed words with their negations; and antonyms."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from chapterverse.core.words import CLAUSE_OPENERS, EMPTY, HALF_NEGATIONS, NEGATIONS, NOT_NEGATING, stem

_NEGATING = re.compile(r"(?:un|im|dis|mis|non)\w{5,}|in\w+[ai]bl[ey]|\w{3,}less")
_MARKS = frozenset(",;:.!?—–")
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+(?:[.,:]\d+)*(?:st|nd|rd|th)?|[,;:.!?—–]")
_AS_NOT = re.compile(r"\b(?:rather than|instead of|no longer|far from)\b", re.IGNORECASE)
_NO_NEGATION = re.compile(r"\bnot only\b|\bno doubt\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class StemmedWord:
    """A word. written: as in the text; text: in lower case; stem: by Porter's second algorithm (Snowball, "english")."""

    written: str
    text: str
    stem: str

    @property
    def means(self) -> bool:
        """Whether it is a content word."""
        return self.text not in EMPTY and not self.text[0].isdigit()


@dataclass(frozen=True, slots=True)
class Clause:
    """Words between two punctuation marks or clause openers."""

    words: tuple[StemmedWord, ...]

    @property
    def negated(self) -> bool:
        """Whether the number of negations is odd: two cancel each other."""
        return sum(word.text in NEGATIONS for word in self.words) % 2 == 1

    @property
    def has_negation(self) -> bool:
        """Whether it has at least one negation."""
        return any(word.text in NEGATIONS for word in self.words)

    @property
    def half_negations(self) -> frozenset[str]:
        """Words that may be negations."""
        return frozenset(word.text for word in self.words if _half_negates(word.text))

    @property
    def content(self) -> frozenset[str]:
        """Stems of the words that mean something."""
        return frozenset(word.stem for word in self.words if word.means)


def read_clauses(text: str) -> tuple[Clause, ...]:
    """Clauses in order, without punctuation; "rather than" and the like count as "not"."""
    return tuple(Clause(tuple(words)) for words in _clauses(_AS_NOT.sub(" not ", _NO_NEGATION.sub(" ", text))))


def read_words(text: str) -> tuple[StemmedWord, ...]:
    """All words and numbers in order."""
    return tuple(_word(token) for token in _TOKEN.findall(text) if token not in _MARKS)


def content_of(clauses: Sequence[Clause]) -> frozenset[str]:
    """Stems of the words that mean something."""
    return frozenset(stem for clause in clauses for stem in clause.content)


def _half_negates(word: str) -> bool:
    return word in HALF_NEGATIONS or bool(_NEGATING.fullmatch(word) and not word.startswith(NOT_NEGATING))


def _clauses(text: str) -> Iterator[list[StemmedWord]]:
    clause: list[StemmedWord] = []
    for token in _TOKEN.findall(text):
        if (token in _MARKS or token.lower() in CLAUSE_OPENERS) and clause:
            yield clause
            clause = []
        if token not in _MARKS:
            clause += _parts(token)
    if clause:
        yield clause


def _parts(token: str) -> Iterator[StemmedWord]:
    """The word, or two of a contraction: "don't" is "do" and "not"."""
    verb, shortened, rest = token.replace("’", "'").rpartition("n't")
    if shortened and not rest:
        yield _word({"ca": "can", "wo": "will", "sha": "shall"}.get(verb.lower(), verb or "do"))
        yield _word("not")
    else:
        yield _word(token)


def _word(token: str) -> StemmedWord:
    lower = token.replace("’", "'").lower()
    return StemmedWord(token, lower, stem(lower.removesuffix("'s")))


# Written for this purpose from general knowledge of English; "a b c" says that a is the opposite of b and of c.
_TABLE = """
accept refuse reject; admit deny; advantage disadvantage; agree differ disagree; agreement difference; alive dead;
allow forbid prevent prohibit; alone sociable together; always rarely seldom; ancient modern; approve condemn;
attack defend protect; attract repel; bad good; beautiful ugly; begin end finish stop; beginning end; believe doubt;
best worst; better worse; big little small; bless curse; bold timid; bored amazed; borrow lend; bound free;
brave afraid cowardly; bright dark; broad narrow; build destroy; busy idle; buy sell; calm excited restless;
careful careless; certain doubtful; certainty doubt; cheap expensive; clean dirty; clear obscure unclear;
clever stupid; close far; cold hot; common rare; complete partial; conceal reveal; confirm deny; connect separate;
conquer lose; constant changing; contempt admiration; courage fear; courtesy rudeness; create destroy; cruel kind;
danger safety; dangerous safe; dead living; deep shallow; delight disgust; delighted bored; despise admire respect;
difficult easy; disappear appear; discourage encourage; double single; doubt certain; early late; east west;
emotion reason; empty full; enemy friend; enjoy dislike; equal inferior superior unequal; equality inequality;
even uneven; everywhere nowhere; evil good; exclude include; expand shrink; fail succeed; failure success; fake real;
false true; fast slow; feeling reason; female male; few many; fixed changing variable; follow lead; forget remember;
forgotten remember; free compulsory forbidden slave; freedom slavery; freely forced; frequent rare; fresh stink;
gain lose; generous mean selfish; gentle cruel rough; give receive; glad sad; great small; grow decline shrink;
happiness misery; happy sad unhappy; hard easy soft; harm benefit; harmful useful; harmless dangerous; hasten delay;
hate love; healthy sick; heavy light; help harm hinder; hide show; high low; higher lower; honest dishonest;
honour disgrace; hope despair fear; hostile friendly; humble proud; hundred few; ignorance knowledge;
ignorant educated; important trivial unimportant; improve deteriorate worsen; increase decrease diminish reduce;
inferior superior; inside outside; interested bored; join separate; just unjust; justice injustice; keep lose;
kill save; kindness cruelty; know ignorant; known unknown; large little small; laugh cry; lawful unlawful;
lazy busy hardworking; learn forget; legal illegal; liberty slavery tyranny; like dislike; lively dull;
lonely sociable; long short; loud quiet; love contempt; loyal disloyal treacherous; major minor; majority minority;
many single; master servant slave subject; maximum minimum; mild severe; moral immoral; more less; most least;
much little; multiply dwindle; natural artificial unnatural; near distant far; necessary unnecessary; needed useless;
neglect care; new old; noble base; north south; obey disobey rebel; obstacle help; often rarely seldom; old recent;
order chaos disorder; ordinary extraordinary; partly entirely; patience impatience; peace war; peaceful violent;
perfect imperfect; permanent temporary; pleasant unpleasant; please displease; pleasure pain; plenty scarce;
plurality one single; polite rude; politeness rudeness; poor rich; possible impossible; poverty wealth;
powerful powerless weak; praise condemn curse; pride shame; private public; progress decline; protect endanger;
prove disprove; public secret; punish reward; push pull; quick slow; quickly slowly; raise lower; reject share;
rejected shared; religious secular; remain change leave; resist yield; respect contempt; rich needy; right wrong;
rise fall; same different; sane mad; separate together; serious playful; several single; silent speak;
similar different; simple complex complicated; sleep wake; smell fragrant; sociable solitary; speak silence;
stable unstable; start end finish stop; stay leave; strength weakness; strengthen weaken; strict lenient; strong weak;
stronger weaker; support attack oppose; sure unsure; tame wild; teach learn; thick thin; thousand few; tight loose;
tolerance persecution; tolerate persecute; top bottom; true mistaken; trust distrust doubt; truth error lie;
ugly pretty; unite divide; upper lower; urban rural; useful useless; usual unusual; valuable worthless; vice virtue;
victorious beaten; victory defeat; vivid dull faint; voluntary forced; welcome reject resist; wet dry; wicked virtuous;
wide narrow; willing unwilling; win lose; wisdom folly; wise foolish stupid; work rest; wrongly rightly; young old
"""

_PREFIXES = ("un", "in", "im", "ir", "il", "dis", "mis")
SHORTEST_ROOT = 4  # letters of a stem


def are_antonyms(one: str, other: str) -> bool:
    """Whether two stems are opposites: of the table, or one the other with a prefix ("happi", "unhappi")."""
    return other in _ANTONYMS.get(one, ()) or _without_prefix(one) == other or _without_prefix(other) == one


def antonyms_between(ours: Iterable[StemmedWord], theirs: Iterable[StemmedWord]) -> list[tuple[StemmedWord, StemmedWord]]:
    """Pairs of one word of each side, where neither side has the other's word as well."""
    mine, others = {word.stem: word for word in ours}, {word.stem: word for word in theirs}
    only_mine, only_theirs = mine.keys() - others.keys(), others.keys() - mine.keys()
    return [(mine[a], others[b]) for a in sorted(only_mine) for b in sorted(only_theirs) if are_antonyms(a, b)]


def _without_prefix(word: str) -> str | None:
    for prefix in _PREFIXES:
        if word.startswith(prefix) and len(word) - len(prefix) >= SHORTEST_ROOT:
            return word.removeprefix(prefix)
    return None


def _read(table: str) -> dict[str, set[str]]:
    pairs: defaultdict[str, set[str]] = defaultdict(set)
    for entry in table.replace("\n", " ").split(";"):
        word, *antonyms = map(stem, entry.split())
        for opposite in antonyms:
            pairs[word].add(opposite)
            pairs[opposite].add(word)
    return dict(pairs)


_ANTONYMS = _read(_TABLE)
