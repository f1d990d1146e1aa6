"""What words of a question and of a school's text have to do with each other, and what its answer looks like. English only.

People ask "Who teaches the course?", and the text says "Instructor: Dr. Okafor"."""

import re
from collections.abc import Collection, Mapping
from functools import cache

from chapterverse.core.words import DAYS, MONTHS, NOT_TERMS, stem
from chapterverse.questions.answer_types import NUMBER_WORDS

# Words of a line stand for the same matter at a school; a word may be in several lines.
_GROUPS = """
teach teacher instructor professor lecturer lead leader tutor taught convener
assistant ta tas aide grader
student pupil learner participant member
course class module seminar unit lecture lesson session section meeting meet
when date time day deadline due schedule calendar
late overdue tardy delay deadline extension
sick ill illness medical doctor health
absent absence miss attend attendance skip away
grade mark score points grading assessment evaluation credit
worth count weight percent percentage share part
exam examination test midterm final quiz
homework assignment exercise problem task set paper
hand submit submission turn upload due return deliver
contact email e mail write reach address
phone telephone call number ring mobile cell cellphone smartphone
office hours drop walk consultation appointment
where room building location place hall campus
cost price fee pay charge money expensive cheap
refund reimburse money back
textbook book reading text material materials required
need require required must obligatory mandatory prerequisite
allowed may can permit permitted prohibited forbidden banned
cheat cheating plagiarism copy copying honesty integrity dishonesty misconduct
chatgpt ai gpt copilot llm artificial intelligence generated model machine
wifi wireless internet network online
laptop computer device tablet
disability accommodation accommodations accessible access extra special
sign register registration enrol enroll signup join
drop withdraw withdrawal cancel leave quit
long length duration pages words minutes
team group partner pair together collaborate
website site page canvas moodle blackboard portal web
penalty punishment consequence lose deduct deduction penalized sanction fine
makeup make replace repeat redo retake again
change switch swap move
buy purchase sell sold
borrow lend lent rent hire loan
open opening hours close closed
start begin beginning first
end finish last
topic subject theme cover covered learn
holiday break vacation recess
aim goal objective outcome purpose
help support tutoring advice
food eat drink snack
child kid children family
wife husband partner spouse
lost lose missing
broken damaged repair fix mend
january jan
february feb
march mar
april apr
june jun
july jul
august aug
september sept sep
october oct
november nov
december dec
monday mon
tuesday tues tue
wednesday wed weds
thursday thurs thur thu
friday fri
saturday sat
sunday sun
"""

_CLOCK = r"\b\d{1,2}[:.]\d\d\b|\b\d{1,2}\s?(?:[ap]\.?m\b|o'clock)|\b(?:noon|midnight)\b|\b\d{1,2}\s?[–-]\s?\d{1,2}\b"
_DAY = rf"\b{DAYS}\b|\bM\s?W\s?F\b|\bMW\b|\bT(?:u|ue)?Th\b|\bTR\b"
_DATE = rf"\b(?:{MONTHS})\b\.?\s?\d|\d{{1,2}}\.? (?:of )?(?:{MONTHS})|\b\d{{1,2}}/\d{{1,2}}\b"
_NUMBER = rf"\d|\b(?:{NUMBER_WORDS}|third|quarter|fifth)\b"
_MONEY = r"[$€£¥]\s?\d|\d\s?(?:[$€£¢]|dollars?|euros?|pounds?|pence|cents|francs?|p\b)|\bfree\b|no (?:fee|charge|cost)"
_LASTS = rf"(?:{_NUMBER}).{{0,14}}(?:minutes?|hours?|days?|weeks?|months?|years?|terms?|semesters?|min\b|hrs?\b)"
_SHARE = r"\d\s?(?:%|per ?cent|points?|pts)|\b(?:half|third|quarter|fifth|tenth) of\b|\|\s*\d+\b"
_NAME = r"(?-i:\b(?:Mr|Mrs|Ms|Dr|Prof(?:essor)?|Señora?)\b\.?|\b[A-Z][\w’'-]+ (?:[A-Z]\.? ?)?[A-Z][a-z]+)"

_LOOKS = (  # pattern of a question, and of its answer; the first that matches counts
    (r"e-?mail", "@"),
    (r"how (?:much|many) .*(?:worth|count|weight|grade|toward)|percent|\bworth\b|\bweigh", _SHARE),
    (r"\b(?:phone|telephone) number|\bnumber (?:do|can|to) .*call", r"\d{3,4}[-. ]?\d{3,4}|\b\d{4,}\b"),
    (
        r"\bcosts?\b|\bprice|\bfees?\b|how much (?:is|are|does .* cost|do(?:es)? .* pay|money)|\bpay\b|\bcharge|\bexpensive"
        r"|\bfine\b|\bfree\b|\brefund|\bgrant\b|\bdiscount",
        _MONEY,
    ),
    (
        r"(?:what|which) time|\bhow late\b|until what|\bhours\b"
        r"|when (?:is|are|does|do) .*(?:open|close|class|office|start|begin|meet)",
        _CLOCK,
    ),
    (r"how long|how much time|how soon|how quickly|how far (?:ahead|in advance)|how early", _LASTS),
    (r"(?:what|which) days?\b", _DAY),
    (r"\bwhen\b|\bdate|deadline|\bdue\b|by when", rf"{_DATE}|{_DAY}|{_CLOCK}|\bweeks? \w|\bbefore\b|\bafter\b"),
    (r"how many|how often|how much|how large|how big|what (?:size|score|average|number)", _NUMBER),
    (r"\bwho(?:m|se)?\b|name of", _NAME),
)
_PATTERNS = tuple((re.compile(question, re.IGNORECASE), re.compile(answer, re.IGNORECASE)) for question, answer in _LOOKS)
_AN_ORDINAL = re.compile(r"(?<=\d)(?:st|nd|rd|th)\b", re.IGNORECASE)
_KEY = re.compile(  # "Dec. 16", "16 December", "week 3", "PHYS 151", "3b"; no time, and no day with the column before it
    rf"\b(?:(?P<month>{MONTHS})\b\.? (?P<day>\d{{1,2}})\b(?![:.]\d)"
    rf"|(?P<day_first>\d{{1,2}})\b\.? (?:of )?(?P<its_month>{MONTHS})\b"
    rf"|(?!(?:{DAYS}|{'|'.join(sorted(NOT_TERMS))})\b)(?P<word>[^\W\d_]{{1,20}})"
    rf"[ -]?(?P<number>\d{{1,5}}[^\W_]{{0,3}})\b(?![:.]\d)"
    rf"(?!\.? (?:of )?(?:{MONTHS})\b(?! \d{{1,2}}\b(?!:)))"
    r"|(?P<code>\d{1,5}[^\W\d_]{1,3})\b)",
    re.IGNORECASE,
)


def keys_in(text: str) -> frozenset[str]:
    """What the text names with a number: "date dec 16" for any spelling, "phys 151", "week 3", "l 03", "3b"."""
    found = list(_KEY.finditer(_AN_ORDINAL.sub("", text.lower())))
    codes = {one["code"] or one["number"] for one in found if one["code"] or not (one["number"] or "1").isdigit()}
    named = {f"{one['word']} {one['number']}" for one in found if one["word"]}
    return frozenset(codes | named | {_date(one) for one in found if one["month"] or one["its_month"]})


def first_key(text: str) -> str:
    """The name with a number that the text begins with: "PHYS 151"; empty if it begins otherwise."""
    found = _KEY.match(text)
    return found[0] if found and found["word"] else ""


def _date(found: re.Match[str]) -> str:
    return f"date {(found['month'] or found['its_month'])[:3]} {int(found['day'] or found['day_first'])}"


def look_of_answer(question: str) -> re.Pattern[str] | None:
    """What is found in an answer to the question: an amount of money, a clock time, a name; None where it may be anything."""
    return next((answer for pattern, answer in _PATTERNS if pattern.search(question)), None)


@cache
def related_terms(term: str) -> Collection[str]:
    """Other stems that stand for the same matter at a school; none for most stems."""
    return _related().get(term, frozenset()) - {term}


@cache
def _related() -> Mapping[str, frozenset[str]]:
    groups = [frozenset(map(stem, line.split())) for line in _GROUPS.split("\n") if line]
    return {term: frozenset().union(*(group for group in groups if term in group)) for group in groups for term in group}
