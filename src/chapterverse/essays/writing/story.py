"""Questions about what a story lacks: what can be seen and heard, a moment to stay at, and an end."""

import re
from collections.abc import Iterator

from chapterverse.core.turns import pausing
from chapterverse.essays.model import Comment
from chapterverse.essays.writing.rules import words_of
from chapterverse.essays.writing.whole import Whole, comment_at

MIN_STORY = 60  # words of a story that has room for what was seen and heard
THENS = 4  # times "then" in a story that only lists what happened
LONG_STORY, SELDOM = 150, 25  # words of a story in which its writer should be seen, and of those one of _SELF for so many
MAX_FLAT = 12  # words of a sentence that only stops

FELT = "You tell what you felt. How could your reader see it? You could show what you did or said at that moment."
STAY = "This is an important moment. What went through your mind? You could stay here for a sentence or two."
MOMENT = (
    "You tell one thing after another. Which moment is the best one? You could stay there, and tell what you saw and heard."
)
SENSES = "What could you see, hear or smell here? You could add it, so that your reader is there with you."
WHERE_YOU_ARE = "Where are you in this moment? You could add what you do, think or feel here."
MORAL = (
    "Here you say what to think of it. Has your story shown that already? You could end with what you saw, said or did last."
)
AFTERWARDS = "Your story stops here. What should your reader remember? You could end with what you saw, said or thought last."

_FEELING = re.compile(
    r"\bi (?:was|felt) (?:so |very |really |super )?(?:scared|happy|sad|nervous|excited|afraid|angry|terrible|proud|ashamed"
    r"|embarrassed|surprised|shocked|worried|lonely|mad|terrified)\b",
    re.IGNORECASE,
)
_SENSED = re.compile(
    r"\b(?:saw|seen|heard|hear|listen\w*|smel\w+|tast\w+|felt|touch\w*|cold|warm|hot|wet|dark|bright|loud\w*|quiet\w*|silen\w+"
    r"|whisper\w*|shout\w*|scream\w*|laugh\w*|cr(?:y|ied|ying)|red|blue|green|yellow|white|black|brown|gr[ea]y|soft|hard|sweet"
    r"|bitter|noise|sound\w*|voice|eyes|hands?|face|breath\w*|shak\w+|trembl\w+)\b",
    re.IGNORECASE,
)
_TENSE = re.compile(
    r"\b(?:suddenly|i (?:heard|ran|fell|froze|screamed|cried|lost|waited|couldn['’]?t|could not"
    r"|did(?:n['’]?t| not) know|held my breath|stood)|my heart|the worst (?:part|moment)|nobody (?:moved|spoke|answered))\b",
    re.IGNORECASE,
)
_SELF = re.compile(r"\b(?:i|me|my|myself)\b", re.IGNORECASE)
_FLAT = re.compile(
    r"\A\W*(?:and |so |then )*(?:(?:that|this|it) was (?:the|my|a|an) (?:\w+ ){0,2}(?:day|time|trip|story|night|party|summer)\b"
    r"|(?:then |so |after that )?(?:i|we|they) (?:all )?(?:went|came|drove|walked|got) (?:back )?(?:home|to bed|to sleep)\b"
    r"|i was (?:so |very |really )?(?:happy|sad|tired|glad)\b|the end\b)",
    re.IGNORECASE,
)
_MORAL = re.compile(
    r"\b(?:i|we) (?:have )?(?:learn(?:ed|t)|understood|realised|realized) that\b|\b(?:this|that|it) (?:day |story )?"
    r"(?:taught|showed) me\b"
    r"|\bthe moral\b",
    re.IGNORECASE,
)
_THOUGHT = re.compile(
    rf"{_FEELING.pattern}|\b(?:thought|think|as if|remember|because|hoped|hated|wondered|so that)\b", re.IGNORECASE
)


def on_story(whole: Whole) -> Iterator[Comment]:
    """A question where a story names a feeling; else where it only lists what happened; else where nothing is seen or heard."""
    told = [place for text, place in pausing(whole.sentences) if _FEELING.search(text)]
    yield from (comment_at(FELT, place, "reasons.feeling") for place in told[:1])
    then = [place for text, place in pausing(whole.sentences) for _ in re.finditer(r"\bthen\b", text, re.IGNORECASE)]
    if len(then) >= THENS:
        yield comment_at(MOMENT, then[len(then) // 2], "reasons.moment")
    elif not told and sum(whole.look.lengths) >= MIN_STORY and not any(_SENSED.search(text) for text, _ in whole.sentences):
        yield comment_at(SENSES, whole.sentences[len(whole.sentences) // 2][1], "reasons.senses")


def further_in_story(whole: Whole) -> Iterator[Comment]:
    """A question where a story only stops, and one beside its first tense moment."""
    for text, place in whole.sentences[-1:]:
        if _FLAT.search(text) and len(words_of(text)) <= MAX_FLAT:
            yield comment_at(AFTERWARDS, place, "reasons.ending")
        elif _MORAL.search(text):
            yield comment_at(MORAL, place, "reasons.ending")
    tense = [place for text, place in whole.sentences[1:-1] if _TENSE.search(text) and not _THOUGHT.search(text)]
    words = sum(whole.look.lengths)
    if words >= MIN_STORY:
        yield from (comment_at(STAY, place, "reasons.moment") for place in tense[:1])
    own = sum(len(_SELF.findall(text)) for text, _ in whole.sentences)
    if words >= LONG_STORY and 0 < own <= words / SELDOM:
        yield comment_at(WHERE_YOU_ARE, whole.sentences[len(whole.sentences) // 2][1], "reasons.self")
