"""Claims written by a language model: the prompt, parsing of the arriving answer, and checks of each claim.

The prompt fences off sources, conversation and question from our instructions. A claim that fails a check is removed
as a whole."""

import json
import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import chain
from math import sqrt

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bookreader.text.sentences import split_sentences
from chapterverse.citations.borne import PRONOUNS, Material, is_borne_out, is_of_one
from chapterverse.citations.model import ClaimPair, Evidence, JudgeAll, VerdictKind
from chapterverse.citations.quotations import ELSEWHERE, OBEYING, Quotable, false_quotations, labels_in
from chapterverse.citations.words import content_of, read_clauses
from chapterverse.core.errors import BadAnswer, ChapterverseError
from chapterverse.core.hits import Passage
from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import AnswerPiece, Prompt, Schema, Usage
from chapterverse.essays.writing.drafts import NOT_TO_BE_HAD, TAG_LENGTH, WHY, fenced
from chapterverse.messages import Message
from chapterverse.prompts import prompt
from chapterverse.questions.answers import CitableSource, Claim, Question, SourceCitation
from chapterverse.questions.styles import AnswerSettings, AnswerStyle

MIN_NAME = 4  # characters; a shorter heading may be in a bracket by chance
_WORD = r"(?:(?:based on|see|cf\.?)\s+)?(?:sources?|evidence)\s*"

_MARK = re.compile(  # "[2]", "[Source 1, 3]", "(Source 2)"; a bare number in round brackets is a year or a room
    rf"\s*(?:[\[【]\s*(?:{_WORD})?|[(（]\s*{_WORD})#?(?P<numbers>\d+(?:\s*(?:,|;|and|&)\s*(?:sources?)?\s*#?\d+)*)\s*[\])）】]",
    re.IGNORECASE,
)

_BEHIND = re.compile(rf"(?P<stop>[.!?])(?P<marks>(?:{_MARK.pattern})+)", re.IGNORECASE)
_NAMED = re.compile(r"\bsources?\s*#?(?P<numbers>\d+(?:\s*(?:,|and)\s*\d+)*)", re.IGNORECASE)
_BRACKET = re.compile(r"\s*[\[(](?P<named>[^\[\]()]+)[\])]")
_BETWEEN = re.compile(r"[\s,]*")
_DECODER = json.JSONDecoder()


class DraftClaim(BaseModel):
    """A claim as the model wrote it, unchecked."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str = Field(description="One sentence of the answer, without numbers of sources in it.")
    sources: list[int] = Field(description="Numbers of the sources that it rests on; at least one.")


class AnswerDraft(BaseModel):
    """A language model's answer; no claims if the sources do not answer the question."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    claims: list[DraftClaim]


SCHEMA: Schema = AnswerDraft.model_json_schema()


def claims_in(pieces: Iterable[str], sources: Sequence[CitableSource]) -> Iterator[DraftClaim]:
    """The claims of a JSON object of SCHEMA, each as soon as it is complete; of any other text, its sentences with citations
    (S4, "post-processing regex fallback"). Raises BadAnswer without either."""
    text, at, found = "", 0, False
    for piece in pieces:
        text += piece
        at = at or text.find("[") + 1
        while at and text.lstrip().startswith("{") and (step := _next(text, at)):
            claim, at = step
            found = True
            yield claim
    if not found and not _is_empty(text):
        yield from _in_prose(text, sources)


def _next(text: str, at: int) -> tuple[DraftClaim, int] | None:
    """The claim at that position and its end; None if it is incomplete or invalid."""
    between = _BETWEEN.match(text, at)
    start = between.end() if between else at
    try:
        value, end = _DECODER.raw_decode(text, start)
        return DraftClaim.model_validate(value), end
    except (ValueError, ValidationError):
        return None


def _is_empty(text: str) -> bool:
    """Whether it is a valid answer without claims."""
    try:
        return not AnswerDraft.model_validate_json(text).claims
    except ValidationError:
        return False


def _in_prose(text: str, sources: Sequence[CitableSource]) -> Iterator[DraftClaim]:
    claims = [_claim_of(text[slice(*span)], sources) for span in split_sentences(_marks_inside(text))]
    if text.lstrip().startswith("{") or not any(claim.sources for claim in claims):
        raise BadAnswer("llm_answer_cites_nothing")
    yield from claims


def _marks_inside(text: str) -> str:
    """Move citation marks from behind a full stop to before it, into their sentence."""
    return _BEHIND.sub(r"\g<marks>\g<stop>", text)


def _claim_of(sentence: str, sources: Sequence[CitableSource]) -> DraftClaim:
    plain, numbers = without_marks(sentence)
    named = [one.number for one in sources if _names(plain, one)]
    return DraftClaim(text=plain if numbers else _BRACKET.sub("", plain) if named else plain, sources=[*numbers, *named])


def without_marks(text: str) -> tuple[str, list[int]]:
    """The text without marks such as "[2]" and "(Source 2, 3)", and the numbers in marks and words, each once."""
    groups = chain((found["numbers"] for found in _MARK.finditer(text)), (found["numbers"] for found in _NAMED.finditer(text)))
    numbers = [int(number) for group in groups for number in re.findall(r"\d+", group)]
    return " ".join(_MARK.sub("", text).split()), list(dict.fromkeys(numbers))


def _names(sentence: str, source: CitableSource) -> bool:
    """Whether a bracket in the sentence names the source's section, or its title if it has no sections."""
    names = {name.lower() for name in (source.headings or (source.title,))[-1:] if len(name) >= MIN_NAME}
    return any(name in found["named"].lower() for name in names for found in _BRACKET.finditer(sentence))


MAX_WORDS = 90  # of a claim: one or two sentences
MAX_CITED = 3  # sources of a claim; the rest are ignored


@dataclass(frozen=True, slots=True)
class ClaimCheck:
    """Checks claims. sources: by number. question: claims may quote it. tag: fence of the material in the prompt."""

    sources: Mapping[int, CitableSource]
    question: str
    tag: str
    judge: JudgeAll

    def __call__(self, draft: DraftClaim) -> Claim | None:
        """The claim with its verdicts. None if a source number does not exist, a quotation, page, chapter or address is not
        in its sources, it obeys an instruction in them, every source contradicts it, or none bears it out."""
        text, numbers = without_marks(draft.text)
        numbers = list(dict.fromkeys((*draft.sources, *numbers)))[:MAX_CITED]
        if not text or not numbers or not set(numbers) <= set(self.sources) or len(text.split()) > MAX_WORDS:
            return None
        cited = [self.sources[number] for number in numbers]
        if self._invents(text, cited):
            return None
        citations = self._citations(text, cited)
        if all(one.verdict.kind is VerdictKind.CONTRADICTS for one in citations) or not self._is_borne_out(text, citations):
            return None
        return Claim(text, citations)

    def _is_borne_out(self, text: str, citations: Sequence[SourceCitation]) -> bool:
        """Whether each sentence of the text is: by the sentences nearest to it in its sources and those around them; none has
        a word from elsewhere in them."""
        read = any(one.verdict.kind is VerdictKind.SUPPORTS for one in citations)
        for span in split_sentences(text):
            sentence = text[slice(*span)]
            near = [(one.source, nearest(sentence, one.source.citable)) for one in citations]
            texts = [each for source, passage in near for each in (source.title, *source.headings, *_around(source, passage))]
            best = nearest(sentence, [passage for _, passage in near])
            pair = ClaimPair(sentence, best.sentence.text, title=" ".join(texts))
            if not is_borne_out(sentence, Material(tuple(texts)), pair, read=read, asked=self.question):
                return False
            elsewhere = Material(tuple(_whole_text(source) for source, _ in near))
            bearing = Material(tuple(each for source, passage in near for each in _bearing(source, passage)))
            if not is_of_one(sentence, bearing, elsewhere, self.question):
                return False
        return True

    def _invents(self, text: str, cited: Sequence[CitableSource]) -> bool:
        material = "\n".join(_whole_text(source) for source in cited)
        places = labels_in(material) | {label for source in cited for label in _labels(source)}
        elsewhere = (found[0].lower() for found in ELSEWHERE.finditer(text))
        return (
            self.tag in text
            or bool(OBEYING.search(text))
            or any(found not in material.lower() for found in elsewhere)
            or any(address not in material for address in _addresses(text))
            or not labels_in(text) <= places
            or any(false_quotations(text, Quotable.made_of([self.question], [material])))
        )

    def _citations(self, text: str, cited: Sequence[CitableSource]) -> tuple[SourceCitation, ...]:
        passages = [nearest(text, source.citable) for source in cited]
        evidence = [Evidence(one.number, passage, one.score, ()) for one, passage in zip(cited, passages, strict=True)]
        verdicts = self.judge([(text, one) for one in evidence])
        return tuple(map(SourceCitation, cited, passages, verdicts))


def nearest(text: str, passages: Sequence[Passage]) -> Passage:
    """The sentence that shares most content words with the text, normalised by its length; the first of equals."""
    wanted = content_of(read_clauses(text))

    def likeness(passage: Passage) -> float:
        own = content_of(read_clauses(passage.sentence.text))
        return len(own & wanted) / sqrt(1 + len(own))

    return max(passages, key=likeness)


def _around(source: CitableSource, passage: Passage) -> list[str]:
    """The passage's sentence with its neighbours in the source."""
    passages, at = source.citable, _place_of(passage, source)
    edges = (each.text for each in (passage.previous, passage.next) if each)
    return [*(each.sentence.text for each in passages[max(at - 1, 0) : at + 2]), *edges]


def _place_of(passage: Passage, source: CitableSource) -> int:
    """The index of the passage among those that can be cited from its source."""
    return next(at for at, each in enumerate(source.citable) if each.sentence.id == passage.sentence.id)


def _bearing(source: CitableSource, passage: Passage) -> list[str]:
    """The passage's sentence with the titles over it and what it answers together with, such as the lead-in of a list; and the
    sentence before it if it speaks of something named there."""
    passages, at = source.citable, _place_of(passage, source)
    before = passages[at - 1].sentence.text if at else passage.previous.text if passage.previous else ""
    refers = bool(PRONOUNS & set(passage.sentence.text.lower().split()))
    together = [each.sentence.text for each in source.together(passage)]
    return [source.title, *source.headings, *together, *([before] if refers else [])]


def _whole_text(source: CitableSource) -> str:
    """All text of a source, including the paragraphs of its sentences."""
    return "\n".join((source.title, *source.headings, source.text, *(passage.paragraph for passage in source.passages)))


def _labels(source: CitableSource) -> set[str]:
    """Page labels and chapter numbers of a source."""
    addresses = [passage.sentence.address for passage in source.citable]
    pages = {place.page_label.lower() for address in addresses for place in address.places}
    return pages | {(address.chapter.number or "").lower() for address in addresses}


def _addresses(text: str) -> list[str]:
    """Complete web and mail addresses; a prefix of a source's address is another address."""
    return [word.strip(".,;:!?()<>[]\"'“”") for word in text.split() if "@" in word or "://" in word or word.startswith("www.")]


def ask(question: Question, sources: Sequence[CitableSource], style: AnswerStyle) -> tuple[Prompt, str]:
    """The prompt of the style for this question, and the tag that fences its material."""
    blocks = _blocks(question, sources, style)
    tag = tag_of(blocks)
    instructions = prompt(style.prompt).substitute(tag=tag)
    return Prompt(style.prompt, instructions, fenced(blocks, tag), style.temperature, style.max_tokens), tag


def tag_of(blocks: dict[str, str]) -> str:
    """A digest of the material; the material cannot contain it, and so cannot close the fence."""
    return sha256("\n".join(blocks.values()).encode("utf-8", "replace")).hexdigest()[:TAG_LENGTH]


def _blocks(question: Question, sources: Sequence[CitableSource], style: AnswerStyle) -> dict[str, str]:
    blocks = {
        "sources": "\n\n".join(map(style.source_line, sorted(sources, key=lambda source: source.number))),
        "conversation": "\n".join(question.conversation),
        "selected text": question.selected,
        "question": question.question,
    }
    return {name: text for name, text in blocks.items() if text}


@dataclass(frozen=True, slots=True)
class DraftResult:
    """Result of a draft. removed: number of claims that failed the checks. failed: why the model stopped, None if it
    did not."""

    claims: tuple[Claim, ...] = ()
    removed: int = 0
    usage: Usage = field(default_factory=Usage)
    failed: Message | None = None

    @property
    def declined(self) -> bool:
        """Whether the model found that the sources do not answer."""
        return not (self.claims or self.removed or self.failed)


@dataclass
class Drafting:
    """One question to a language model, with the result so far."""

    style: AnswerStyle
    school: str
    settings: AnswerSettings
    paid: PaidModel
    _pieces: list[AnswerPiece] = field(default_factory=list)
    _claims: list[Claim] = field(default_factory=list)
    _removed: int = 0

    def __call__(self, question: Question, sources: Sequence[CitableSource]) -> Generator[Claim, None, DraftResult]:
        """Yields each checked claim, returns the result. Raises no ChapterverseError; DraftResult.failed has it."""
        failed = None
        try:
            yield from self._checked(redacted(question, self.settings), sources)
        except ChapterverseError as error:
            failed = WHY.get(type(error), NOT_TO_BE_HAD)
        usage = sum((piece.usage for piece in self._pieces if piece.usage), Usage())
        return DraftResult(tuple(self._claims), self._removed, usage, failed)

    def _checked(self, question: Question, sources: Sequence[CitableSource]) -> Iterator[Claim]:
        prompt, tag = ask(question, sources, self.style)
        check = ClaimCheck({one.number: one for one in sources}, question.question, tag, self.settings.judge)
        deadline = self.settings.clock() + self.settings.seconds
        pieces = self.paid.pieces(self.school, prompt, SCHEMA, deadline)
        for draft in claims_in(self._texts(pieces), sources):
            if claim := check(draft):
                self._claims.append(claim)
                yield claim
            else:
                self._removed += 1

    def _texts(self, pieces: Iterator[AnswerPiece]) -> Iterator[str]:
        for piece in pieces:
            self._pieces.append(piece)
            yield piece.text


def redacted(question: Question, settings: AnswerSettings) -> Question:
    """The question with names removed, for a language model; unchanged without a redactor. Raises ModelUnavailable."""
    if settings.redactor is None:
        return question
    texts = [question.question, question.selected, *question.conversation]
    words, selected, *conversation = settings.redactor.redact(texts, question.names)
    return replace(question, question=words, selected=selected, conversation=conversation)
