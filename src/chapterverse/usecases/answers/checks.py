"""From what a language model claims to what is shown: a claim that its sources do not bear goes, as a whole."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from chapterverse.evidence.checks.words import content_of, read_clauses
from chapterverse.evidence.numbering import Evidence, Passage
from chapterverse.evidence.verdict import VerdictKind
from chapterverse.feedback.comments import JudgeAll
from chapterverse.feedback.quotations import Sources as Quotable
from chapterverse.feedback.quotations import false_quotations
from chapterverse.feedback.suspect import ELSEWHERE, OBEYING, labels_in
from chapterverse.usecases.answers.answer import Cited, Claim
from chapterverse.usecases.answers.drafts import DraftClaim, without_marks
from chapterverse.usecases.answers.sources import Source

MOST_WORDS = 90  # of a claim, which is a sentence or two
MOST_CITED = 3  # sources of a claim: more are no citation


@dataclass(frozen=True, slots=True)
class Check:
    """What is needed to check claims. question: what the user has said, which may be quoted; tag: what fenced the material."""

    sources: Mapping[int, Source]
    question: str
    tag: str
    judge: JudgeAll

    def __call__(self, draft: DraftClaim) -> Claim | None:
        """The claim with its verdicts; None where a number does not exist, a quotation is nobody's, a place or an address is
        not in its sources, it obeys an order that stands in them, or every source says otherwise."""
        text, numbers = without_marks(draft.text)
        numbers = list(dict.fromkeys((*draft.sources, *numbers)))[:MOST_CITED]
        if not text or not numbers or not set(numbers) <= set(self.sources) or len(text.split()) > MOST_WORDS:
            return None
        cited = [self.sources[number] for number in numbers]
        if self._invents(text, cited):
            return None
        citations = self._judged(text, cited)
        contradicted = all(one.verdict.kind is VerdictKind.CONTRADICTS for one in citations)
        return None if contradicted else Claim(text, citations)

    def _invents(self, text: str, cited: Sequence[Source]) -> bool:
        said = "\n".join(_all_of(source) for source in cited)
        places = labels_in(said) | {label for source in cited for label in _labels(source)}
        elsewhere = (found[0].lower() for found in ELSEWHERE.finditer(text))
        return (
            self.tag in text
            or bool(OBEYING.search(text))
            or any(found not in said.lower() for found in elsewhere)
            or any(address not in said for address in _addresses(text))
            or not labels_in(text) <= places
            or any(false_quotations(text, Quotable.made_of([self.question], [said])))
        )

    def _judged(self, text: str, cited: Sequence[Source]) -> tuple[Cited, ...]:
        passages = [nearest(text, source.passages) for source in cited]
        evidence = [Evidence(one.number, passage, one.score, ()) for one, passage in zip(cited, passages, strict=True)]
        verdicts = self.judge([(text, one) for one in evidence])
        return tuple(map(Cited, cited, passages, verdicts))


def nearest(text: str, passages: Sequence[Passage]) -> Passage:
    """The sentence that shares most words of content with the text, against its own length; of equals the first."""
    wanted = content_of(read_clauses(text))

    def likeness(passage: Passage) -> float:
        own = content_of(read_clauses(passage.sentence.text))
        return len(own & wanted) / sqrt(1 + len(own))

    return max(passages, key=likeness)


def _all_of(source: Source) -> str:
    """Whatever may be said of a source: also what stands around its sentences."""
    return "\n".join((source.title, *source.headings, source.text, *(passage.paragraph for passage in source.passages)))


def _labels(source: Source) -> set[str]:
    """Pages and chapters that it stands on."""
    addresses = [passage.sentence.address for passage in source.passages]
    pages = {place.page_label.lower() for address in addresses for place in address.places}
    return pages | {(address.chapter.number or "").lower() for address in addresses}


def _addresses(text: str) -> list[str]:
    """Addresses on the web and of mail, whole: one that only begins as a source's does leads elsewhere."""
    return [word.strip(".,;:!?()<>[]\"'“”") for word in text.split() if "@" in word or "://" in word or word.startswith("www.")]
