"""Comments made from the outline of an essay's argument: questions about what it lacks. What works in it: praise.py."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from chapterverse.core.turns import pausing
from chapterverse.essays.model import Comment
from chapterverse.essays.outline import Outline, PieceKind, Span
from chapterverse.essays.task import Genre
from chapterverse.essays.writing.genre import SIDE, Role
from chapterverse.essays.writing.rules import RuleContext, words_of
from chapterverse.essays.writing.whole import MINE, OTHERS, Whole, order, view_in

MIN_ARGUMENT = 120  # words of an essay that has room for the other side
MIN_WITH_EXAMPLE = 40  # words of an essay that has room for an example
FEW_PIECES = 1  # of evidence in an essay that is asked for another one
BARE = 40  # words of a reason with what follows it: if others have evidence, only so short a one is asked for some
LONG_REASON = 45  # words of a sentence: what is longer is no clear reason
MIN_STORY = 60  # words of a story that has room for what was seen and heard
MAX_LISTING = 2  # paragraphs of an essay whose list of reasons no paragraph develops
THENS = 4  # times "then" in a story that only lists what happened

NO_CLAIM = "What do you think yourself? Your reader does not know it yet. You could say it here, with your strongest reason."
WHO_SAYS = "Who found this out? You could name them here, so that your reader can look it up."
HOW_KNOWN = "Is it really so? How do you know? You could say here what you have seen or read that shows it."
EFFECT = "What shows that this would happen? You could name a place or a time where it did."
LIST = "You name several reasons in a few words. Which one is the strongest? You could explain that one, with an example."
OTHER_SIDE = (
    "What would somebody say who does not agree with you here? You could name it in a sentence of its own, and then answer it."
)
SHOW = "Have you seen or read about something that shows this? You could add it as an example after this sentence."

WIDER = "Here you tell what happened to you. Is it so for others, too? You could add a number, or what somebody else has found."
ANSWER = "You name the other side here. What would you answer? You could add it after this sentence."
EXPLAIN_IT = "Your paragraph stops here. What does this show for your point? You could say it in a sentence of your own."
FELT = "You tell what you felt. How could your reader see it? You could show what you did or said at that moment."
STAY = "This is an important moment. What went through your mind? You could stay here for a sentence or two."
MOMENT = (
    "You tell one thing after another. Which moment is the best one? You could stay there, and tell what you saw and heard."
)
SENSES = "What could you see, hear or smell here? You could add it, so that your reader is there with you."
_EXPLAINS = re.compile(
    r"\b(?:so|thus|therefore|because|shows?|showing|proves?|proving|means?|meaning|which|if|should|would)\b", re.IGNORECASE
)
_FEELING = re.compile(
    r"\bi (?:was|felt) (?:so |very |really |super )?(?:scared|happy|sad|nervous|excited|afraid|angry|terrible|proud|ashamed"
    r"|embarrassed|surprised|shocked|worried|lonely|mad|terrified)\b",
    re.IGNORECASE,
)
_NUMBER_WORDS = r"two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundreds?|thousands?"
_TELL = (
    r"(?:says?|said|shows?|showed|shown|proves?|proved|proven|found|finds?|tells?|states?|claims?|thinks?|agrees?|believes?)"
)
_BACKED = re.compile(
    rf"(?i:\b(?:{_NUMBER_WORDS}|doctors?|experts?|scientists?|science|for (?:example|instance)|e\.g|such as|like when"
    r"|(?-i:I) (?!think|believe|feel|agree)|one (?:time|day)|once|last \w+|when (?:i|my|we)|yesterday|ago"
    r"|according|article|passage|author|source|stud(?:y|ies)|research|survey|states|statistics?|data|percent"
    r"|(?:my|our) (?:\w+ ){0,2}(?:cousin|friend|sister|brother|mother|mom|mum|father|dad|aunt|uncle|teacher|school|town|class"
    r"|family|grand\w+|parents|neighbou?rs?|house|team))\b)|\d|[“”\"]|(?<=[a-z,] )(?!I\b)[A-Z]\w+",
)
_VERB = re.compile(
    r"\b(?:is|are|was|were|has|have|had|can|could|will|would|do|does|did|may|might|should|must|makes?|causes?|gives?|takes?|gets?"
    r"|helps?|needs?|keeps?|leads?|means?)\b|n['’]t\b",
    re.IGNORECASE,
)
_DEMANDS = re.compile(
    r"\b(?:should(?:n['’]?t)?|ought to)\b|\bas (?:i |already )?(?:stated|mentioned|said)\b|\bexamples? of\b", re.IGNORECASE
)
_OF_OTHERS = re.compile(
    r"\b(?:they|people|some|others|who|drivers|you) (?:\w+ )?(?:think|say|believe|argue|feel)\b", re.IGNORECASE
)
_ANSWERS = re.compile(r"\b(?:but|however|still|yet|nevertheless|even so|although|though)\b", re.IGNORECASE)
_REPLIES = re.compile(
    rf"{_ANSWERS.pattern}|\b(?:not|never|wrong|false|instead|in fact|actually|better|only|while|yes|no|i disagree)\b|n['’]t\b",
    re.IGNORECASE,
)
_VAGUE = re.compile(
    rf"\b(?:(?:(?:the|some|many|most|even) )?(?:doctors|scientists|experts|researchers|psychologists)|studies|surveys"
    rf"|statistics|research(?:es)?|science|(?:a|one|some|another|recent|new) (?:\w+ )?(?:study|survey|poll))\b"
    rf"(?: (?:from|in|of) \w+){{0,2}} (?:has |have |also |even |all |now |already ){{0,2}}{_TELL}\b"
    r"|\baccording to (?:the |some |many |a |one |recent |new |several )*(?:research(?:es)?|studies|study|scientists|experts"
    r"|doctors|statistics|surveys?)\b(?! (?:by|of|from|at))|\b(?:it is|it['’]s|it has been) (?:scientifically )?prove[dn]\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?:by|of|at) (?:the )?[A-Z]|\b[A-Z]\w+ (?:[A-Z]\w+|et al)|\b[A-Z]{2,}\b|[“\"]|\(|https?:")
_TAKES = re.compile(
    rf"{SIDE.pattern}|\b(?:dis)?advantages? of\b|\bbenefits?\b|\b(?:is|are) (?:\w+ )?(?:good|bad|important|harmful)\b",
    re.IGNORECASE,
)
_UNDECIDED = re.compile(
    r"\b(?:every(?:one|body|\s?(?:person|human))|each (?:person|one|of us)|people|you) (?:\w+ )?(?:can|must|should|has to"
    r"|have to|may|needs? to) (?:\w+ )?(?:decide|choose|judge)\b|\bit (?:all |really |just )?depends (?:on|of)\b"
    r"|\b(?:arguments?|points|reasons) (?:for and|on both)\b|\bboth (?:sides|are right|have (?:a point|advantages))\b"
    r"|\badvantages and (?:\w+ )?disadvantages\b"
    r"|\bpros and cons\b|\bgood and bad (?:sides|points|things)\b|\bi (?:am not sure|can(?:no|['’])?t decide|don['’]?t know)\b",
    re.IGNORECASE,
)
_NEARLY_ALL = re.compile(
    r"\A(?:also,? |and |but )?(?:most|nearly all|almost all|the majority of) (?:of the |\w+ ){0,2}\w+s\b"
    r"(?! (?:\w+ )?(?:know|heard|think|say|agree|believe))"
    r"|\b(?:young|old|older|younger|rich|poor) people\b[^.!?]*\b(?:more|less|better|worse) th[ae]n\b"
    r"|\b(?:boys|girls|men|women|kids|teenagers|adults)\b[^.!?]*\b(?:more|less|better|worse) th[ae]n"
    r" (?:boys|girls|men|women|adults)\b",
    re.IGNORECASE,
)
_WITNESSED = re.compile(r"\b(?:my|our|i|for (?:example|instance)|according|stud(?:y|ies)|source|article)\b", re.IGNORECASE)
_LIVED = re.compile(r"\b(?:i|my|we|our)\b", re.IGNORECASE)
_ELSEWHERE = re.compile(
    r"%|[“\"]|\b(?:percent|according|stud(?:y|ies)|survey|research|article|report|since \d{4}|in \d{4})\b", re.IGNORECASE
)
_MEASURED = r"(?:grades?|scores?|stress|bullying|crime|accidents|pollution|attendance|health)"
_CHANGES = r"(?:go(?:es)? (?:up|down)|rise|fall|drop|improve|increase|decrease|get (?:better|worse))"
_EFFECT = re.compile(
    rf"\b{_MEASURED} (?:will|would) (?:\w+ )?{_CHANGES}\b"
    rf"|\b(?:will|would) (?:\w+ )?(?:get|have|earn|improve|raise|reduce|lower)"
    rf" (?:better |higher |lower |worse |less |their |our ){_MEASURED}\b",
    re.IGNORECASE,
)
_SEVERAL = re.compile(
    r"\b(?:bec(?:ause|uase)|(?:is|are) that)\b[^.!?]*\band (?:also )?(?:they|it|you|i|we|he|she|the|there)\b"
    r"[^.!?]*\band (?:also )?(?:they|it|you|i|we|he|she|the|there)\b",
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
    r"|did(?:n['’]?t| not) know))\b",
    re.IGNORECASE,
)


def _comment(text: str, place: Span, rule: str) -> Comment:
    return Comment(place.paragraph, text, (place.start, place.end), rule=rule)


def on_argument(look: RuleContext, outline: Outline, others: Sequence[Comment]) -> Iterator[Comment]:
    """Questions about what an essay lacks: one that argues its claim, evidence for a reason, and the other side; a story what
    can be seen. others: the comments that there are; what one of them asks is not questioned again."""
    whole = Whole(look, outline)
    questioned = {(one.paragraph, one.about) for one in others}
    for question in _questions(whole, others):
        if (place := (question.paragraph, question.about)) not in questioned:
            questioned.add(place)
            yield question


def _questions(whole: Whole, others: Sequence[Comment]) -> Iterator[Comment]:
    look = whole.look
    if look.genre is Genre.NARRATIVE:
        yield from _on_story(whole)
        return
    yield from _undecided(whole)
    yield from _unnamed(whole)
    if look.argues:
        yield from _without_evidence(whole, others)
        yield from _supposed(whole)
        yield from _listed(whole)
        yield from _one_sided(whole)
        yield from _unanswered(whole)
        yield from _unexplained(whole, others)
        yield from _of_one(whole)


def _on_story(whole: Whole) -> Iterator[Comment]:
    """A question where a story names a feeling; else where it only lists what happened; else where nothing is seen or heard."""
    told = [place for text, place in pausing(whole.sentences) if _FEELING.search(text)]
    yield from (_comment(FELT, place, "reasons.feeling") for place in told[:1])
    then = [place for text, place in pausing(whole.sentences) for _ in re.finditer(r"\bthen\b", text, re.IGNORECASE)]
    if len(then) >= THENS:
        yield _comment(MOMENT, then[len(then) // 2], "reasons.moment")
    elif not told and sum(whole.look.lengths) >= MIN_STORY:
        tense = [place for text, place in whole.sentences[1:-1] if _TENSE.search(text)]
        if not any(_SENSED.search(text) for text, _ in whole.sentences):
            yield _comment(SENSES, whole.sentences[len(whole.sentences) // 2][1], "reasons.senses")
        elif tense:
            yield _comment(STAY, tense[0], "reasons.moment")


def _undecided(whole: Whole) -> Iterator[Comment]:
    """A question where an essay weighs something up for the last time, if it takes no side."""
    text = " ".join(text for text, _ in whole.sentences)
    if not whole.sentences or MINE.search(text) or SIDE.search(_UNDECIDED.sub("", text)):
        return
    weighed = [place for text, place in pausing(whole.sentences) if _UNDECIDED.search(text)]
    if weighed:
        yield _comment(NO_CLAIM, weighed[-1], "reasons.claim")


def _unnamed(whole: Whole) -> Iterator[Comment]:
    """A question beside the first sentence that leans on research or experts without a name."""
    if whole.look.genre is Genre.SOURCE_BASED:
        return
    vague = (
        one for text, one in pausing(whole.sentences) if _VAGUE.search(text) and not _NAMED.search(f"{text} {whole.after(one)}")
    )
    yield from (_comment(WHO_SAYS, one, "reasons.who") for one in islice(vague, 1) if one not in whole.views)


def _of_one(whole: Whole) -> Iterator[Comment]:
    """A question beside the first example if all the evidence of an essay is what its writer has lived through."""
    pieces, text = whole.outline.pieces, " ".join(text for text, _ in whole.sentences)
    own = [one for one in pieces if one.kind is PieceKind.EXAMPLE and _LIVED.search(whole.text(one.place))]
    if own and len(own) == len(pieces) and sum(whole.look.lengths) >= MIN_ARGUMENT and not _ELSEWHERE.search(text):
        yield _comment(WIDER, min((one.place for one in own), key=order), "reasons.wider")


def _supposed(whole: Whole) -> Iterator[Comment]:
    """A question beside the first sentence that speaks of most of them, and the first that tells what would come of it, where
    nothing near shows it."""
    for pattern, question, rule in ((_NEARLY_ALL, HOW_KNOWN, "reasons.known"), (_EFFECT, EFFECT, "reasons.effect")):
        found = (one for text, one in pausing(whole.sentences) if pattern.search(text) and one not in whole.views)
        unshown = (one for one in found if not (_BACKED.search(whole.text(one)) or _WITNESSED.search(whole.after(one))))
        yield from (_comment(question, one, rule) for one in islice(unshown, 1))


def _listed(whole: Whole) -> Iterator[Comment]:
    """A question beside a sentence that lists several reasons, in an essay of one paragraph or two."""
    if len({place.paragraph for _, place in whole.sentences}) <= MAX_LISTING:
        listing = (place for text, place in pausing(whole.sentences) if _SEVERAL.search(text))
        yield from (_comment(LIST, place, "reasons.list") for place in islice(listing, 1))


def _unanswered(whole: Whole) -> Iterator[Comment]:
    """A question beside the other side, if nothing after it in its paragraph, nor the next sentence, sounds like an answer."""
    counter = whole.outline.counter
    if counter is None or not view_in(whole.text(counter)):
        return
    rest = whole.look.text(counter.paragraph)[counter.start :]
    last = Span(counter.paragraph, counter.start + len(rest) - 1, counter.start + len(rest))
    if not _REPLIES.search(f"{rest} {whole.after(last)}"):
        yield _comment(ANSWER, counter, "reasons.answer")


def _unexplained(whole: Whole, others: Sequence[Comment]) -> Iterator[Comment]:
    """A question where the first paragraph of the middle ends with a source or a figure that nothing explains."""
    questioned = {(one.paragraph, one.about) for one in others}
    last = {place.paragraph: place for _, place in pausing(whole.sentences) if whole.look.roles[place.paragraph] is Role.BODY}
    for piece in whole.outline.pieces:
        place = piece.place
        is_whole = whole.text(place)[-1] in ".!”\"’')"
        ends = is_whole and last.get(place.paragraph) == place and len(whole.look.own(place.paragraph)) > 1
        cited = piece.kind in {PieceKind.SOURCE, PieceKind.STATISTIC}
        if (
            ends
            and cited
            and (place.paragraph, (place.start, place.end)) not in questioned
            and not _EXPLAINS.search(whole.text(place))
        ):
            yield _comment(EXPLAIN_IT, place, "reasons.explain")
            return


def _without_evidence(whole: Whole, others: Sequence[Comment]) -> Iterator[Comment]:
    """A question beside the barest reason with nothing behind it; beside the claim, if nothing in the essay backs it."""
    look, outline = whole.look, whole.outline
    questioned = {one.paragraph for one in others if one.rule == "reasons.why"}
    with_view = {place.paragraph for place in whole.views}
    bare = [
        one
        for one in outline.reasons
        if not one.pieces and one.place.paragraph not in questioned | with_view and _is_own(whole.text(one.place))
        if not _BACKED.search(whole.block(one))
        if len(outline.pieces) <= FEW_PIECES or len(words_of(whole.block(one))) <= BARE
    ]
    places = [one.place for one in sorted(bare, key=lambda one: len(words_of(whole.block(one))))]
    if not bare and not outline.reasons and outline.claim and not questioned:
        backed = any(_BACKED.search(text) for text, _ in whole.sentences)
        places = [outline.claim] if not backed and not _DEMANDS.search(whole.text(outline.claim)) else []
    if places and sum(look.lengths) >= MIN_WITH_EXAMPLE:
        yield _comment(SHOW, places[0], "reasons.example")


def _is_own(text: str) -> bool:
    """Whether it is the student's own thought, one that an example can show, and short enough to be a clear one."""
    own = bool(_VERB.search(text)) and not _OF_OTHERS.search(text) and len(words_of(text)) <= LONG_REASON
    return own and not _DEMANDS.search(text)


def _one_sided(whole: Whole) -> Iterator[Comment]:
    """A question beside the claim, if the essay does not name the other side."""
    look, claim = whole.look, whole.outline.claim
    if claim is None or whole.outline.counter or sum(look.lengths) < MIN_ARGUMENT or not _TAKES.search(whole.text(claim)):
        return
    if not any(OTHERS.search(text) for text, _ in whole.sentences):
        yield _comment(OTHER_SIDE, claim, "reasons.other_side")
