"""What kind of text an essay is, and what each of its paragraphs is for."""

import re
from enum import StrEnum

from chapterverse.essays.model import Essay
from chapterverse.essays.task import Genre


class Role(StrEnum):
    """What a paragraph is for."""

    SALUTATION = "salutation"
    OPENING = "opening"
    BODY = "body"
    ENDING = "ending"
    CLOSING = "closing"


FORMAL = 12  # words of a salutation or a closing
NARRATED = 0.03  # of the words of a narrative are "I", "we" or "my" beside verbs of the past
ENDS = 3  # paragraphs at the end that may be closing, signature and name
_SALUTATION = re.compile(r"(?:dear|hello|hi|to whom it may concern|(?:state |honou?rable )?senator|esteemed)\b", re.IGNORECASE)
_LETTER = re.compile(r"(?:(?:an?|my|the|open) )*letter to\b", re.IGNORECASE)
_CLOSING = re.compile(
    r"(?:yours?|sincerely|(?:best|kind|warm|with) (?:regards|wishes)|regards|respectfully|thank(?:s| you)|from|love"
    r"|cordially|signed|"
    r"your (?:citizen|constituent|student|friend))\b",
    re.IGNORECASE,
)
_ENDED = re.compile(r"[.!?][”\"’')\]]*$")
_PAST = re.compile(
    r"\b(?:i|we|he|she|they|it|my \w+) (?:was|were|had|did|went|came|said|saw|got|felt|took|told|ran|\w{3,}ed)\b", re.IGNORECASE
)
_SOURCE_NAMED = re.compile(
    r"\b(?:(?:the|this|that|in|an) (?:article|passage|text|author|source)s?|according to|source \d|paragraph \d"
    r"|(?:states|said|says) (?:that|in))\b"
    r"|[“\"][^”\"]{30,3000}[”\"]",
    re.IGNORECASE,
)
_NO_SOURCE = re.compile(r"\b(?:in this (?:text|article),? (?:i|we)|(?:my|our) \w+ (?:says|said) that)\b", re.IGNORECASE)

STANCE = re.compile(
    r"\b(i (?:really |strongly |firmly |do |also |still )?(?:think|believe|beleive|agree|disagree|argue|feel|suggest"
    r"|urge)|in my (?:opinion|view)"
    r"|i am (?:convinced|against|for|in favou?r)|should|shouldn['’]?t|must|ought to|needs? to|have to|has to)\b",
    re.IGNORECASE,
)

SIDE = re.compile(  # a stance that needs no other
    r"\b(?:i (?:really |strongly |firmly |do |also |still |personally )?(?:think|believe|beleive|agree|disagree|argue|urge)"
    r"|i (?:want to|will|shall|am going to) (?:argue|show|convince|prove)"
    r"|in my (?:opinion|view|eyes)|i am (?:convinced|against|in favou?r)"
    r"|(?<!how )(?<!what )(?<!why )(?<!who )(?<!when )should(?:n['’]?t)?|ought to|needs? to (?:be|stop|change|end)"
    r"|it is (?:high )?time|must be (?:banned|allowed|changed|stopped)|(?:is|are|was|would be|seems?) (?:\w+ )?(?:justified"
    r"|wrong|unfair|fair|unjust|a (?:good|bad|great|terrible|horrible) (?:idea|thing)|a waste|better|worse|the best|the worst"
    r"|useless|necessary))\b",
    re.IGNORECASE,
)
_OPINION = re.compile(
    r"\bin my (?:opinion|view)\b|\bi (?:strongly |fully |really )?(?:agree|disagree)\b|\bi am (?:against|convinced)\b",
    re.IGNORECASE,
)
_OWN_STANCE = re.compile(rf"{_OPINION.pattern}|\bi (?:\w+ )?(?:think|believe|feel)\b", re.IGNORECASE)
_EXPLAINS = re.compile(
    r"how (?:to|do|does|did|an?|the|it|\w+s) |what (?:is|are) |the (?:history|life|story) of ", re.IGNORECASE
)
SOURCES_NAMED = 2  # sentences of an essay on sources that name one, or quote
SIDES = 2  # other words of a stance, and as many more for each LONG_TEXT words, that make a text one that argues
LONG_TEXT = 150


def genre_of(essay: Essay) -> Genre:
    """The genre that the text tells."""
    text = "\n".join(each.own_text for each in essay.paragraphs)
    sentences = [each for paragraph in essay.paragraphs for each in paragraph.own]
    title = essay.title or ""
    greets = any(_SALUTATION.match(each) for each in (title, essay.paragraphs[0].text))
    if greets or _LETTER.match(title) or Role.CLOSING in roles_of(essay):
        return Genre.LETTER
    if sum(bool(_SOURCE_NAMED.search(_NO_SOURCE.sub("", each))) for each in sentences) >= SOURCES_NAMED:
        return Genre.SOURCE_BASED
    stances, words = len(STANCE.findall(text)), len(text.split())
    if not _OPINION.search(text) and len(_PAST.findall(text)) > max(stances, NARRATED * words):
        return Genre.NARRATIVE
    if _EXPLAINS.match(title) and (stances <= SIDES or not _OWN_STANCE.search(text)):
        return Genre.EXPOSITORY
    takes_a_side = bool(SIDE.search(text)) or stances >= SIDES * (1 + words / LONG_TEXT)
    return Genre.ARGUMENTATIVE if takes_a_side else Genre.EXPOSITORY


def roles_of(essay: Essay) -> tuple[Role, ...]:
    """What each paragraph is for; an essay of one paragraph is all body."""
    roles = [Role.BODY] * len(essay.paragraphs)
    for at, paragraph in enumerate(essay.paragraphs):
        words = len(paragraph.text.split())
        if at == 0 and words <= FORMAL and _SALUTATION.match(paragraph.text):
            roles[at] = Role.SALUTATION
        elif (
            at >= max(len(roles) - ENDS, 1)
            and words <= FORMAL
            and (_CLOSING.match(paragraph.text) or not _ENDED.search(paragraph.text))
        ):
            roles[at] = Role.CLOSING if _CLOSING.match(paragraph.text) or roles[at - 1] is Role.CLOSING else Role.BODY
    body = [at for at, role in enumerate(roles) if role is Role.BODY]
    if len(body) > 1:
        roles[body[0]] = Role.OPENING
        roles[body[-1]] = Role.ENDING
    return tuple(roles)
