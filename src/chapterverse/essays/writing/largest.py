"""Questions about an essay as a whole, which weigh more than those about a sentence of it: it has only begun, only tells again
what a text says, takes no side or two, is general, names no other side, or leaves out what speaks against it; and about what a
story lacks: what can be seen and heard, a moment to stay at, and an end."""

import re
from collections.abc import Iterator
from itertools import islice

from chapterverse.citations.quotations import quotations
from chapterverse.core.turns import pausing
from chapterverse.essays.model import Comment
from chapterverse.essays.outline import EssaySpan
from chapterverse.essays.task import Genre, WritingTask
from chapterverse.essays.writing.genre import SIDE, STANCE
from chapterverse.essays.writing.rules import RuleContext, words_of
from chapterverse.essays.writing.whole import MINE, Whole, comment_at

BEGUN = 30  # words: an essay with fewer has only begun
RETOLD = 0.5  # of an essay's words that are copied from its sources
MIN_RETELLING, MOSTLY = 3, 0.6  # sentences of a paragraph that only tell what a text says, and their share of it
MIN_COPIED, ENTIRE = 12, 0.9  # words of a sentence that is copied, and how much of it stands in a source
MIN_QUOTED = 6  # words of a quotation that is looked for in the sources
MAX_LISTING = 2  # paragraphs of an essay whose list of reasons no paragraph develops

BEGIN_ARGUMENT = (
    "You say what you want in a few words. Why is it needed, and by whom? You could give your best reason here, and tell of one"
    " time that shows it."
)
BEGIN_TEXT = (
    "This is a beginning. What would somebody ask who knows nothing about it? You could answer that here, with an example."
)
BEGIN_STORY = "Your story has only begun. What happened next, and what could you see and hear? You could tell it here."
RETELLS = (
    "Most of these sentences are those of the text. What do you think yourself? You could begin with your own answer, and then"
    " say what two or three of these facts show."
)
COPIED = (
    "These are the words of the text. Put them in quotation marks and name the text, or say them in your own words: what do"
    " they show?"
)
RETELLING = "Here you tell what the text says. What do you think of it? You could say after this sentence what it shows."
NOT_THERE = "These words do not stand in your text. You could look them up there, and quote what it really says."
NO_CLAIM = "What do you think yourself? Your reader does not know it yet. You could say it here, with your strongest reason."
LIST = "You name several reasons in a few words. Which one is the strongest? You could explain that one, with an example."

_UNDECIDED = re.compile(
    r"\b(?:every(?:one|body|\s?(?:person|human))|each (?:person|one|of us)|people|you) (?:\w+ )?(?:can|must|should|has to"
    r"|have to|may|needs? to) (?:\w+ )?(?:decide|choose|judge)\b|\bit (?:all |really |just )?depends (?:on|of)\b"
    r"|\b(?:arguments?|points|reasons) (?:for and|on both)\b|\bboth (?:sides|are right|have (?:a point|advantages))\b"
    r"|\badvantages and (?:\w+ ){0,2}disadvantages\b|\bdisadvantages and (?:\w+ ){0,2}advantages\b"
    r"|\bpros and cons\b|\bgood and bad (?:sides|points|things)\b|\bi (?:am not sure|can(?:no|['’])?t decide|don['’]?t know)\b"
    r"|\bi[’']?m not sure\b|\b(?:is|are) (\w+)\b[^.!?]{0,20}\band (?:it['’]?s|it is|they are|is|are) not \1\b",
    re.IGNORECASE,
)
_ASKS_FOR_A_SIDE = re.compile(
    r"\bshould\b|\bdo you (?:agree|think)\b|\bagree or disagree\b|\bfor or against\b|\btake a (?:position|stand)\b"
    r"|\byour (?:opinion|position|view)\b|\bargue\b|(?:\A|[.?!,]\s)(?:is|are|do|does)\b[^.?!]*\?",
    re.IGNORECASE,
)
_TAKEN = re.compile(
    rf"{STANCE.pattern}|{SIDE.pattern}|\bi (?:would|['’]d) (?:not |rather |never )?\w+"
    r"|\bi(?:['’]m| am) (?:not )?(?:for|against|with)\b|\A(?:yes|no)\b|\b(?:must|need|let us|let['’]s"
    r"|please|agree|disagree|better|worse|convinces? me|not worth|worth it)\b",
    re.IGNORECASE,
)
_JUDGES = re.compile(
    r"\b(?:is|are|isn['’]t|aren['’]t) (?:\w+ ){0,2}(?:good|bad|harmful|dangerous|useful|useless|important|healthy|unhealthy"
    r"|cruel|right|wrong|fair|unfair)\b|\bmore (?:harm|good)\b|\bdamages?\b",
    re.IGNORECASE,
)
_SHOULD = re.compile(r"\bshould\b", re.IGNORECASE)
_SEVERAL = re.compile(
    r"\b(?:bec(?:ause|uase)|(?:is|are) that)\b[^.!?]*\band (?:also )?(?:they|it|you|i|we|he|she|the|there)\b"
    r"[^.!?]*\band (?:also )?(?:they|it|you|i|we|he|she|the|there)\b",
    re.IGNORECASE,
)
_FROM_A_SOURCE = re.compile(
    r"\b(?:source|text|article|passage) (?:\d|[A-E]\b|one|two|three)|\bthe (?:source|text|article|passage|author)\b",
    re.IGNORECASE,
)
_RETELLS = re.compile(
    r"\A\W*(?:(?:and|then|after that|next|first|later|also|in the (?:beginning|end)|at (?:first|the end)|finally|there),? )*"
    r"(?:(?:the|this) (?:author|writer|text|article|book|story|passage|narrator)|she|he|it) (?:also |then |even )?"
    r"(?:says?|said|writes?|wrote|tells?|told|explains?|explained|describes?|described|talks?|talked|mentions?|mentioned|asks?"
    r"|asked|gives?|gave|shows?|showed|claims?|claimed|states?|stated|argues?|argued)\b",
    re.IGNORECASE,
)
_THINKS = re.compile(
    r"\b(?:i|my|me|we|our|because|therefore|this (?:shows|means|proves)|which (?:shows|means))\b", re.IGNORECASE
)
_DOUBTS = re.compile(r"\Aif\b|\b(?:maybe|perhaps)\b", re.IGNORECASE)

MIN_STORY = 60  # words of a story that has room for what was seen and heard
THENS = 4  # times "then" in a story that only lists what happened
LONG_STORY, SELDOM = 150, 25  # words of a story in which its writer should be seen, and of those one of _SELF for so many
MAX_FLAT = 12  # words of a sentence that only stops
MAX_MORAL = 5  # sentences of an end that may say what to think of the story

FELT = "You tell what you felt. How could your reader see it? You could show what you did or said at that moment."
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
_SELF = re.compile(r"\b(?:i|me|my|myself)\b", re.IGNORECASE)
_FLAT = re.compile(
    r"\A\W*(?:and |so |then )*(?:(?:that|this|it) was (?:the|my|a|an) (?:\w+ ){0,2}(?:day|time|trip|story|night|party|summer)\b"
    r"|(?:then |so |after that )?(?:i|we|they) (?:all )?(?:went|came|drove|walked|got) (?:back )?(?:home|to bed|to sleep)\b"
    r"|i was (?:so |very |really )?(?:happy|sad|tired|glad)\b|the end\b)",
    re.IGNORECASE,
)
_MORAL = re.compile(
    r"\b(?:i|we) (?:have )?(?:learn(?:ed|t)|understood|realised|realized) (?:that|many things|a lot|how|to)\b"
    r"|\b(?:this|that|it) (?:day |story |trip |experience )?(?:taught|showed) me\b|\bthe moral\b"
    r"|\bfrom (?:now|that day) on,? (?:i|we) will\b",
    re.IGNORECASE,
)


def only_begun(whole: Whole) -> Iterator[Comment]:
    """A question in a text of a few words; nothing on a longer one, nor on a letter that may only tell or invite."""
    look = whole.look
    is_long = sum(len(words_of(text)) for text, _ in whole.sentences) >= BEGUN
    if is_long or not whole.sentences or (look.genre is Genre.LETTER and not look.argues and not look.style.task):
        return
    story = BEGIN_STORY if look.genre is Genre.NARRATIVE else BEGIN_TEXT
    yield comment_at(BEGIN_ARGUMENT if look.genre.argues else story, _fullest(whole), "reasons.begun")


def _fullest(whole: Whole) -> EssaySpan:
    """The sentence with the most words."""
    return max(whole.sentences, key=lambda one: len(words_of(one[0])))[1]


def on_whole(whole: Whole) -> Iterator[Comment]:
    """Questions about an essay that argues or explains, the weightiest first."""
    retold = list(_retold(whole))
    yield from retold or _copied(whole)
    yield from () if retold else _retelling(whole)
    yield from _not_there(whole)
    yield from _undecided(whole)
    if whole.look.argues:
        yield from _listed(whole)


def _retold(whole: Whole) -> Iterator[Comment]:
    """A question where most of an essay is copied from its sources."""
    look = whole.look
    task = look.style.task
    if task is None or sum(task.words_from_sources(look.text(at)) for at in range(len(look.roles))) < RETOLD * sum(
        look.lengths
    ):
        return
    drawn = ((at, text) for at, text in _all_sentences(look) if task.draws_on(text))
    for at, text in islice(drawn, 1):
        yield Comment(at, RETELLS, look.sentence(at, text), rule="task.retold")


def _retelling(whole: Whole) -> Iterator[Comment]:
    """A question in the first paragraph that only tells what a text says, without a thought of the writer's own."""
    for paragraph in range(len(whole.look.roles)):
        its = [(text, place) for text, place in whole.sentences if place.paragraph == paragraph]
        retelling = [place for text, place in its if _RETELLS.match(text)]
        is_own = any(_THINKS.search(text) for text, _ in its)
        if len(retelling) >= MIN_RETELLING and len(retelling) >= MOSTLY * len(its) and not is_own:
            yield comment_at(RETELLING, retelling[-1], "task.retold")
            return


def _all_sentences(look: RuleContext) -> Iterator[tuple[int, str]]:
    """Each sentence of the essay with its paragraph, those too that are copied from the task."""
    return ((at, text) for at, one in enumerate(look.subject.essay.paragraphs) for text in one.sentences)


def _copied(whole: Whole) -> Iterator[Comment]:
    """A comment on the first sentence that is a source's, word for word, and stands in no quotation marks."""
    look, task = whole.look, whole.look.style.task
    if task is None:
        return
    quoted = [each for one in look.subject.essay.paragraphs for each in quotations(one.text)]
    bare = (
        (at, text)
        for at, text in _all_sentences(look)
        if (words := len(words_of(text))) >= MIN_COPIED
        and task.words_from_sources(text) >= ENTIRE * words
        and not any(quotations(text))
        and not any(text.strip(" .") in each for each in quoted)
    )
    for at, text in islice(bare, 1):
        yield Comment(at, COPIED, look.sentence(at, text), rule="task.copied")


def _not_there(whole: Whole) -> Iterator[Comment]:
    """A comment on the first quotation that is said to be a source's of the task and has hardly a word of one."""
    task = whole.look.style.task
    if task is None or not task.sources:
        return
    invented = (
        place
        for text, place in whole.sentences
        if _FROM_A_SOURCE.search(text)
        and any(len(words_of(each)) >= MIN_QUOTED and not task.words_from_sources(each) for each in quotations(text))
    )
    yield from (comment_at(NOT_THERE, place, "task.not_there") for place in islice(invented, 1))


def _undecided(whole: Whole) -> Iterator[Comment]:
    """A question where an essay weighs something up for the last time, if it takes no side or gives up the one it took; and at
    the end of an essay that does not say what its task asks for."""
    weighed = [place for text, place in pausing(whole.sentences) if _UNDECIDED.search(text)]
    others = [(text, place) for text, place in pausing(whole.sentences) if place not in weighed]
    task, narrated = whole.look.style.task, whole.look.genre is Genre.NARRATIVE
    if not others or narrated:
        return
    on_a_side = bool(task and _ASKS_FOR_A_SIDE.search(task.text))
    taken = [place for text, place in others if _takes(text, task) and place not in whole.views]
    on_sources = whole.look.genre is Genre.SOURCE_BASED and not on_a_side
    if (
        weighed
        and not on_sources
        and not any(MINE.search(text) or SIDE.search(text) for text, _ in others)
        and not (on_a_side and taken)
    ):
        yield comment_at(NO_CLAIM, weighed[-1], "reasons.claim")
    elif on_a_side and not taken and sum(whole.look.lengths) >= BEGUN:
        yield comment_at(NO_CLAIM, whole.sentences[-1][1], "reasons.claim")


def _takes(text: str, task: WritingTask | None) -> bool:
    """Whether the sentence says what its writer thinks of what the task asks."""
    if text.endswith("?") or _DOUBTS.search(text):
        return False
    should = bool(task and _SHOULD.search(task.text))
    return bool(_TAKEN.search(text)) or (not should and bool(_JUDGES.search(text)))


def _listed(whole: Whole) -> Iterator[Comment]:
    """A question beside a sentence that lists several reasons, in an essay of one paragraph or two."""
    if len({place.paragraph for _, place in whole.sentences}) <= MAX_LISTING:
        listing = (place for text, place in pausing(whole.sentences) if _SEVERAL.search(text))
        yield from (comment_at(LIST, place, "reasons.list") for place in islice(listing, 1))


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
    """A question where a story only stops, and one where its writer is not seen."""
    last = [one for one in whole.sentences[-MAX_MORAL:] if one[1].paragraph == whole.sentences[-1][1].paragraph]
    moral = next((place for text, place in last if _MORAL.search(text)), None)
    if last and _FLAT.search(last[-1][0]) and len(words_of(last[-1][0])) <= MAX_FLAT:
        yield comment_at(AFTERWARDS, last[-1][1], "reasons.ending")
    elif moral:
        yield comment_at(MORAL, moral, "reasons.ending")
    words = sum(whole.look.lengths)
    own = sum(len(_SELF.findall(text)) for text, _ in whole.sentences)
    seen = [bool(_SELF.search(text)) for text, _ in whole.sentences]
    unseen = [place for at, (_, place) in enumerate(whole.sentences) if not any(seen[max(at - 1, 0) : at + 2])]
    if words >= LONG_STORY and 0 < own <= words / SELDOM and unseen:
        yield comment_at(WHERE_YOU_ARE, unseen[len(unseen) // 2], "reasons.self")
