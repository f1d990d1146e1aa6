"""Whether an essay speaks of its task, or of its own title: a question about a paragraph that has nothing to do with it, and
about a part of the task that is nowhere taken up. All need vectors and words that agree, because a wrong question is worse
than none."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice

from chapterverse.core.errors import EmbedderUnavailable
from chapterverse.core.hits import Vectors
from chapterverse.essays.model import Comment, Review, in_order
from chapterverse.essays.task import Genre, WritingTask, content_stems
from chapterverse.essays.writing.genre import Role
from chapterverse.essays.writing.rules import RuleContext

Embed = Callable[[Sequence[str]], Vectors]

OFF_TASK = 0.2  # cosine with the task, and
ALONE = 0.25  # with the nearest other paragraph, below which a paragraph has nothing to do with them
OFF_TITLE, ALONE_BY_TITLE = 0.06, 0.12  # the same with the title alone
MISSING = 0.25  # cosine of a part of the task with the nearest paragraph or sentence, below which it is not taken up
MIN_WORDS = 30  # of a paragraph; shorter ones tell too little
MAX_TEXTS = 200  # paragraphs and sentences of an essay: each is embedded
MIN_STEMS = 2  # words of content of a task, or of a part of it
MAX_PART = 15  # words of a part in a comment
UNRELATED = "task.paragraph"  # rule on a paragraph that has nothing to do with the task

OFF_SUBJECT = (
    "What does this paragraph tell your reader about “{title}”? You could say so in its first sentence, or leave it out."
)
OFF = "What does this paragraph tell your reader about the task? You could say so in its first sentence."
NOT_TAKEN_UP = "Your task also says: {part} Where do you take that up? You could add it after this sentence."
CHECKED = "whether a paragraph has nothing to do with the task, and whether a part of the task is nowhere taken up"

_META = re.compile(
    r"\b(?:at least|words|paragraphs?|pages?|be sure|remember to|do not forget|support|proofread|spelling|grammar|structure"
    r"|introduction|conclusion|read (?:the|this|your)|use (?:evidence|information|details|examples|facts|quotations))\b",
    re.IGNORECASE,
)
_AND = re.compile(
    r",? and (?=(?:explain|describe|discuss|say|tell|give|compare|why|how|what|where|when|who)\b)|; ", re.IGNORECASE
)


def with_task(review: Review, look: RuleContext, embed: Embed | None) -> Review:
    """The review on content with questions about the task, or else the title; unchanged without these or an embedder, and for
    an essay of more than MAX_TEXTS. A paragraph that has nothing to do with them gives the outline no reason."""
    task, texts = look.style.task, sum(1 + len(each.sentences) for each in look.subject.essay.paragraphs)
    asks = _on_task(look, task, embed) if task and embed else _off_title(look, embed) if embed else iter(())
    if texts > MAX_TEXTS or (task and len(task.words) < MIN_STEMS):
        return review
    with suppress(EmbedderUnavailable):
        new = tuple(asks)
        checked = (*review.checked, CHECKED) if task and embed else review.checked
        unrelated = {each.paragraph for each in new if each.rule == UNRELATED and each.paragraph is not None}
        outline = review.outline and review.outline.without_paragraphs(unrelated)
        return replace(review, comments=in_order((*review.comments, *new)), checked=checked, outline=outline)
    return review


def _on_task(look: RuleContext, task: WritingTask, embed: Embed) -> Iterator[Comment]:
    for at in _foreign(look, task, embed, OFF_TASK, ALONE):
        yield Comment(at, OFF, look.sentence(at, look.own(at)[0]), rule=UNRELATED)
    yield from _not_taken_up(look, task, embed)


def _off_title(look: RuleContext, embed: Embed) -> Iterator[Comment]:
    """A question about the first paragraph of the middle that has nothing to do with the title."""
    title = look.subject.essay.title or ""
    if len(content_stems(title)) < MIN_STEMS:
        return
    foreign = _foreign(look, WritingTask(title), embed, OFF_TITLE, ALONE_BY_TITLE)
    for at in islice((at for at in foreign if look.roles[at] is Role.BODY), 1):
        text = OFF_SUBJECT.replace("{title}", _cut(title))
        yield Comment(at, text, look.sentence(at, look.own(at)[0]), rule=UNRELATED)


def _foreign(look: RuleContext, task: WritingTask, embed: Embed, off: float, alone: float) -> Iterator[int]:
    """Each paragraph that is near to neither task nor essay, and shares no word of content with them. off, alone: cosines with
    the task and with the nearest other paragraph, below which it is not near."""
    texts = {at: " ".join(look.own(at)) for at, role in enumerate(look.roles) if role not in {Role.SALUTATION, Role.CLOSING}}
    texts = {at: text for at, text in texts.items() if text}
    if look.genre is Genre.NARRATIVE or len(texts) <= 1:
        return
    vectors = embed([task.text, *texts.values(), *task.sources])
    own, given = vectors[1 : len(texts) + 1], [vectors[0], *vectors[len(texts) + 1 :]]
    stems = [content_stems(text) for text in texts.values()]
    of_task = content_stems(" ".join((task.text, *task.sources)))
    for row, (at, text) in enumerate(texts.items()):
        others = [other for other in range(len(texts)) if other != row]
        shared = stems[row] & of_task.union(*(stems[other] for other in others))
        near_task = max(float(own[row] @ each) for each in given)
        if len(text.split()) < MIN_WORDS or shared or near_task >= off:
            continue
        if max(float(own[row] @ own[other]) for other in others) < alone:
            yield at


_FORM = re.compile(  # what is to be written, which no sentence of it says again
    r"\W*(?:write|compose) (?:an?|your|the) (?:\w+ ){0,2}(?:letter|essay|text|story|article|e-?mail|speech|paragraph)\b",
    re.IGNORECASE,
)


def parts_of(task: WritingTask) -> list[str]:
    """The parts of the task that ask for something of their own, if there are several."""
    demands = [each for each in task.sentences if not _META.search(each) and not _FORM.match(each)]
    parts = [part.strip(" .") for each in demands for part in _AND.split(each)]
    return [part for part in parts if len(content_stems(part)) >= MIN_STEMS] if len(parts) > 1 else []


def _not_taken_up(look: RuleContext, task: WritingTask, embed: Embed) -> Iterator[Comment]:
    """A question about the first part of the task to which nothing in the essay is near, and of which it has no word."""
    parts = parts_of(task)
    texts = [text for at in range(len(look.roles)) for text in (" ".join(look.own(at)), *look.own(at)) if text]
    if not parts or not texts:
        return
    vectors = embed([*parts, *texts])
    in_essay = content_stems(" ".join(texts))
    for row, part in enumerate(parts):
        nearest = max(float(vectors[row] @ each) for each in vectors[len(parts) :])
        if nearest < MISSING and not content_stems(part) & in_essay:
            last = len(look.lengths) - 1
            end = part if part.endswith("?") else f"{part}."
            text = NOT_TAKEN_UP.replace("{part}", end if len(end.split()) <= MAX_PART else f"{_cut(part)} …")
            yield Comment(last, text, look.sentence(last, look.subject.essay.paragraphs[last].sentences[-1]), rule="task.part")
            return


def _cut(part: str) -> str:
    return " ".join(part.split()[:MAX_PART])
