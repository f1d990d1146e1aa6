"""A sentence said the other way round, so that vectors can tell which of the two a book is nearer to.

What vectors tell of a claim and a sentence: whether they are about the same thing, and which way round.

Whether a sentence of a book bears out what a student says.

The verdict for feedback, where that a book says otherwise is said first, and a false alarm costs a student's trust.

Measures of verdicts weigh supports, contradicts and not found alike; what is found on an essay mostly supports it. So a
contradiction has to be seen by words and by vectors, in a sentence that is surely about the same (docs/feedback.md).

Verdicts with what they need of the world: an embedder, and a model that reads where there is one.

The judge that feedback has unless there is a model that reads."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from chapterverse.citations.checks import Finding, Weight, run_checks
from chapterverse.citations.model import Cited, Evidence, Said, Verdict, VerdictKind, said_of
from chapterverse.citations.words import content_of, read_clauses
from chapterverse.core.errors import RetryableError
from chapterverse.core.hits import Vectors
from chapterverse.core.ports import Chances, Embedder, Reader
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


def turn(text: str) -> str:
    """Without its negations, if it has any; else with a "not" after the first auxiliary verb; else denied as a whole."""
    affirmed = _NEGATION.sub(lambda found: _AFFIRMED[found[0].lower()], _SHORTENED.sub("", text))
    if affirmed != text:
        return " ".join(affirmed.split())
    if verb := _AUXILIARY.search(text):
        return f"{text[: verb.end()]} not{text[verb.end() :]}"
    return NOT_TRUE + _lower(text)


def deny(text: str) -> str:
    """As a contradiction would begin."""
    return f"No, {_lower(text)}"


def _lower(text: str) -> str:
    return text[:1].lower() + text[1:]


Vector = NDArray[np.float32]

TEXTS = 6  # of one claim and its sentence


@dataclass(frozen=True, slots=True)
class Likeness:
    """about: cosine of the claim to the sentence. turned: how much nearer the one is to the opposite of the other than to the
    other itself, in [-1, 1]; no cosine alone can see that (docs/quality.md)."""

    about: float
    turned: float


def texts_to_embed(said: Said) -> tuple[str, ...]:
    """TEXTS of them: the claim, turned and denied; the sentence, turned and denied."""
    return tuple(text for own in (said.claim, said.sentence) for text in (own, turn(own), deny(own)))


def likeness(vectors: Vectors) -> Likeness:
    """vectors: (TEXTS, d), unit norm, of texts_to_embed."""
    claim, turned_claim, denied_claim, sentence, turned_sentence, denied_sentence = vectors
    shifts = (
        _along(turned_claim - claim, sentence),
        _along(denied_claim - claim, sentence),
        _along(turned_sentence - sentence, claim),
        _along(denied_sentence - sentence, claim),
    )
    return Likeness(about=float(claim @ sentence), turned=float(np.mean(shifts)))


def _along(shift: Vector, other: Vector) -> float:
    """The part of a vector that goes in the direction of the shift, however long that is; 0 where nothing was shifted."""
    length = float(np.linalg.norm(shift))
    return float(other @ shift) / length if length else 0.0


# Chosen most often when cross-validated over books on pairs of our own, with all-MiniLM-L6-v2 (docs/quality.md).
SHARED_WORDS = 0.08  # share of the claim's words of content that the sentence has; below, without vectors: not about it

ABOUT = 0.3  # cosine below which the sentence is not about the claim

REFUTED = -0.12  # Likeness.turned below which a check that is AGAINST the claim is not believed

TURNED = -0.03  # Likeness.turned above which the claim is turned round, whatever the checks say

CLOSE = 0.5  # cosine from which a claim with nothing against it says the same, not only something like it

LONGEST = 60  # words; a longer claim is a paragraph, which says too many things for one of them to speak against it all

SURE = 0.5  # chance above which a model's reading counts

SAME = message("book_seems_same")  # "seems": docs/feedback.md

ALIKE = message("book_may_be_same")

OTHERWISE = message("book_seems_opposite")

NOT_ABOUT = message("book_does_not_tell")


def judge(claim: str, evidence: Evidence) -> Verdict:
    """By the words alone: no model, and no vectors."""
    return judge_words(said_of(claim, evidence))


def judge_words(said: Said) -> Verdict:
    """As judge does."""
    shared = content_of(read_clauses(said.claim)) & content_of(read_clauses(said.sentence))
    if len(shared) < SHARED_WORDS * len(content_of(read_clauses(said.claim))) or not shared:
        return Verdict(VerdictKind.NOT_FOUND, NOT_ABOUT)
    return _weigh(said, run_checks(said), Verdict(VerdictKind.PARTLY, ALIKE))


def judge_vectors(said: Said, likeness: Likeness) -> Verdict:
    """By the words, and by vectors, which refute some of what the words seem to say, and find some opposites on their own."""
    if likeness.about < ABOUT:
        return Verdict(VerdictKind.NOT_FOUND, NOT_ABOUT)
    findings = [_believed(finding, likeness.turned) for finding in run_checks(said)]
    if likeness.turned > TURNED:
        findings.append(Finding(Weight.AGAINST, OTHERWISE))
    same = likeness.about >= CLOSE
    return _weigh(said, findings, Verdict(VerdictKind.SUPPORTS, SAME) if same else Verdict(VerdictKind.PARTLY, ALIKE))


def judge_reading(said: Said, likeness: Likeness, chances: Chances) -> Verdict:
    """By a model that has read both; numbers and names are still checked, because such models overlook them."""
    if chances.contradicts > SURE:
        return Verdict(VerdictKind.CONTRADICTS, OTHERWISE)
    if chances.supports <= SURE and likeness.about < CLOSE:
        return Verdict(VerdictKind.NOT_FOUND, NOT_ABOUT)
    findings = [finding for finding in run_checks(said) if finding.weight is not Weight.AGAINST]
    same = chances.supports > SURE
    return _weigh(said, findings, Verdict(VerdictKind.SUPPORTS, SAME) if same else Verdict(VerdictKind.PARTLY, ALIKE))


def _believed(finding: Finding, turned: float) -> Finding:
    """What the vectors leave of it."""
    if finding.weight is Weight.AGAINST and turned < REFUTED:
        return Finding(Weight.DOUBT, message("check_the_meaning", reason=finding.reason))
    return finding


def _weigh(said: Said, findings: Sequence[Finding], otherwise: Verdict) -> Verdict:
    """The weightiest finding decides; without any, `otherwise`."""
    if not findings:
        return otherwise
    worst = max(findings, key=lambda finding: finding.weight)
    against = worst.weight > Weight.DOUBT and len(said.claim.split()) <= LONGEST
    return Verdict(VerdictKind.CONTRADICTS if against else VerdictKind.PARTLY, worst.reason)


SURELY = 0.6  # cosine from which a sentence is about the same; of 0.5, 0.55 and 0.6 that with the fewest false alarms

OPPOSITE = 0.0  # Likeness.turned from which each is nearer to the other turned round than to the other


def judge_carefully(said: Said, likeness: Likeness) -> Verdict:
    """As judge_vectors does, but for contradictions: those that are not sure are put to the reader's own eye."""
    by_words, by_vectors = judge_words(said), judge_vectors(said, likeness)
    if by_vectors.kind is not VerdictKind.CONTRADICTS:
        return by_vectors
    if by_words.kind is not VerdictKind.CONTRADICTS or likeness.about < CLOSE:
        return Verdict(VerdictKind.PARTLY, ALIKE)
    if _is_certain(said) or (likeness.about >= SURELY and likeness.turned > OPPOSITE):
        return by_words  # its reason names the words
    return Verdict(VerdictKind.PARTLY, message("check_the_meaning", reason=by_words.reason))


def _is_certain(said: Said) -> bool:
    """Whether they differ in a number, which no vector can tell."""
    return any(finding.weight is Weight.CERTAIN for finding in run_checks(said))


def judge_all(said: Sequence[Said], embedder: Embedder, reader: Reader | None = None) -> list[Verdict]:
    """A verdict each, in the order given; one call of the embedder, and of the reader. Raises EmbedderUnavailable,
    ModelUnavailable."""
    if not said:
        return []
    near = likenesses(said, embedder)
    if not reader:
        return [judge_vectors(one, its) for one, its in zip(said, near, strict=True)]
    chances = reader([(read_aloud(one), one.claim) for one in said])
    return [judge_reading(one, its, read) for one, its, read in zip(said, near, chances, strict=True)]


def likenesses(said: Sequence[Said], embedder: Embedder) -> list[Likeness]:
    """One each, of at least one."""
    vectors = embedder.embed_passages([text for one in said for text in texts_to_embed(one)])
    return [likeness(its) for its in vectors.reshape(len(said), TEXTS, -1)]


def read_aloud(said: Said) -> str:
    """The sentence between its neighbours, which say what "it" is."""
    return " ".join(filter(None, (said.previous, said.sentence, said.next)))


@dataclass(frozen=True, slots=True)
class CarefulJudge:
    """A JudgeAll with one call of the embedder. Where that does not answer just now, words alone decide. Raises
    ModelUnavailable."""

    embedder: Embedder

    def __call__(self, cited: Sequence[Cited]) -> list[Verdict]:
        said = [said_of(claim, evidence) for claim, evidence in cited]
        try:
            near = likenesses(said, self.embedder) if said else []
        except RetryableError:
            return [judge_words(one) for one in said]
        return [judge_carefully(one, its) for one, its in zip(said, near, strict=True)]
