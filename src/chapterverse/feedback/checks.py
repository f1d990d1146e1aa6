"""From what a language model drafts to what a student is shown: what is not borne out goes, sentence by sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from chapterverse.evidence.numbering import Evidence
from chapterverse.feedback.comments import Citation, Comment, Dimension, Judge, Subject
from chapterverse.feedback.draft import Draft, DraftComment
from chapterverse.feedback.quotations import Sources, false_quotations, overlap
from chapterverse.feedback.suspect import OF_BOOKS, is_suspect, labels_in, numbers_in
from chapterverse.ingestion.sentences import split_sentences

MOST_COMMENTS = 3  # on a paragraph, and on the whole
MOST_WORDS = 80  # of a comment
LONGER = 3  # words that a correction may have more than what it corrects


@dataclass(frozen=True, slots=True)
class Checked:
    """removed: comments and sentences that went."""

    comments: tuple[Comment, ...]
    removed: int


@dataclass(frozen=True, slots=True)
class Check:
    """What is needed to check a draft of one dimension. tag: what fenced the material in the prompt."""

    subject: Subject
    dimension: Dimension
    judge: Judge
    tag: str
    sources: Sources

    def __call__(self, draft: Draft) -> Checked:
        """The comments that stand, and how much went."""
        kept: list[Comment] = []
        removed = 0
        for each in draft.comments:
            comment, gone = self._checked(each)
            removed += gone
            if comment and sum(other.paragraph == comment.paragraph for other in kept) < MOST_COMMENTS:
                kept.append(comment)
        return Checked(tuple(kept), removed)

    def _checked(self, draft: DraftComment) -> tuple[Comment | None, int]:
        """The comment, or None, and how many sentences, or comments as a whole, went."""
        cited = self._cited(draft)
        if cited is None or not 0 <= draft.paragraph <= len(self.subject.essay.paragraphs):
            return None, 1
        sentences = split_sentences(draft.comment)
        kept = list(self._kept(draft.comment, cited))
        if not kept:
            return None, 1
        comment = self._located(draft, Comment(draft.paragraph - 1 if draft.paragraph else None, " ".join(kept)))
        return replace(comment, citations=tuple(self._citation(comment, one) for one in cited)), len(sentences) - len(kept)

    def _cited(self, draft: DraftComment) -> list[Evidence] | None:
        """The evidence that it rests on; None where there is no such number, or the books have nothing on the paragraph."""
        numbers = {*draft.evidence, *numbers_in(draft.comment)}
        known = [one for one in self.subject.evidence if one.number in numbers]
        silent = bool(draft.paragraph) and not self.subject.on(draft.paragraph - 1)
        if len(known) < len(numbers) or (known and (silent or self.dimension is not Dimension.CONTENT)):
            return None
        return known

    def _kept(self, text: str, cited: Sequence[Evidence]) -> Iterator[str]:
        """The sentences of a comment that are borne out, each once, MOST_WORDS of them at most."""
        not_of_books = list(false_quotations(text, self.sources.books_alone))
        invented = list(false_quotations(text, self.sources))
        places = {label for one in cited for label in _labels(one)}
        kept: list[str] = []
        for span in split_sentences(text):
            sentence = text[slice(*span)]
            of_books = bool(OF_BOOKS.search(sentence))
            if overlap(span, not_of_books if of_books else invented) or (of_books and not cited):
                continue
            if not is_suspect(sentence, self.tag) and labels_in(sentence) <= places and sentence not in kept:
                kept.append(sentence)
        words = accumulate(len(sentence.split()) for sentence in kept)
        return (sentence for sentence, so_far in zip(kept, words, strict=True) if so_far <= MOST_WORDS)

    def _located(self, draft: DraftComment, comment: Comment) -> Comment:
        """With its place in the essay, and the words to write instead, where both are what they should be."""
        if comment.paragraph is None or not draft.about.strip():
            return comment
        start = self.subject.essay.paragraphs[comment.paragraph].text.find(draft.about.strip())
        if start < 0:
            return comment
        about = (start, start + len(draft.about.strip()))
        return replace(comment, about=about, instead=self._instead(draft))

    def _instead(self, draft: DraftComment) -> str | None:
        """Only for the wording, and hardly longer than what it replaces: no room for anything else."""
        words = draft.instead.split()
        fits = words and len(words) <= len(draft.about.split()) + LONGER and not is_suspect(draft.instead, self.tag)
        return " ".join(words) if fits and self.dimension is Dimension.EXPRESSIONS else None

    def _citation(self, comment: Comment, evidence: Evidence) -> Citation:
        """With the verdict on the words that the comment is about."""
        if comment.paragraph is None:
            claim = comment.text
        elif comment.about:
            claim = self.subject.essay.paragraphs[comment.paragraph].text[slice(*comment.about)]
        else:
            claim = self.subject.claim(comment.paragraph, evidence)
        return Citation(evidence, self.judge(claim, evidence))


def _labels(evidence: Evidence) -> Iterator[str]:
    """The page and chapter that may be named with it."""
    address = evidence.passage.sentence.address
    yield from (place.page_label.lower() for place in address.places)
    yield (address.chapter.number or "").lower()
