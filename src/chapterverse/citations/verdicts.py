"""Verdicts: whether a sentence of a book supports a claim, by words, by vectors, or by the trained reader."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from chapterverse.citations.checks import ClaimFinding, Weight, run_checks
from chapterverse.citations.model import BY_RELATION, Cited, ClaimPair, Evidence, Relation, Verdict, VerdictKind, claim_pair
from chapterverse.citations.words import content_of, read_clauses
from chapterverse.core.errors import RetryableError
from chapterverse.core.hits import Vectors
from chapterverse.core.ports import Chances, Embedder, Pair, Read
from chapterverse.messages import message

NOT_TRUE = "It is not true that "

_AFFIRMED = {
    "not": "", "never": "always", "no": "", "nobody": "everybody", "nothing": "something", "without": "with", "none": "all",
    "cannot": "can", "hardly": "", "neither": "both", "nor": "and",
}  # fmt: skip

_NEGATION = re.compile(rf"\b({'|'.join(_AFFIRMED)})\b", re.IGNORECASE)
_SHORTENED = re.compile(r"n['’]t\b")

_AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|be|can|could|may|might|must|shall|should|will|would|has|have|had|does|do|did)\b", re.IGNORECASE
)


def negate(text: str) -> str:
    """The text without its negations, if it has any; else with "not" after its first auxiliary verb; else denied as a whole."""
    affirmed = _NEGATION.sub(lambda found: _AFFIRMED[found[0].lower()], _SHORTENED.sub("", text))
    if affirmed != text:
        return " ".join(affirmed.split())
    if verb := _AUXILIARY.search(text):
        return f"{text[: verb.end()]} not{text[verb.end() :]}"
    return NOT_TRUE + _lower(text)


def deny(text: str) -> str:
    """The text as a contradiction of it would begin."""
    return f"No, {_lower(text)}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


Vector = NDArray[np.float32]
TEXTS = 6  # of one claim and its sentence


@dataclass(frozen=True, slots=True)
class Likeness:
    """What vectors say of a claim and a sentence.

    about: their cosine. negated: how much nearer one is to the negation of the other than to the other, in [-1, 1]; a cosine
    alone cannot see that (docs/quality.md)."""

    about: float
    negated: float


def texts_to_embed(pair: ClaimPair) -> tuple[str, ...]:
    """TEXTS texts: the claim, the claim negated and denied; the sentence, the sentence negated and denied."""
    return tuple(text for own in (pair.claim, pair.sentence) for text in (own, negate(own), deny(own)))


def likeness(vectors: Vectors) -> Likeness:
    """vectors: (TEXTS, d), unit norm, of texts_to_embed."""
    claim, negated_claim, denied_claim, sentence, negated_sentence, denied_sentence = vectors
    shifts = (
        _along(negated_claim - claim, sentence),
        _along(denied_claim - claim, sentence),
        _along(negated_sentence - sentence, claim),
        _along(denied_sentence - sentence, claim),
    )
    return Likeness(about=float(claim @ sentence), negated=float(np.mean(shifts)))


def _along(shift: Vector, other: Vector) -> float:
    """Length of a vector along the direction of the shift; 0 without a shift."""
    length = float(np.linalg.norm(shift))
    return float(other @ shift) / length if length else 0.0


# Chosen most often when cross-validated over books on pairs of our own, with all-MiniLM-L6-v2 (docs/quality.md).
SHARED_WORDS = 0.08  # share of the claim's content words that the sentence must have, if there are no vectors, to be about it
ABOUT = 0.3  # cosine below which the sentence is not about the claim
REFUTED = -0.12  # Likeness.negated below which a check that is AGAINST the claim is not believed
NEGATED = -0.03  # Likeness.negated above which the claim says the opposite, also if no check finds it
CLOSE = 0.5  # cosine from which a claim with nothing against it says the same, not only something like it
MAX_CLAIM_WORDS = 60  # a longer claim is a paragraph; one finding does not contradict all of it
SAME = message("book_seems_same")  # "seems": docs/feedback.md
ALIKE = message("book_may_be_same")
OTHERWISE = message("book_seems_opposite")
NOT_ABOUT = message("book_does_not_tell")


def judge(claim: str, evidence: Evidence) -> Verdict:
    """Verdict by words alone, without a model or vectors."""
    return judge_words(claim_pair(claim, evidence))


def judge_words(pair: ClaimPair) -> Verdict:
    """Verdict by words alone."""
    shared = content_of(read_clauses(pair.claim)) & content_of(read_clauses(pair.sentence))
    if len(shared) < SHARED_WORDS * len(content_of(read_clauses(pair.claim))) or not shared:
        return Verdict(VerdictKind.NOT_FOUND, NOT_ABOUT)
    return _weigh(pair, run_checks(pair), Verdict(VerdictKind.PARTLY, ALIKE))


def judge_vectors(pair: ClaimPair, likeness: Likeness) -> Verdict:
    """Verdict by words and by vectors, which refute some findings and detect some contradictions themselves."""
    if likeness.about < ABOUT:
        return Verdict(VerdictKind.NOT_FOUND, NOT_ABOUT)
    findings = [_believed(finding, likeness.negated) for finding in run_checks(pair)]
    if likeness.negated > NEGATED:
        findings.append(ClaimFinding(Weight.AGAINST, OTHERWISE))
    same = likeness.about >= CLOSE
    return _weigh(pair, findings, Verdict(VerdictKind.SUPPORTS, SAME) if same else Verdict(VerdictKind.PARTLY, ALIKE))


def _believed(finding: ClaimFinding, negated: float) -> ClaimFinding:
    """The finding, reduced to a doubt if the vectors refute it."""
    if finding.weight is Weight.AGAINST and negated < REFUTED:
        return ClaimFinding(Weight.DOUBT, message("check_the_meaning", reason=finding.reason))
    return finding


def _weigh(pair: ClaimPair, findings: Sequence[ClaimFinding], otherwise: Verdict) -> Verdict:
    """Verdict of the strongest finding; `otherwise` without findings."""
    if not findings:
        return otherwise
    worst = max(findings, key=lambda finding: finding.weight)
    against = worst.weight > Weight.DOUBT and len(pair.claim.split()) <= MAX_CLAIM_WORDS
    return Verdict(VerdictKind.CONTRADICTS if against else VerdictKind.PARTLY, worst.reason)


SAME_TOPIC = 0.6  # cosine from which both are surely on the same point; of 0.5, 0.55 and 0.6 the one with fewest false alarms
OPPOSITE = 0.0  # Likeness.negated from which each is nearer to the negation of the other than to the other


def judge_conservatively(pair: ClaimPair, likeness: Likeness) -> Verdict:
    """Contradicts only if words and vectors both do; if only the vectors do, or both are unsure, PARTLY.

    Where the vectors find no contradiction, their verdict stands. On an essay most evidence supports, and a false alarm costs a
    student's trust, so a sentence must also be surely on the same point (docs/feedback.md)."""
    by_words, by_vectors = judge_words(pair), judge_vectors(pair, likeness)
    if by_vectors.kind is not VerdictKind.CONTRADICTS:
        return by_vectors
    if by_words.kind is not VerdictKind.CONTRADICTS or likeness.about < CLOSE:
        return Verdict(VerdictKind.PARTLY, ALIKE)
    if _is_certain(pair) or (likeness.about >= SAME_TOPIC and likeness.negated > OPPOSITE):
        return by_words  # its reason names the words
    return Verdict(VerdictKind.PARTLY, message("check_the_meaning", reason=by_words.reason))


def _is_certain(pair: ClaimPair) -> bool:
    """Whether they differ in a number, which vectors cannot see."""
    return any(finding.weight is Weight.CERTAIN for finding in run_checks(pair))


def judge_all(pairs: Sequence[ClaimPair], embedder: Embedder) -> list[Verdict]:
    """A verdict by words and vectors for each pair, in order, with one call of the embedder. Raises EmbedderUnavailable,
    ModelUnavailable."""
    return [judge_vectors(pair, its) for pair, its in zip(pairs, likenesses(pairs, embedder), strict=True)] if pairs else []


SURE = 0.9  # chance from which it is said that the book says the same, or otherwise


def relation_of(chances: Chances) -> Relation:
    """The relation that the reader is sure of; else BACKGROUND: something to read."""
    if chances.contradicts >= SURE:
        return Relation.CONTRADICTS
    return Relation.SUPPORTS if chances.supports >= SURE else Relation.BACKGROUND


def judge_by_reading(pairs: Sequence[ClaimPair], read: Read) -> list[Verdict]:
    """A verdict by the trained reader for each pair, in order; what a check finds against a claim is never SUPPORTS. Raises
    ModelUnavailable."""
    found = read([Pair(one.claim, one.sentence, one.previous, one.next) for one in pairs], inf)
    verdicts = [(pair, BY_RELATION[relation_of(chances)]) for pair, chances in zip(pairs, found, strict=True) if chances]
    return [_weigh(pair, run_checks(pair), its) if its.kind is VerdictKind.SUPPORTS else its for pair, its in verdicts]


def likenesses(pairs: Sequence[ClaimPair], embedder: Embedder) -> list[Likeness]:
    """The likeness of each of at least one pair, with one embed call."""
    vectors = embedder.embed_passages([text for pair in pairs for text in texts_to_embed(pair)])
    return [likeness(its) for its in vectors.reshape(len(pairs), TEXTS, -1)]


@dataclass(frozen=True, slots=True)
class ConservativeJudge:
    """The JudgeAll of feedback, with one embed call; words alone decide while the embedder is unavailable. Raises
    ModelUnavailable."""

    embedder: Embedder

    def __call__(self, cited: Sequence[Cited]) -> list[Verdict]:
        pairs = [claim_pair(claim, evidence) for claim, evidence in cited]
        try:
            near = likenesses(pairs, self.embedder) if pairs else []
        except RetryableError:
            return [judge_words(pair) for pair in pairs]
        return [judge_conservatively(pair, its) for pair, its in zip(pairs, near, strict=True)]
