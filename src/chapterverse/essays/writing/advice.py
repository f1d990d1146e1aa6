"""Comments made from the outline of an essay's argument: questions about what it lacks. What works in it: praise.py."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from chapterverse.citations.quotations import quotations
from chapterverse.core.turns import pausing
from chapterverse.essays.model import Comment
from chapterverse.essays.outline import EssaySpan, Outline, PieceKind, Reason
from chapterverse.essays.task import Genre
from chapterverse.essays.writing.genre import Role
from chapterverse.essays.writing.largest import further_in_story, on_story, on_whole, only_begun
from chapterverse.essays.writing.rules import RuleContext, words_of
from chapterverse.essays.writing.whole import OTHERS, PROPOSING, REPLY, Whole, comment_at, order, turn_in, view_in

MIN_WITH_EXAMPLE = 40  # words of an essay that has room for an example
FEW_PIECES = 1  # of evidence in an essay that is asked for another one
BARE = 40  # words of a reason with what follows it: if others have evidence, only so short a one is asked for some
LONG_REASON = 45  # words of a sentence: what is longer is no clear reason
DEEPER = frozenset(
    {
        "reasons.briefly",
        "reasons.thin",
        "reasons.grounds",
        "reasons.practice",
        "reasons.words",
        "reasons.always",
        "reasons.limits",
        "reasons.tested",
        "reasons.liked",
        "reasons.page",
    }
)
"""Rules that only ask an essay that lacks little."""

WANTED = 2  # questions on content: an essay with fewer is asked one that goes deeper
BRIEF = 18  # words that answer the other side: so few may convince nobody
THIN, MUCH_LONGER = 30, 1.6  # words of a short point, and how much longer the others are on average
MIN_LIMITS = 150  # words of an essay that can name where its claim does not hold
MAX_LIMITED = 20  # words of a claim that is clear enough to be asked for its limits
REPLIES = 6  # sentences after the other side, one of which may answer it
OFTEN_NAMED = 3  # times that an essay names the author whom it is about
MAX_SWEEPING = 30  # words of a clear sentence about all of them
MIN_OF_BOOK = 6  # words of a quotation whose place a reader may look for
MIN_POINTS = 2  # paragraphs of the middle, of which one may be thin

WHO_SAYS = "Who found this out? You could name them here, so that your reader can look it up."
HOW_KNOWN = "Is it really so? How do you know? You could say here what you have seen or read that shows it."
EFFECT = "What shows that this would happen? You could name a place or a time where it did."
SHOW = "Have you seen or read about something that shows this? You could add it as an example after this sentence."

ANSWER = "You name the other side here. What would you answer? You could add it after this sentence."
EXPLAIN_IT = "Your paragraph stops here. What does this show for your point? You could say it in a sentence of your own."
BRIEFLY = (
    "You answer the other side in a few words. Would that convince somebody who thinks so? You could add a reason"
    " or an example."
)
THIN_POINT = "This point is much shorter than the others. Why does it matter? You could explain it here, or tell of one case."
SWEEPING = (
    "Is this so for all of them, and every time? When is it not? You could say so here: then nobody can say that you forgot it."
)
OWN_WORDS = (
    "You tell this in words of your own. Which words of the author show it best? You could quote them here, with the page."
)
GROUNDS = "You give more than one reason here. Which of them have you shown least? You could add what shows it."
ENOUGH = "Is this answer enough? What could somebody still say against it? You could take that up in a sentence."
LIMITS = "For whom, or when, is this not so? You could name one such case, and say why you still think what you think."
WHERE = "Where in the book does this stand? You could add the chapter or the page, so that your reader can find it."
BEST_LIKED = "Which moment do you like best? You could tell it here, so that your reader sees why you like it."
PRACTICE = "What could go wrong with this? You could say what should happen then, so that your reader sees that it can work."
_EXPLAINS = re.compile(
    r"\b(?:explains?|so|thus|therefore|because|shows?|showing|proves?|proving|means?|meaning|which|if|should|would"
    r"|help|i think|but|in order)\b",
    re.IGNORECASE,
)
_LIVED = re.compile(r"\b(?:i|my|we|our)\b", re.IGNORECASE)
_BOOK = re.compile(r"\b(?:book|essay|novel|play|poem|autobiography|diary|narrative)\b", re.IGNORECASE)
_ADDED = re.compile(r"\W*(?:and |also\b|moreover\b|besides\b|in addition\b|furthermore\b)", re.IGNORECASE)
_YOURS = re.compile(r"\byou(?:rs?)?\b", re.IGNORECASE)
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
    r"|doctors|statistics|surveys?)\b(?! (?:by|of|from|at))|\b(?:it is|it['’]s|it has been) (?:scientifically )?prove[dn]\b"
    r"|\b(?:stud(?:y|ies)|surveys|research) (?:of|on|about) (?:\w+ ){1,3}(?:make|show|prove|suggest|find|say)s?\b"
    r"|, it is said,|\bit(?: is|['’]s) (?:often )?said that\b",
    re.IGNORECASE,
)
_NAMED = re.compile(r"\b(?:by|of|at) (?:the )?[A-Z]|\b[A-Z]\w+ (?:[A-Z]\w+|et al)|\b[A-Z]{2,}\b|[“\"]|\(|https?:")
_NEARLY_ALL = re.compile(
    r"(?:\A|, )(?:also,? |and |but )?(?:most|nearly all|almost all|the majority of) (?:of the |\w+ ){0,2}\w+s\b"
    r"(?! (?:\w+ )?(?:know|heard|think|say|agree|believe))"
    r"|\b(?:is|are|comes?|was|were) (?:from|because of|due to|caused by) [^.!?,]{3,40},? (?:and )?not"
    r" (?:from|because|due|by|of)\b"
    r"|\b(?:young|old|older|younger|rich|poor) people\b[^.!?]*\b(?:more|less|better|worse) th[ae]n\b"
    r"|\b(?:boys|girls|men|women|kids|teenagers|adults)\b[^.!?]*\b(?:more|less|better|worse) th[ae]n"
    r" (?:boys|girls|men|women|adults)\b",
    re.IGNORECASE,
)
_WITNESSED = re.compile(r"\b(?:my|our|i|for (?:example|instance)|according|stud(?:y|ies)|source|article)\b", re.IGNORECASE)
_MEASURED = r"(?:grades?|scores?|stress|bullying|crime|accidents|pollution|attendance|health)"
_CHANGES = r"(?:go(?:es)? (?:up|down)|rise|fall|drop|improve|increase|decrease|get (?:better|worse))"
_EFFECT = re.compile(
    rf"\b{_MEASURED} (?:will|would) (?:\w+ )?{_CHANGES}\b"
    rf"|\b(?:will|would) (?:\w+ )?(?:get|have|earn|improve|raise|reduce|lower)"
    rf" (?:better |higher |lower |worse |less |their |our ){_MEASURED}\b",
    re.IGNORECASE,
)
_ALL_OF_THEM = re.compile(
    r"(?<!almost )(?<!nearly )(?<!not )(?<!hardly )(?<!that )(?<!which )(?<!where )\b"
    r"(?:everybody|everyone|nobody|no one(?!['’])|always|never"
    r"|the only (?:way|reason)|all (?:the )?(?:people|students|kids|children|teenagers|teachers|parents|adults)"
    r"|every (?:person|student|kid|child))\b",
    re.IGNORECASE,
)
_NOT_OF_ALL = re.compile(  # a demand, something that happened, or something only supposed
    r"\b(?:i|my|we|our|us|me|needs?|should\w*|must|ought|let|if|when|would|could|was|were|had|did\w*|want\w*|can['’]?t|else|some|most"
    r"|many|again|at least|picture|imagine|say|but|however|you|\w{3,}ed|knew|said|went|came|told|took|made|got|saw|left|ate|ran"
    r"|\d+)\b|[“”\"?]",
    re.IGNORECASE,
)
_SAYS = re.compile(
    r"\b((?!He\b|She\b|It\b|They\b|We\b|You\b|This\b|That\b|Who\b|And\b|But\b|The\b)[A-Z][a-z]+) (?:also |then |never |\w+ly )?"
    r"(?:says|said|writes|wrote|argues|argued|claims|claimed|thinks|thought|believes|believed|assumes|assumed|explains|describes)"
    r" (?:that|how|why)\b"
)
_GROUNDS = re.compile(r"\bbecause (?!of\b)[^.!?]*\band\b", re.IGNORECASE)
_LIKED = re.compile(r"\bi (?:really |also )?(?:like|love|enjoy) (?:it|this|that)\b(?! when)", re.IGNORECASE)
_FOR_ALL = re.compile(
    r"\b(?:should\w*|must|ought to|needs? to|(?:is|are) (?:\w+ )?(?:better|fair|unfair|wrong|necessary|important)|too young"
    r"|i am (?:against|for|in favou?r))\b(?! been)",
    re.IGNORECASE,
)
_LIMITED = re.compile(
    r", but\b|\b(?:except|only|at least|unless|mostly|most|many|some|sometimes|often|if|when|he|she|his|her|the author|i know"
    r"|i agree|i understand|the (?:first|second|third)|i hope)\b",
    re.IGNORECASE,
)
_PROPOSES = re.compile(rf"(?!.*\byou could\b)(?:{PROPOSING.pattern})", re.IGNORECASE)


def on_argument(look: RuleContext, outline: Outline, others: Sequence[Comment]) -> Iterator[Comment]:
    """Questions about what an essay lacks: one that argues its claim, evidence for a reason, and the other side; a story what
    can be seen. others: the comments that there are; what one of them asks is not questioned again."""
    whole = Whole(look, outline)
    questioned = {(one.paragraph, one.about) for one in others}
    asked = [one for one in others if one.rule.startswith("reasons.")]
    for is_deeper, questions in ((False, _questions(whole, others)), (True, _deeper(whole))):
        for question in questions:
            place = (question.paragraph, question.about)
            if place not in questioned and not (is_deeper and len({one.rule for one in asked}) >= WANTED):
                questioned.add(place)
                asked.append(question)
                yield question
    if not asked and not others:
        yield from only_begun(whole)


def _questions(whole: Whole, others: Sequence[Comment]) -> Iterator[Comment]:
    look = whole.look
    if look.genre is Genre.NARRATIVE:
        yield from on_story(whole)
        return
    yield from on_whole(whole)
    yield from _unnamed(whole)
    yield from _supposed(whole)
    if look.argues:
        yield from _without_evidence(whole, others)
        yield from _unanswered(whole)
        yield from _unexplained(whole, others)


def _deeper(whole: Whole) -> Iterator[Comment]:
    """What a teacher asks of an essay that lacks little, the most telling first."""
    look = whole.look
    if look.genre is Genre.NARRATIVE:
        yield from further_in_story(whole)
        return
    if look.argues:
        yield from _brief_reply(whole)
        yield from _several_grounds(whole)
        yield from _thin(whole)
        yield from _proposed(whole)
        yield from _unquoted(whole)
        yield from _sweeping(whole)
        yield from _unlimited(whole)
        yield from _tested(whole)
    yield from _unplaced(whole)
    yield from (comment_at(BEST_LIKED, one, "reasons.liked") for text, one in whole.sentences[-2:] if _LIKED.search(text))


def _brief_reply(whole: Whole) -> Iterator[Comment]:
    """A question beside an answer to the other side of a few words."""
    for view in islice(whole.other_side, 1):
        text = whole.text(view)
        turn = turn_in(text)
        end = len(whole.look.text(view.paragraph))
        start = view.start + turn if turn else view.end
        answer = whole.look.text(view.paragraph)[start:]
        start += len(answer) - len(answer.lstrip())
        if 0 < len(words_of(answer)) <= BRIEF and (turn or _REPLIES.search(answer)) and "?" not in answer:
            yield comment_at(BRIEFLY, EssaySpan(view.paragraph, start, end), "reasons.briefly")


def _several_grounds(whole: Whole) -> Iterator[Comment]:
    """A question beside a claim that gives several grounds at once."""
    claim = whole.outline.claim
    if claim and _GROUNDS.search(whole.text(claim)) and len(words_of(whole.text(claim))) <= MAX_SWEEPING:
        yield comment_at(GROUNDS, claim, "reasons.grounds")


def _thin(whole: Whole) -> Iterator[Comment]:
    """A question beside the point that is much shorter than the others."""
    look = whole.look
    body = [at for at, role in enumerate(look.roles) if role is Role.BODY]
    body = [at for at in body if look.own(at)]
    if len(body) < MIN_POINTS or any(one.paragraph in body and look.lengths[one.paragraph] <= THIN for one in whole.views):
        return
    short = min(body, key=lambda at: look.lengths[at])
    others = [look.lengths[at] for at in body if at != short]
    if look.lengths[short] <= THIN and sum(others) / len(others) >= MUCH_LONGER * look.lengths[short]:
        text, first = next(one for one in whole.sentences if one[1].paragraph == short)
        if not OTHERS.search(text) and text[0].isupper():
            yield comment_at(THIN_POINT, first, "reasons.thin")


def _unquoted(whole: Whole) -> Iterator[Comment]:
    """A question beside the first sentence that says in other words what the author says whom an essay is about, in a
    paragraph without a quotation."""
    look, text = whole.look, " ".join(text for text, _ in whole.sentences)
    named = {each for each in _SAYS.findall(text) if len(re.findall(rf"\b{each}\b", text)) >= OFTEN_NAMED}
    if not named or look.genre is Genre.LETTER or sum(look.lengths) < MIN_LIMITS:
        return
    told = (
        one
        for text, one in whole.sentences
        if any(each in named for each in _SAYS.findall(text)) and one not in whole.views
        if look.roles[one.paragraph] is Role.BODY and not any(quotations(look.text(one.paragraph)))
    )
    yield from (comment_at(OWN_WORDS, one, "reasons.words") for one in islice(told, 1))


def _sweeping(whole: Whole) -> Iterator[Comment]:
    """A question beside the first sentence that speaks of all of them, or of every time."""
    found = (
        one
        for text, one in pausing(whole.sentences)
        if _ALL_OF_THEM.search(text) and not _NOT_OF_ALL.search(text) and one not in whole.views
        if len(words_of(text)) <= MAX_SWEEPING
    )
    yield from (comment_at(SWEEPING, one, "reasons.always") for one in islice(found, 1))


def _tested(whole: Whole) -> Iterator[Comment]:
    """A question beside the answer of a longer essay to the other side: whether it is enough."""
    for view in whole.other_side[:1] if sum(whole.look.lengths) >= MIN_LIMITS else ():
        following = ((text, one) for text, one in whole.sentences if order(one) > order(view))
        reply = next((one for text, one in islice(following, REPLIES) if REPLY.match(text)), None)
        if reply:
            yield comment_at(ENOUGH, reply, "reasons.tested")


def _unplaced(whole: Whole) -> Iterator[Comment]:
    """A question beside the first quotation of a book without its place."""
    of_book = (
        one
        for text, one in whole.sentences
        if any(len(words_of(each)) >= MIN_OF_BOOK for each in quotations(text))
        if _BOOK.search(text) and not re.search(r"\d|\bchapter\b", text)
    )
    yield from (comment_at(WHERE, one, "reasons.page") for one in islice(of_book, 1))


def _unlimited(whole: Whole) -> Iterator[Comment]:
    """A question beside the claim of an essay that names the other side: when it does not hold."""
    claim = whole.outline.claim
    text = whole.text(claim) if claim else ""
    is_short = len(words_of(text)) <= MAX_LIMITED
    if claim and is_short and sum(whole.look.lengths) >= MIN_LIMITS and _FOR_ALL.search(text) and not _LIMITED.search(text):
        yield comment_at(LIMITS, claim, "reasons.limits")


def _proposed(whole: Whole) -> Iterator[Comment]:
    """A question beside what an essay proposes."""
    yield from (comment_at(PRACTICE, one, "reasons.practice") for text, one in whole.sentences if _PROPOSES.search(text))


def _unnamed(whole: Whole) -> Iterator[Comment]:
    """A question beside the first sentence that leans on research or experts without a name."""
    if whole.look.genre is Genre.SOURCE_BASED:
        return
    vague = (
        one for text, one in pausing(whole.sentences) if _VAGUE.search(text) and not _NAMED.search(f"{text} {whole.after(one)}")
    )
    yield from (comment_at(WHO_SAYS, one, "reasons.who") for one in islice(vague, 1) if one not in whole.views)


def _supposed(whole: Whole) -> Iterator[Comment]:
    """A question beside the first sentence that speaks of most of them, and the first that tells what would come of it, where
    nothing near shows it."""
    for pattern, question, rule in ((_NEARLY_ALL, HOW_KNOWN, "reasons.known"), (_EFFECT, EFFECT, "reasons.effect")):
        found = (one for text, one in pausing(whole.sentences) if pattern.search(text) and one not in whole.views)
        found = (one for one in found if not _LIVED.search(whole.text(one)) and len(words_of(whole.text(one))) <= MAX_SWEEPING)
        unshown = (one for one in found if not (_BACKED.search(whole.text(one)) or _WITNESSED.search(whole.after(one))))
        yield from (comment_at(question, one, rule) for one in islice(unshown, 1))


def _unanswered(whole: Whole) -> Iterator[Comment]:
    """A question beside the other side, if nothing after it in its paragraph, nor the next sentence, sounds like an answer."""
    counter = whole.outline.counter
    if counter is None or not view_in(whole.text(counter)):
        return
    rest = whole.look.text(counter.paragraph)[counter.start :]
    last = EssaySpan(counter.paragraph, counter.start + len(rest) - 1, counter.start + len(rest))
    if not _REPLIES.search(f"{rest} {whole.after(last)}"):
        yield comment_at(ANSWER, counter, "reasons.answer")


def _unexplained(whole: Whole, others: Sequence[Comment]) -> Iterator[Comment]:
    """A question where the first paragraph of the middle ends with a source or a figure that nothing explains."""
    questioned = {(one.paragraph, one.about) for one in others}
    last = {place.paragraph: place for _, place in pausing(whole.sentences) if whole.look.roles[place.paragraph] is Role.BODY}
    for piece in whole.outline.pieces:
        place = piece.place
        is_whole = whole.text(place)[-1] in ".!”\"’')"
        ends = is_whole and last.get(place.paragraph) == place and len(whole.look.own(place.paragraph)) > 1
        yours = piece.kind is PieceKind.STATISTIC and _YOURS.search(whole.text(place))
        cited = piece.kind in {PieceKind.SOURCE, PieceKind.STATISTIC} and not yours
        is_given = any(quotations(whole.text(place))) or any(each.isdigit() for each in whole.text(place))
        if (
            ends
            and is_given
            and cited
            and (place.paragraph, (place.start, place.end)) not in questioned
            and not _EXPLAINS.search(whole.text(place))
        ):
            yield comment_at(EXPLAIN_IT, place, "reasons.explain")
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
    bare.sort(key=lambda one: (not _opens(whole, one), len(words_of(whole.block(one)))))
    places = [one.place for one in bare]
    if not bare and not outline.reasons and outline.claim and not questioned:
        backed = any(_BACKED.search(text) for text, _ in whole.sentences)
        places = [outline.claim] if not backed and not _DEMANDS.search(whole.text(outline.claim)) else []
    if places and sum(look.lengths) >= MIN_WITH_EXAMPLE:
        yield comment_at(SHOW, places[0], "reasons.example")


def _opens(whole: Whole, reason: Reason) -> bool:
    """Whether the reason is the point of its paragraph, and not one that is added to it."""
    first = next((one for _, one in whole.sentences if one.paragraph == reason.place.paragraph), None)
    return first == reason.place or not _ADDED.match(whole.text(reason.place))


def _is_own(text: str) -> bool:
    """Whether it is the student's own thought, one that an example can show, and short enough to be a clear one."""
    own = (
        bool(_VERB.search(text))
        and not REPLY.match(text)
        and not _OF_OTHERS.search(text)
        and len(words_of(text)) <= LONG_REASON
    )
    return own and not _DEMANDS.search(text)
