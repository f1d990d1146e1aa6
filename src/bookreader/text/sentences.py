"""Split a paragraph into sentences: the candidates, the rules that decide them, and the abbreviations of general English.

A boundary can only stand after a stop with its closing quotes and brackets, before a blank ("end.—And" has none). RULES are
asked in their order; the first that decides wins. They describe English prose in general; each docstring says what its rule is
for. "etc." is in no list of abbreviations: before a capital it ends a sentence."""

import re
from collections.abc import Callable
from itertools import chain
from typing import NamedTuple, Self


def _as_written(words: str) -> frozenset[str]:
    """Abbreviations in exactly this spelling: "Mass." is a state, "mass." a word."""
    return frozenset(words.split())


def _any_case(words: str) -> frozenset[str]:
    """Abbreviations in any case; single letters stay as they are ("p. 12" is a page, "P. Smith" a name)."""
    return frozenset(chain.from_iterable((w,) if len(w) == 1 else (w, w.capitalize(), w.upper()) for w in words.split()))


# Always followed by what they belong to: a title by its name, "e.g." by its example, "v." by the other party.
NEVER_LAST = _any_case("e.g i.e viz cf vs v approx rel sog") | _as_written(
    """Mr MR Mrs MRS Ms MS Mx Messrs MESSRS Mme Mmes Mlle Dr DR Drs Prof PROF Profs Fr Msgr Mgr Capt CAPT Capts Cmdr Lieut Maj
    Supt Adm Brig P.S N.B"""
)

# Point at a number or letter ("p. 12", "Fig. 3.2", "Art. IV", "Dec. 5", "2 Cor. 3", "5 ft. 3"); before anything else they are
# words or have come to their end ("He said no. Then …", "pp. 5 ff. Kant …").
REFERENCES = _any_case(
    """no nos nr p pp pg pgs ch chs chap chaps sec secs sect sects subsec art arts par pars para paras cl fig figs tab tabs eq
    eqs eqn eqns ex exs exx def defs prop props thm cor lem vol vols bk bks pt pts fol fols ff sq sqq seq ver vv ll nn l n c s d
    r f col cols pl pls cap lib tom tit app appx apps ann amend stat reg ord sch sched lect ser qu obs math
    ft lb lbs oz yd yds hr hrs min mins cwt qt gal kg km cm mm ml mg ref refs doc docs"""
) | _as_written(
    """Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec Mon Tue Tues Wed Weds Thu Thur Thurs Fri Sat Sun
    Gen Exod Ex Lev Num Deut Josh Judg Sam Kgs Kings Chron Neh Esth Ps Pss Prov Eccl Eccles Cant Isa Is Jer Lam Ezek Dan Hos
    Joel Obad Mic Nah Hab Zeph Hag Zech Mal Matt Mk Lk Jn Rom Cor Gal Eph Phil Col Thess Tim Tit Philem Heb Jas Pet Rev"""
)

# After an abbreviated weekday: "Wed. Dec. 16", "Fri. March 3".
MONTHS = _as_written(
    """January February March April May June July August September October November December
    Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec"""
)
WEEKDAYS = _as_written("Mon Tue Tues Wed Weds Thu Thur Thurs Fri Sat Sun")

# The references after which a lone "A" or "I" is a letter or numeral, not a word: "Fig. A shows", but "said no. I left".
LETTERED = _any_case("sec ch chap vol vols bk pt pl eq appx sched") | _as_written("Fig Figs FIG Art ART Ex App Tab Sect Cl")

# Stand before a name as well as at the end of a sentence: the next word decides.
EITHER = _any_case(
    """al ibid op cit loc ca cp ed eds edn trans transl tr repr rev comp comps esp incl orig fl ob n.b q.v s.v cont dept assn
    assoc bros misc pseud introd"""
) | _as_written(
    """St ST Ste SS Gen Col Lt Sgt Cpl Pvt Rev Revd Hon Rt Gov Sen Rep Pres Sec Treas Atty Insp Sr Sra Bp Abp Ven Bart Bt Jr JR
    Jun Esq Inc Co Cos Corp Ltd Mfg Univ Inst Soc Acad Comm Cttee Gov't Dep't Int'l Nat'l Ass'n
    Ave Blvd Rd Mt Mts Ft Pt Hwy Bldg Apt Sq
    Ala Ariz Ark Calif Cal Colo Conn Del Fla Ga Ill Ind Kan Kans Ky La Md Mass Mich Minn Mo Mont Neb Nebr Nev Okla Ore Oreg
    Pa Penn Penna Tenn Tex Va Vt Wash Wis Wyo Eng Ger Lat Gr
    Wm Geo Chas Thos Jas Jos Jno Benj Edw Robt Saml Danl Alex Fred Theo Chr Ph Th
    Cir Ct Supp Dist Div Cong Sess App Crim Civ Const Rptr Adv Evid Bankr Proc Bull Ann Rec Jour Quart Mag Lit Hist
    Am Amer Brit Fed Nat Phys Chem Biol Psychol Sociol Econ Educ Philos Sci Med Math Anthrop Mem Metaph Nic Op Ep Od Il"""
)

# A date or an hour ends a sentence, unless it opens it ("At 5 a.m. Mr. Smith …", "In 44 B.C. Caesar …").
TIMES = _any_case("a.m p.m") | _as_written("B.C A.D B.C.E C.E")

# Closed-class words. Capitalised in running prose they begin a sentence and are not part of a name: "the U.S. The" is an end,
# "the U.S. Senate" is none. "Of" is not here: names have it ("Dept. Of").
STARTERS = _as_written(
    """I A An The This That These Those He She It We You They His Her Hers Its My Your Our Their One Some Any Each Every Either
    Neither Both All Many Most Much Few Several Such Another Other Others No None Nothing Nobody Everyone Everything
    And But Or Nor For So Yet If Though Although Because While Whilst As Since Unless Until Till Lest Whether Whereas
    In On At By To With From After Before During Under Over Through Upon Among Amongst Between Without Within Into Against
    About Above Beyond Despite Toward Towards Like Unlike
    What When Whenever Where Wherever Which Whichever Who Whoever Whom Whose Why How However
    Then Thus Therefore Hence Here There Now Still Also Moreover Nevertheless Nonetheless Indeed Perhaps Again Only Even Not
    Never Once Often Sometimes Meanwhile Otherwise Furthermore Likewise Similarly Finally First Firstly Secondly Thirdly
    Lastly Next Afterwards Accordingly Consequently Instead Yes Well
    Is Are Was Were Do Does Did Has Have Had Could Would Should Shall Must Let"""
)

# Verbs that tell who spoke: after a quotation that ends in "?" or "!", "Tom asked" goes on with the same sentence.
SPEECH = _as_written(
    """said says asked asks cried cries answered replied exclaimed shouted whispered called muttered murmured demanded inquired
    enquired returned repeated added began continued thought observed remarked screamed yelled sighed laughed roared gasped
    protested suggested wondered interrupted insisted retorted growled pleaded snapped sobbed declared"""
)

# After a figure and a stop these go on with a German date ("1. Januar", "19. Jahrhundert"); English has some of the months too,
# so that a German word must stand before the figure.
GERMAN_TIME = re.compile(
    r"(?:Jänner|Januar|Feb(?:ruar|er)|März|Mai|Ju[nl]i|Oktober|Dezember|Jh(?:dt?)?s?|Jahr(?:hundert|tausend)\w*)"
)
GERMAN_OR_ENGLISH_TIME = _as_written("April August September November")
BEFORE_DATE = _as_written(
    """am Am vom Vom zum Zum dem Dem den Den der Der des Des ab Ab seit Seit bis Bis und im Im
    Montag, Dienstag, Mittwoch, Donnerstag, Freitag, Samstag, Sonntag,"""
)

# stop: a whole run of marks, spaced ones too (". . .", "! ! !"). The pattern opens with the mark itself, so that the engine
# leaps from stop to stop, and then looks behind for the run's begin, so that a page of dot leaders costs linear time.
# close: quotes and brackets that end with the sentence, also nested ones set apart by a thin blank ("’ ”").
# call: the number or sign of a note ("[12]", "(2)(3)" and a figure glued to the stop, "†").
# (?>…): groups are never made possessive, because Python before 3.11.5 matches those wrongly (docs/cursed-knowledge.md).
CANDIDATE = re.compile(
    r"""(?P<stop>[.!?…](?<![.!?…].)(?<![.!?…]\s.)[.!?…]*+(?>(?:\s[.!?…]++(?!\w))*))
        (?P<close>(?:["'”’»“‘«)\]]|\s["'”’»)\]](?=["'”’»)\]\s]|$))*)
        (?>(?P<call>(?:\s?\[\d[\d,\s–-]*\]|(?<!\s)\(\d[\d,\s–-]*\))+(?=\s|$)
                  |[*†‡⁰¹²³⁴-⁹]+
                  |(?:(?<=[^\d\s][.!?])|(?<=[.!?]["”’“)]))\d{1,3}(?:[,\s]\d{1,3})*)?)
        (?P<gap>\s++)
        (?=(?P<open>(?:\[(?:…|\.\s?\.\s?\.)\]\s)?(?:["“‘’'«„‚»(\[•¿¡…]|\.{3}(?=\w))*)
           (?P<next>[^\W_]+|[$£€§])(?P<after>\W{0,2}))""",
    re.VERBOSE,
)

ROMAN_TO_89 = r"(?=[ivxl])(?:xl|l?x{0,4})(?:ix|iv|v?i{0,4})"

ENUMERATOR = re.compile(
    rf"""["“‘'(\[]*(?:(?:art|arts|sec|sect|no|ch|chap|fig|def|prop|ex|rule|step|table|figure|section|chapter|article|book|part)
        \.?\s)?(?:\d{{1,3}}(?:(?:\.\d+)*|[a-z])|{ROMAN_TO_89}|[a-z])""",
    re.VERBOSE | re.IGNORECASE,
)

NUMBERED = re.compile(r"\W{0,2}(?:(\d{1,2})|([a-y]))[.)]")
REMARK = re.compile(r"\((?:[^().!?]|[.!?](?!\s))*\)[.,;:]")
POINTS = re.compile(r"\(\d+(?:\s[^\W\d_]+){1,2}\)\Z")
ITEM = re.compile(r"\((?:[a-z]|[ivx]{1,5}|\d{1,2})\)")
PROBLEM = re.compile(r"\d{1,2}\.\d{1,2}\s[A-ZÄÖÜ][a-zäöüß]")
TASK = re.compile(r"\d{1,2}\s[A-ZÄÖÜ][a-zäöüß]+\s[a-zäöüß]")
FILE_NUMBER = re.compile(r"[A-Z]{1,6}[-–]?\d")
INITIALS = re.compile(r"(?:[^\W\d_a-z]\.[-\s]?)*[^\W\d_a-z]")
DOTTED = re.compile(r"(?:[^\W\d_]{1,3}\.)+[^\W\d_]{1,3}")
ROMAN = re.compile(r"[IVXLCDM]+|[ivxlcdm]+")
NO_VOWEL = re.compile(r"[A-Z]?[b-df-hj-np-tv-xz]+")
SPEAKER = re.compile(rf"(?:I|[A-Z][\w’'-]*\.?(?:\s[A-Z][\w’'-]*\.?){{0,2}})\s(?:{'|'.join(sorted(SPEECH))})\b")
LETTER_OR_DIGIT = re.compile(r"[^\W_]")
LONGEST_WORDS = 80  # characters in front of a stop in which its last two words are looked for


class BoundaryCandidate(NamedTuple):
    """A stop at stop_at that may end the sentence begun at start, and its surroundings.

    before, word: the two words before the stop, the last one without opening quotes or brackets and without what a dash or
    hyphen joins to it ("Major-Gen." is "Gen.")."""

    text: str
    start: int
    stop_at: int
    next_at: int
    before: str
    word: str
    stop: str
    close: str
    call: str
    open: str
    next: str
    after: str

    @classmethod
    def of(cls, text: str, start: int, match: re.Match[str]) -> Self:
        """The candidate at a match of CANDIDATE, in a sentence begun at start."""
        at = match.start()
        words = text[max(start, at - LONGEST_WORDS) : at].rsplit(None, 2)
        word = re.split("[—-]", words[-1])[-1].lstrip("([“‘„‚»«\"'") if words else ""
        before = words[-2] if len(words) > 1 else ""
        stop, close, call, opening, following, after = match.group("stop", "close", "call", "open", "next", "after")
        return cls(text, start, at, match.end(), before, word, stop, close, call or "", opening, following, after)

    @property
    def spaced_word(self) -> str:
        """The last two words as one, for "i. e." and "p. m."."""
        return self.before + self.word

    @property
    def number_follows(self) -> bool:
        """Whether a figure, a section sign, a file's number ("FAA–2020") or a numbered item comes next."""
        number = self.next[0].isdigit() or self.next == "§" or FILE_NUMBER.match(self.text, self.next_at)
        return bool(number or ITEM.match(self.text, self.next_at))

    @property
    def starter_follows(self) -> bool:
        """Whether a closed-class word comes next, and not an initial ("I. Newton")."""
        return self.next in STARTERS and not self.after.startswith(".")


def numbers_next_item(c: BoundaryCandidate) -> bool:
    """The next number of a run-in list begins an item even where no stop ended the last: "1. Earth 2. Water", "a. … b. …"."""
    first = NUMBERED.match(c.text, c.start)
    if not first or first.end() >= c.stop_at:
        return False
    number, letter = first.groups()
    stands_alone = c.text[c.stop_at - len(c.word) - 1].isspace()
    return stands_alone and c.word == (str(int(number) + 1) if number else chr(ord(letter) + 1))


def _numbering(c: BoundaryCandidate) -> bool | None:
    """A number that opens a sentence belongs to it: "3. The …", "Art. 5. No one …"."""
    short = c.stop_at - c.start < 16 and c.close in ("", ")")
    return False if short and ENUMERATOR.fullmatch(c.text, c.start, c.stop_at) else None


def _numbering_inside(c: BoundaryCandidate) -> bool | None:
    """A number after a colon, a semicolon or an opening quotation mark belongs to what follows: "two heads: 1. The …; 2. The
    …", "see “3.5. Assigning …"."""
    quoted = not c.close and c.text[c.stop_at - len(c.word) - 1] in "“‘„«" and c.word.replace(".", "").isdigit()
    return False if quoted or (c.before[-1:] in (";", ":") and c.word.isdigit() and len(c.word) < 3) else None


def _german_date(c: BoundaryCandidate) -> bool | None:
    """A figure before a German month or "Jahrhundert", or after an article, is an ordinal: "1. Januar", "der 7. Ton"."""
    if not (c.word.isdecimal() and len(c.word) < 3 and c.stop == ".") or c.close or c.open:
        return None
    shared = c.before in BEFORE_DATE and (c.next in GERMAN_OR_ENGLISH_TIME or c.before.casefold() not in ("am", "den"))
    return False if shared or GERMAN_TIME.fullmatch(c.next) else None


def _glued_number(c: BoundaryCandidate) -> bool | None:
    """A figure glued to an abbreviation is what it refers to, not the number of a note: "p.12 The", "Fig.3 The"."""
    glued = c.call.isdigit() and not c.close
    return False if glued and (len(c.word) == 1 or c.word in REFERENCES or c.word in NEVER_LAST) else None


def _no_signal(c: BoundaryCandidate) -> bool | None:
    """Marks without a word before them end nothing: "… And then", "genius (!) And"; nor do they before a task's points, "Draw a
    boat. (10 points)", and in quotation marks before a remark that the stop follows, "‘Wer?’ (‘Who?’)."."""
    none = c.text[c.stop_at - 1] in "([" or not LETTER_OR_DIGIT.search(c.text, c.start, c.stop_at)
    within = POINTS.match(c.text, c.next_at) or (c.close and REMARK.match(c.text, c.next_at))
    return False if none or within else None


def _lower_case_follows(c: BoundaryCandidate) -> bool | None:
    """Before a small letter a sentence goes on ("Alas! the day", "“Stop!” he said"), unless that opens an item of a list or a
    remark after a full stop: "(b) the …", "(see …)"."""
    if not c.next[0].islower():
        return None
    remark = c.open.startswith("(") and c.stop == "."
    return None if remark or (ITEM.match(c.text, c.next_at) and len(c.stop) < 5) else False


def _speaker_follows(c: BoundaryCandidate) -> bool | None:
    """The speaker belongs to the quotation: "“Who is it?” Tom asked."."""
    question = c.close and c.close[-1] in "\"'”’" and not c.open and c.stop[-1] in "!?…"
    named = c.next == "I" or c.next not in STARTERS
    return False if question and named and SPEAKER.match(c.text, c.next_at) else None


def _exclamation_or_question(c: BoundaryCandidate) -> bool | None:
    return True if "!" in c.stop or "?" in c.stop else None


def _ellipsis(c: BoundaryCandidate) -> bool | None:
    """Four dots are a stop and an omission; three may also be a pause ("I … I think") or, after a blank, words left out.
    Leaders in a table go on to their number, and a blank of dots to the remark after it."""
    dots = c.stop.count(".") + 3 * c.stop.count("…")
    if dots < 3:
        return None
    if dots > 4 and (c.next[0].isdigit() or c.open.startswith("(")):
        return False
    spaced = c.text[c.stop_at - 1].isspace()
    return dots > 3 or (c.next != "I" and (c.starter_follows or not spaced))


def _bound_to_next(c: BoundaryCandidate) -> bool | None:
    return False if c.word in NEVER_LAST or c.spaced_word in NEVER_LAST else None


def _reference(c: BoundaryCandidate) -> bool | None:
    """A reference goes on to its number or letter ("p. 12", "Fig. A"), a weekday also to its month; "no. I think" has none."""
    if c.word not in REFERENCES or c.close:
        return None
    if c.word in WEEKDAYS and c.next in MONTHS:
        return False
    a_word = c.next in ("A", "I") and c.after[:1] in (" ", "’", "'") and c.word not in LETTERED
    labelled = not a_word and (len(c.next) == 1 or ROMAN.fullmatch(c.next))
    if c.number_follows or labelled:
        return False
    return None if c.word in EITHER else True


def _time(c: BoundaryCandidate) -> bool | None:
    """A date or an hour ends the sentence, unless nothing else stands in the sentence yet."""
    if c.word not in TIMES and c.spaced_word not in TIMES:
        return None
    words = len(c.text[c.start : c.stop_at].split())
    return c.starter_follows or (c.next[0].isupper() and words > 4)


def _initial(c: BoundaryCandidate) -> bool | None:
    """Initials go with a name ("J. S. Mill"); "you and I. These" ends with a pronoun, "under Charles V. This" in a number.
    A quotation's end is no part of a name ("“… a part of B.” The")."""
    if not INITIALS.fullmatch(c.word) or (c.close.startswith(("”", "“")) and c.before.islower()):
        return None
    initial_follows = len(c.next) == 1 and c.after.startswith(".")
    pronoun = c.word == "I" and c.before.islower() and not initial_follows
    return pronoun or c.starter_follows


def _number(c: BoundaryCandidate) -> bool | None:
    """Number after number is one reference ("3s. 6d.", "Plin. 5. 12", "Act iii. 2"); else it ends: "in 1850. The", and before a
    problem's or a task's number, "to 99. 4.2 Show", "(Map 4). 5 Draw a"."""
    if c.word[:1].isdigit() or ROMAN.fullmatch(c.word):
        problem = c.word.isdecimal() and PROBLEM.match(c.text, c.next_at)
        task = c.word.endswith(")") and TASK.match(c.text, c.next_at)
        return bool(problem or task) or not ((c.next[0].isdigit() or c.next == "§") and len(c.word) < 4)
    return None


def _abbreviation(c: BoundaryCandidate) -> bool | None:
    """The next word decides: "the U.S. The", "the U.S. Senate". A word without a vowel ("hdqrs") is an abbreviation too, and so
    is a small letter before an initial ("Frankfurt a. M."), and a short one with a capital before a figure ("Res. 192")."""
    two = len(c.word) == len(c.next) == 1 and c.word.islower() and c.after.startswith(".")
    cited = c.word[:1].isupper() and len(c.word) < 4 and c.next[0].isdigit()
    known = two or cited or c.word in EITHER or DOTTED.fullmatch(c.word) or NO_VOWEL.fullmatch(c.word)
    return c.starter_follows if known else None


RULES: tuple[Callable[[BoundaryCandidate], bool | None], ...] = (
    _numbering,
    _numbering_inside,
    _german_date,
    _glued_number,
    _no_signal,
    _lower_case_follows,
    _speaker_follows,
    _exclamation_or_question,
    _ellipsis,
    _bound_to_next,
    _reference,
    _time,
    _initial,
    _number,
    _abbreviation,
)


def split_sentences(text: str) -> list[tuple[int, int]]:
    """[start, end) of each sentence of one paragraph's text, in order, without surrounding blanks.

    Together they hold every character that is not blank. A text without a letter is one sentence, an empty one has none."""
    spans: list[tuple[int, int]] = []
    start, last = len(text) - len(text.lstrip()), len(text.rstrip())
    for match in CANDIDATE.finditer(text):
        cut = _cut(BoundaryCandidate.of(text, start, match), match)
        if cut:
            spans.append((start, cut[0]))
            start = cut[1]
    return [*spans, (start, last)] if start < last else spans


def _cut(candidate: BoundaryCandidate, match: re.Match[str]) -> tuple[int, int] | None:
    """The end of the sentence and the start of the next; None if the sentence goes on."""
    text, start, call = candidate.text, candidate.start, match.start("call")
    if numbers_next_item(candidate):
        item = candidate.stop_at - len(candidate.word)
        return len(text[:item].rstrip()), item
    verdicts = (rule(candidate) for rule in RULES)
    if not next((verdict for verdict in verdicts if verdict is not None), True):  # a plain word ends a sentence
        return None
    in_numbered_list = text[start] == "[" and candidate.call[:1].isspace()
    return (call, call + 1) if in_numbered_list else (match.start("gap"), match.end("gap"))
