"""Words of English by what they do in a sentence, for the rules on spelling and grammar: those that learners use most."""

from collections.abc import Mapping

from chapterverse.core.words import word_set

_VERBS = """
be was been|become became become|begin began begun|bend bent bent|bite bit bitten|blow blew blown|break broke broken
bring brought brought|build built built|burn burned burned|buy bought bought|catch caught caught|choose chose chosen
come came come|deal dealt dealt|dig dug dug|do did done|draw drew drawn|drink drank drunk|drive drove driven|eat ate eaten
fall fell fallen|feed fed fed|feel felt felt|fight fought fought|find found found|fly flew flown|forget forgot forgotten
forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone|grow grew grown|hang hung hung
have had had|hear heard heard|hide hid hidden|hold held held|keep kept kept|know knew known|lead led led|leave left left
lend lent lent|lose lost lost|make made made|mean meant meant|meet met met|pay paid paid|ride rode ridden|ring rang rung
rise rose risen|run ran run|say said said|see saw seen|seek sought sought|sell sold sold|send sent sent|shake shook shaken
shine shone shone|shoot shot shot|show showed shown|sing sang sung|sink sank sunk|sit sat sat|sleep slept slept
speak spoke spoken|spend spent spent|stand stood stood|steal stole stolen|stick stuck stuck|swear swore sworn|swim swam swum
take took taken|teach taught taught|tear tore torn|tell told told|think thought thought|throw threw thrown
understand understood understood|wake woke woken|wear wore worn|win won won|write wrote written
read read read|put put put|let let let|cut cut cut|hurt hurt hurt|set set set|cost cost cost|hit hit hit
"""
IRREGULAR: Mapping[str, tuple[str, str]] = {
    base: (past, third) for base, past, third in (one.split() for line in _VERBS.split("\n") for one in line.split("|") if one)
}
"""The past and the third form of verbs that have their own."""

PAST_FORMS: Mapping[str, str] = {base: past for base, (past, _) in IRREGULAR.items()}
PLURALS: Mapping[str, str] = {
    "child": "children", "children": "children", "foot": "feet", "half": "halves", "knife": "knives", "leaf": "leaves",
    "life": "lives", "man": "men", "men": "men", "mouse": "mice", "shelf": "shelves", "thief": "thieves", "tooth": "teeth",
    "wife": "wives", "wolf": "wolves", "woman": "women", "women": "women", "knive": "knives",
}  # fmt: skip
"""The plurals of nouns that have their own, also of what is a plural already."""


_WORDS = {
    "bed",
    "seed",
    "hanged",
    "shined",
    "leaded",
    "putted",
    "ringed",
    "teared",
    "costed",
    "waked",
    "bended",
    "leaved",
    "singed",
}  # words of their own


def _by_rule(base: str) -> str:
    """What the past of an irregular verb would be by rule: "runned", "writed"."""
    doubled = base[-1] in "dgmnt" and base[-2] in "aeiou" and base[-3:-2] not in tuple("aeiou")
    return f"{base}d" if base.endswith("e") else f"{base}{base[-1] * doubled}ed"


BY_RULE: Mapping[str, str] = {
    wrong: base for base, forms in IRREGULAR.items() if (wrong := _by_rule(base)) not in {*forms, *_WORDS}
} | {"brung": "bring", "brang": "bring", "tooken": "take", "boughten": "buy", "thunk": "think"}
"""Past forms that are no words, made by rule or by likeness, with the base of the verb."""

_REGULAR = """
accept achieve admit agree allow appear apply argue arrive ask avoid become believe belong borrow breathe carry celebrate
clean complain communicate concentrate connect consider continue cook cough create cry decide decrease defend depend describe
deserve destroy develop die disagree disappear discover discuss dislike divide earn encourage enjoy enter exist expect explain
explore express fail finish follow forgive graduate happen hate help hurry imagine improve include increase inform introduce
invent invite join jump kill laugh learn like listen live look love manage mention move need notice offer open order own pass
prefer prepare pretend prevent produce promise protect prove provide pull punish push receive recommend recycle reduce refuse
relax remember remove repeat replace require respect save seem share smile smoke solve spell start stay stop study succeed
suffer suggest support surprise throw travel treat trust try understand use visit wait want warn wash waste watch wish wonder
work worry
play talk walk hope fear call add adapt adopt affect appreciate assume attend attract behave benefit cause claim close collect
combine compare complete confuse contain contribute convince count damage define deliver demonstrate deny determine distract
distribute donate educate eliminate enable endanger enforce engage ensure entertain establish evaluate examine exclude face
focus force gain gather generate guess handle harm ignore illustrate impact imply indicate influence injure inspire intend
interact interfere interrupt investigate involve judge justify lack locate maintain motivate multiply obey observe obtain
offend operate organize participate perform persuade pollute possess practice prohibit provoke pursue reach react realize
recognize reflect reject rely remain remind represent rescue research resist respond restrict result reveal risk ruin satisfy
scare search select serve struggle suppose surround survive tend text threaten touch transform turn unite vary vote weaken
"""
UNCHANGED = frozenset({"become", "come", "run"})  # the base is the third form, too
IS_NOUN = word_set("""
    need work help use love look like start stop study order waste watch wish worry visit travel support share respect
    promise offer move change play hope fear plan talk walk trust treat laugh smile cook cough cry hurry pass pull push wash
    wonder fight drink drive feed fall find show swim run ride ring rise sleep stand stick win wear wake sink shine hold blow
    break catch cut deal draw fly hide lead leave lie mean meet pay smoke sing sell spell spend stay try clean open live own
    repeat increase decrease surprise experience end cost face name point question reason answer make have do be get go
    read put let cut hurt set cost hit benefit cause claim close count damage force focus gain guess handle harm impact
    influence judge lack practice reach rescue research result risk ruin scare search struggle text touch turn vote call
""")
"""Verbs that are nouns or adjectives as well, or do other work."""

BASES = word_set(_REGULAR) | IRREGULAR.keys()
VERBS = BASES - IS_NOUN - {"be", "have", "do"} | {"go", "get", "make"}
"""The base forms of verbs that are hardly anything else."""


def third_person(base: str) -> str:
    """What he, she or it does: "goes"."""
    special = {"be": "is", "have": "has", "do": "does", "go": "goes"}
    if base in special:
        return special[base]
    if base[-1] == "y" and base[-2] not in "aeiou":
        return f"{base[:-1]}ies"
    return f"{base}es" if base.endswith(("s", "sh", "ch", "x", "z")) else f"{base}s"


def past(base: str) -> str:
    """What somebody did: "went", "tried", "stopped"."""
    if base in PAST_FORMS:
        return PAST_FORMS[base]
    if base[-1] == "y" and base[-2] not in "aeiou":
        return f"{base[:-1]}ied"
    if base in {"stop", "admit", "prefer"}:
        return f"{base}{base[-1]}ed"
    return f"{base}d" if base.endswith("e") else f"{base}ed"


def ing(base: str) -> str:
    """The form in "-ing"."""
    if base in {"be", "see", "agree", "disagree", "flee"}:
        return f"{base}ing"
    if base.endswith("ie"):
        return f"{base[:-2]}ying"
    if base in {"stop", "admit", "prefer", "begin", "forget", "get", "run", "swim", "sit", "win", "dig"}:
        return f"{base}{base[-1]}ing"
    return f"{base[:-1]}ing" if base.endswith("e") else f"{base}ing"


BASE_OF_THIRD_PERSON: Mapping[str, str] = {third_person(base): base for base in BASES}
BASE_OF_PAST: Mapping[str, str] = {past(base): base for base in sorted(BASES) if past(base) != base}
BASE_OF_ING: Mapping[str, str] = {ing(base): base for base in BASES}

_NOUNS = """
accident advantage adult animal answer apple article author baby bag ball bank beach bike bird birthday boat bottle box boy
brother building bus business candidate car career cat chair choice church citizen city class classmate club college company
computer consequence cookie country cousin culture customer daughter day dancer decision desk dictator difference disadvantage
doctor dog dollar door dream driver effect election elector emergency employee engineer example exam exercise experiment
factory family farmer father fight film forest friend future game garden girl goal grade grandfather grandmother group habit
hobby holiday homework hospital hour house idea island job journey kid kilometer kitchen language law lawyer leader lesson
letter library limit machine mark mayor meal member message mile minute mistake moment month morning mother motorist movie
neighbor neighbour newspaper night noodle number nurse object opinion opportunity owner page parent park party passenger pen
person phone photo picture place planet player pollutant president problem program project question reader reason resident
restaurant result river road robot room rule school scientist sea season secret senator shop sister smartphone soldier solution
son song sport state stranger street student subject suburb system table task teacher team teenager test text theater thing
ticket time tourist town toy train tree trip truck turtle uncle uniform university vehicle video village voter war way website
week weekend window word worker writer year
activity area argument artist assignment author belief brain camera century character coach competition couple crash device
distraction event eye fact farm flower friendship generation gift guy habit hand head highway human husband individual injury
instrument item joke lake magazine mountain muscle museum nation neighborhood obstacle officer option organization pedestrian
pet phone penalty plane plant principal punishment relationship resource roommate screen shoe skill speaker statement statistic
store story tool tourist truth type user victim visitor wall weapon wheel wife
"""
MASS = word_set("""
    homework information advice equipment furniture luggage knowledge pollution traffic money garbage trash water evidence music
""")
"""Nouns that are not counted."""


def plural(noun: str) -> str:
    """More than one of it."""
    if noun in PLURALS or noun == "person":
        return PLURALS.get(noun, "people")
    if noun[-1] == "y" and noun[-2] not in "aeiou":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "sh", "ch", "x")) else f"{noun}s"


COUNTED: Mapping[str, str] = {noun: plural(noun) for noun in {*_NOUNS.split(), "child", "man", "woman"} - MASS}
"""Nouns that are counted, with their plurals."""
PLURAL_NOUNS = frozenset(COUNTED.values()) | {"people"}
PERSONS = word_set("""
    brother sister mother father friend cousin uncle aunt grandmother grandfather mom dad teacher parent neighbor neighbour
    boy girl man woman classmate son daughter student doctor kid child boss coach person president mayor principal driver nurse
    husband wife guy roommate
""")
ADJECTIVES = word_set("""
    good bad big small great important new old nice beautiful hard difficult easy serious huge long short special safe clean
    dangerous strong weak happy sad interesting boring useful common perfect rich poor young real large little terrible
    wonderful healthy famous popular quiet favorite simple strange different better cheap expensive
""")
COMPARATIVES: Mapping[str, str] = {
    "easy": "easier", "cheap": "cheaper", "big": "bigger", "small": "smaller", "clean": "cleaner", "hard": "harder",
    "fast": "faster", "safe": "safer", "old": "older", "young": "younger", "strong": "stronger", "healthy": "healthier",
    "happy": "happier", "kind": "kinder", "heavy": "heavier", "long": "longer", "short": "shorter", "high": "higher",
    "low": "lower", "bad": "worse", "good": "better", "rich": "richer", "poor": "poorer", "near": "nearer", "smart": "smarter",
    "large": "larger", "great": "greater", "quick": "quicker", "slow": "slower",
}  # fmt: skip
GERMAN = word_set(
    "der die das und ist nicht ein eine ich wir sie es zu den dem mit auf für von dass auch sich haben sind wenn aber er"
)
"""Small words of German, which tell that a text is German."""
