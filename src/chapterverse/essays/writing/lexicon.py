"""Words of English by what they do in a sentence, for the rules on spelling and grammar: those that learners use most."""

from collections.abc import Mapping

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
