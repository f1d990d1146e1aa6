"""What a language model may say to a student: it chooses one of these kinds of comment, and the words are ours.

No text that a model writes is shown, because every test of free text that was tried let something false or hostile through
(docs/quality.md, "What a language model may say"). A kind asks something of the words that the comment stands at, and names a
step; both are true of any words, so that a wrong choice may be useless and cannot be false."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from chapterverse.essays.model import CommentKind, Dimension, Tone


class Move(StrEnum):
    """What a comment asks for."""

    REASON = "reason"
    EXAMPLE = "example"
    DETAIL = "detail"
    NUMBER = "number"
    MEANING = "meaning"
    DEFINITION = "definition"
    SOURCE = "source"
    OTHER_SIDE = "other_side"
    ANSWER = "answer"
    WEAK_ANSWER = "weak_answer"
    LIMIT = "limit"
    CAUSE = "cause"
    CONSEQUENCE = "consequence"
    COMPARISON = "comparison"
    OWN_VIEW = "own_view"
    CLAIM = "claim"
    TASK = "task"
    EVIDENCE = "evidence"
    QUESTION = "question"
    STRENGTH = "strength"
    CORRECTION = "correction"
    EXACT_WORD = "exact_word"
    REPETITION = "repetition"
    ALIKE = "alike"
    REFERENCE = "reference"
    LONG = "long"
    FLUENCY = "fluency"
    JOIN = "join"
    OPENING = "opening"
    ENDING = "ending"
    SAME_ENDING = "same_ending"
    LINK = "link"
    ORDER = "order"
    NEW_PARAGRAPH = "new_paragraph"
    TOPIC = "topic"
    OFF_TOPIC = "off_topic"
    TONE = "tone"
    TIME = "time"
    PERSON = "person"


@dataclass(frozen=True, slots=True)
class Words:
    """meaning: when a model chooses the kind. ways: of saying it, each a question and a step; none if nothing is shown."""

    meaning: str
    ways: tuple[tuple[str, str], ...]


_STRENGTH = Words("it is good as it is; nothing is shown there", ())
"""Praise is given by rules alone, since a model can be made to praise anything: it only confirms theirs."""

CONTENT: Mapping[Move, Words] = {
    Move.REASON: Words(
        "no reason is given",
        (
            ("Why is this so?", "You could give a reason for it in a sentence of your own."),
            ("What makes you think so?", "You could say it after this sentence."),
        ),
    ),
    Move.EXAMPLE: Words(
        "nothing shows it",
        (
            ("Have you seen or read about something that shows this?", "You could add it as an example."),
            ("When was it like this?", "You could tell of one such case."),
        ),
    ),
    Move.DETAIL: Words(
        "it is told without what a reader needs to see it",
        (
            ("What would your reader want to know about this?", "You could say more about who, where or when."),
            ("Can your reader see this?", "You could add one exact detail."),
        ),
    ),
    Move.NUMBER: Words(
        "how many or how often is left open",
        (
            ("How many, how much or how often is this?", "You could say it as exactly as you know it."),
            ("Is this true of many, or of a few?", "You could say of how many."),
        ),
    ),
    Move.MEANING: Words(
        "a reader may not understand the thought",
        (
            ("What do you mean by this?", "You could explain it in a sentence of your own."),
            ("How would you explain this to a friend?", "You could write it down in this way."),
        ),
    ),
    Move.DEFINITION: Words(
        "it is one word on which much hangs and which can mean several things",
        (
            ("What does this word mean to you?", "You could say it where you use it first."),
            ("Would everybody mean the same by this word?", "You could say what you mean by it."),
        ),
    ),
    Move.SOURCE: Words(
        "it is stated as a fact and a reader cannot check it",
        (
            ("How do you know this?", "You could say where you read, heard or saw it."),
            ("Where could your reader look this up?", "You could name the place."),
        ),
    ),
    Move.OTHER_SIDE: Words(
        "what others think is missing",
        (
            ("What would somebody say who does not agree with you here?", "You could name it, and then answer it."),
            ("Who might see this in another way, and why?", "You could write one sentence about it."),
        ),
    ),
    Move.ANSWER: Words(
        "it says what others think, and no answer follows",
        (
            ("What do you answer to this?", "You could say it in the next sentence."),
            ("How strong is this against your own view?", "You could say why you still hold yours."),
        ),
    ),
    Move.WEAK_ANSWER: Words(
        "it is the student's answer to what others think, and a weak one",
        (
            ("Is this enough for those who do not agree?", "You could give them one reason more."),
            ("What would the others say to your answer?", "You could make it stronger."),
        ),
    ),
    Move.LIMIT: Words(
        "it is said too generally",
        (
            ("Is this true in every case?", "You could say when it is and when it is not."),
            ("Could it also be otherwise?", "You could name one case."),
        ),
    ),
    Move.CAUSE: Words(
        "another cause, or the step from cause to effect, is left out",
        (
            ("What brought this about, and could it be something else?", "You could say how the one leads to the other."),
            ("How do you know that one comes from the other?", "You could say what else it might be."),
        ),
    ),
    Move.CONSEQUENCE: Words(
        "what follows from it is not said",
        (
            ("What follows from this?", "You could say it in the next sentence."),
            ("What does this mean for your main point?", "You could say it here."),
        ),
    ),
    Move.COMPARISON: Words(
        "it could be set beside something else in the essay or in the world",
        (
            ("What is this like, and what is different?", "You could compare the two in a sentence."),
            ("What could you set beside this?", "You could say what both have in common."),
        ),
    ),
    Move.OWN_VIEW: Words(
        "it is told or quoted and what the student thinks of it is missing",
        (
            ("What do you think of this yourself?", "You could say it in a sentence of your own."),
            ("Why do you tell this?", "You could say what it shows."),
        ),
    ),
    Move.CLAIM: Words(
        "what the paragraph or the essay is for does not become clear",
        (
            ("What do you want to show here?", "You could say it in one sentence."),
            ("What should your reader take from this?", "You could say it at the start or at the end."),
        ),
    ),
    Move.TASK: Words(
        "its use for the task is not clear, or a part of the task is left out",
        (
            ("How does this answer the task?", "You could say it in a few words."),
            ("Which part of the task is this for?", "You could look at the task again, and name it."),
        ),
    ),
    Move.EVIDENCE: Words(
        "the evidence that you number bears on it",
        (
            ("Read the sentence from the book beside this. What does it add to your thought?", ""),
            ("The book may have something on this. Does it agree with you?", ""),
        ),
    ),
    Move.QUESTION: Words(
        "something else is open",
        (
            ("What might a reader ask you here?", "You could answer it in one sentence."),
            ("What is still open here?", "You could say what you think about it."),
        ),
    ),
    Move.STRENGTH: _STRENGTH,
}

EXPRESSIONS: Mapping[Move, Words] = {
    Move.CORRECTION: Words(
        "it is wrong; the right words are in `instead`",
        (
            ("Is this right as it stands?", "You could read it aloud, slowly."),
            ("Does something here sound odd to you?", "You could say it to somebody, and then write it again."),
        ),
    ),
    Move.EXACT_WORD: Words(
        "a word is vague, or not quite the right one",
        (
            ("Does this say exactly what you mean?", "You could try other words."),
            ("Which word matters most here?", "You could look for one that is more exact."),
        ),
    ),
    Move.REPETITION: Words(
        "a word comes too often",
        (
            ("Have you used this before?", "You could say it in another way once."),
            ("How often does this come in your text?", "You could try another word in one place."),
        ),
    ),
    Move.ALIKE: Words(
        "sentences that follow each other begin alike",
        (
            ("Do your sentences here begin alike?", "You could begin one of them in another way."),
            ("With which words do these sentences begin?", "You could turn one of them round."),
        ),
    ),
    Move.REFERENCE: Words(
        "a reader cannot tell whom or what a word such as it or they stands for",
        (
            ("Whom or what does this stand for?", "You could name it here."),
            ("Could this mean two things?", "You could write the name once more."),
        ),
    ),
    Move.LONG: Words(
        "a sentence is too long or holds two thoughts",
        (
            ("Is this one thought or two?", "You could give each its own sentence."),
            ("Where would you take a breath here?", "You could make two sentences of it."),
        ),
    ),
    Move.FLUENCY: Words(
        "the order of its words makes it hard to read",
        (
            ("How does this sound when you read it aloud?", "You could try it in another order."),
            (
                "Can your reader follow this sentence at once?",
                "You could begin it in another way.",
            ),
        ),
    ),
    Move.JOIN: Words(
        "short sentences that belong together stand apart",
        (
            ("Do these sentences belong together?", "You could join them with a small word."),
            ("How do these sentences go together?", "You could make one of them, with a word like because or so."),
        ),
    ),
    Move.STRENGTH: _STRENGTH,
}

FEATURES: Mapping[Move, Words] = {
    Move.OPENING: Words(
        "the beginning does not lead to what follows",
        (
            ("What does your reader learn from your first sentences?", "You could name your topic and your point there."),
            ("Why should somebody read on here?", "You could begin with what matters most to you."),
        ),
    ),
    Move.ENDING: Words(
        "the text stops without an ending",
        (
            ("How does your text end?", "You could come back to your main point."),
            ("Does your text stop too soon?", "You could add a sentence that ends it."),
        ),
    ),
    Move.SAME_ENDING: Words(
        "the ending only says again what was said",
        (
            ("Does this say more than you have said before?", "You could add what follows from it."),
            ("What does your ending add?", "You could say what should happen next."),
        ),
    ),
    Move.LINK: Words(
        "what leads from one thought to the next is missing",
        (
            ("How does this go together with what stands before it?", "You could say it in a few words."),
            ("What leads your reader from here to the next thought?", "You could add a link."),
        ),
    ),
    Move.ORDER: Words(
        "it stands in the wrong place",
        (
            ("Is this the best place for this?", "You could read your text with it in another place."),
            ("What should your reader know first?", "You could try another order here."),
        ),
    ),
    Move.NEW_PARAGRAPH: Words(
        "a new thought begins",
        (
            ("Does a new thought begin here?", "You could give it a paragraph of its own."),
            ("How many thoughts does this paragraph hold?", "You could give each its own paragraph."),
        ),
    ),
    Move.TOPIC: Words(
        "the paragraph does not say what it is about",
        (
            ("What is this paragraph about?", "You could say it in its first sentence."),
            ("What will your reader find in this paragraph?", "You could say it where it begins."),
        ),
    ),
    Move.OFF_TOPIC: Words(
        "it leaves what the paragraph or the essay is about",
        (
            ("Does this belong to what the paragraph is about?", "You could say how, or leave it out."),
            ("What does this have to do with your main point?", "You could say it here, or leave this out."),
        ),
    ),
    Move.TONE: Words(
        "the tone does not fit an essay",
        (
            ("Would you say it like this to somebody you do not know?", "You could try it as you would write a letter."),
            ("Who reads this, and how would you speak to them?", "You could say it in that way."),
        ),
    ),
    Move.TIME: Words(
        "the tense changes",
        (
            ("Is this now, or in the past?", "You could look whether the verbs around it agree."),
            ("When does this happen?", "You could keep to one time."),
        ),
    ),
    Move.PERSON: Words(
        "I, you and one change without a reason",
        (
            ("Who speaks here, and to whom?", "You could keep to the same person."),
            ("Do you mean yourself here, or everybody?", "You could say which."),
        ),
    ),
    Move.STRENGTH: _STRENGTH,
}

MOVES: Mapping[Dimension, Mapping[Move, Words]] = {
    Dimension.CONTENT: CONTENT,
    Dimension.EXPRESSIONS: EXPRESSIONS,
    Dimension.FEATURES: FEATURES,
}

KINDS: Mapping[Move, CommentKind] = {
    Move.TASK: CommentKind.TASK,
    Move.EXACT_WORD: CommentKind.WORDING,
    Move.REPETITION: CommentKind.WORDING,
    Move.LONG: CommentKind.SENTENCES,
    Move.FLUENCY: CommentKind.SENTENCES,
    Move.ALIKE: CommentKind.SENTENCES,
    Move.JOIN: CommentKind.SENTENCES,
}
"""What these are counted by; all others by their dimension."""


def listed(dimension: Dimension) -> str:
    """The kinds of the dimension with what each means and what is shown, as a prompt has them."""
    return "\n".join(f"  - `{move}`: {words.meaning}.{_wording(words)}" for move, words in MOVES[dimension].items())


def _wording(words: Words) -> str:
    return f" Shown: {' '.join(words.ways[0])}".rstrip() if words.ways else ""


def texts_of(move: Move, dimension: Dimension, tone: Tone, *, cites: bool) -> Iterator[str]:
    """The ways to say it, the best first; none if the dimension lacks the kind. cites: the step is then what one could do with
    the evidence, and somebody else says it. A plain tone names the step alone."""
    if (words := MOVES[dimension].get(move)) is None or (move is Move.EVIDENCE and not cites):
        return
    for question, step in words.ways:
        if cites:
            yield question
        else:
            yield step if tone is Tone.PLAIN else f"{question} {step}"
