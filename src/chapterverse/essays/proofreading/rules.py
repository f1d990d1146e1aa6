"""The tables of grammar: mistakes that learners make, as patterns of words (matching.py), with what is said of each."""

from chapterverse.essays.proofreading.matching import Rule

_ONE = "he|she|it|everyone|everybody|someone|somebody|nobody|anyone|anybody|everything|something|nothing"
_GOES = "THIRD|is|was|has|isn't|wasn't|hasn't|doesn't"
_GO = "VERB|have|do|don't|are"
_CLEAR = "^and|that|what|where|how|why"
_STATE = "agree|disagree|believe|think|know|prefer|hate|want|understand"
_WISH = "suggest|suggested|suggests|recommend|recommended|demand|demanded|insist|insisted|important|necessary"
_BEST = "all|everything|anything|whatever|what|best|as|hard|much|that|those"
_PEOPLE = "me|us|him|her|them|people|you"
_PURPOSE = (
    "want|wants|wanted|decide|decided|hope|try|tries|tried|learn|learned|forget|forgot|chance|order|easy|hard|important|necessary"
    "|refuse|helps|how"
)
_DONE = "have|know|want|need|see|say|get|like|do"
_MANY = "these|those|many|several|few|both|various|NUM"


TABLES: dict[str, tuple[tuple[str, str], ...]] = {
    "The verb has to fit its subject: I go, he goes, they go.": (
        (f"!{_WISH} !MODAL {_CLEAR} {_ONE} ADV? < {_GO} > ~? !not", "{0:third}"),
        ("^ my|his|her|a|the|our PERSON ADV? < VERB|have|do|don't|are > ~?", "{0:third}"),
        ("^ every|each|another NOUN ADV? < VERB|have|don't|are > ~?", "{0:third}"),
        ("^ DET? MASS ADV? < are|have|don't > ~?", "{0:third}"),
        ("^ this < VERB|have > ~?", "{0:third}"),
        ("person|someone|somebody|everyone|everybody|anyone who ADV? < VERB|have|don't|are|were > !not", "{0:third}"),
        (f"!of|between|like|than|with|for they|we ADV? < {_GOES} >", "{0:they}"),
        (f"{_CLEAR} you ADV? < {_GOES} >", "{0:they}"),
        ("i ADV? < THIRD|has|hasn't|doesn't >", "{0:they}"),
        (f"^that DET|ADJ|NOUN? ADJ|NOUN? NOUNS ADV? < {_GOES} > ~? ~, !what|whom|which", "{0:they}"),
        (f"most|many|some|all|both|few|several of DET NOUNS ADV? < {_GOES} > ~?", "{0:they}"),
        (f"!HEAD !HEAD NOUNS who ADV? < {_GOES} > !what", "{0:they}"),
        ("!if|though|wish there < is|was|isn't|wasn't > some|no|more|many|several|ADJ|NUM? NOUNS $", "{0:they}"),
    ),
    "After this word the verb has no ending and no “to”: can go, did go, to go.": (
        ("!DET|a|an|this|that MODAL|may|might not|ADV? < THIRD|ONLYPAST|is|are|was|were > !by", "{0:base}"),
        ("i|we|they|he|she|you|people|it MODAL not|ADV? < PAST > !by|in|to|if", "{0:base}"),
        ("i|we|they|he|she|you|people MODAL ADV? < ING > !and|or", "{0:base}"),
        ("didn't|don't|doesn't ADV? < FORM > !by", "{0:base}"),
        ("!all|what i|we|they|he|she|you did not? < ACT >", "{0:base}"),
        ("i|we|they|he|she|you do|does not < ACT >", "{0:base}"),
        ("did i|we|they|he|she|you < ACT >", "{0:base}"),
        (f"!{_BEST} !DET|a can|could|should|must|can't|cannot|couldn't|shouldn't not? < to BASE >", "{1}"),
        ("!DET|a < can|could able to >", "{0}"),
        (f"{_PURPOSE} to < FORM >", "{0:base}"),
        ("!similar|used|due|close|according|thanks to < ONLYPAST >", "{0:base}"),
        (f"let|lets|make|makes|made {_PEOPLE} < to BASE >", "{1}"),
        ("help|helps|helped|let|lets me|us|him|them < PAST >", "{0:base}"),
    ),
    "A small verb is missing: they are losing, I do not agree.": (
        ("should|must|will|would|may|might not? < able to >", "be able to"),
        ("!BE ^ i < ING > ~?", "am {0}"),
        ("!BE ^ he|she < ING > ~?", "is {0}"),
        ("!BE ^ they|we < ING > ~?", "are {0}"),
        ("^ i|we|they|you < not VERB >", "do not {1}"),
        ("^ he|she < not VERB >", "does not {1}"),
    ),
    "A “to” is missing before the verb: I want to go.": (
        ("want|wants|wanted|decided|able|prefer < VERB >", "to {0}"),
        ("would like < VERB >", "to {0}"),
        ("me|us|him|her|them|know|learn|learned how < VERB > !from|about", "to {0}"),
    ),
    "What something is done for is told with “to”: I went there to see it.": (
        ("!thank|thanks|sorry|known|reason|ask|asked|blame|responsible|used !HEAD for < VERB > WORD", "to {0}"),
    ),
    "The verb stands alone here: I agree, not “I am agree”.": (
        (f"i|we|they|you < am|are {_STATE} >", "{1}"),
        (f"he|she < is {_STATE} >", "{1:third}"),
        (f"i|we|they|you|he|she < was|were {_STATE} >", "{1:past}"),
        ("i|we|they|you < am|are not agree >", "do not agree"),
    ),
    "Here the verb needs its third form: I have seen it.": (
        ("have|has|had|having|haven't|hasn't|hadn't|i've|we've|they've ADV|not? < ONLYPAST > !that", "{0:done}"),
        ("i|we|they|you|he|she have|has < VERB > WORD", "{0:done}"),
        ("i|we|they|you|he|she|it? be|is|are|am|was|were|i'm < suppose > to", "supposed"),
    ),
    "Here the verb ends in “-ing”: I enjoy reading, they are reading.": (
        ("enjoy|enjoys|enjoyed|avoid|avoids|dislike|finish|finished < to BASE >", "{1:ing}"),
        ("!ask|look|would|could|should|might|must of|without|by|about|from < VERB > WORD", "{0:ing}"),
        ("i|we|they|he|she BE < VERB >", "{0:ing}"),
        ("while < VERB > $", "{0:ing}"),
    ),
    "You tell of something past: yesterday I went.": (
        ("yesterday|ago i|we|they|he|she < BASE|THIRD|am|is|are|can|can't|don't|doesn't|have|has >", "{0:past}"),
        ("last week|month|year|summer|winter|night|weekend i|we|they|he|she < BASE|THIRD|am|is|are|can|don't|have|has >",
            "{0:past}"),
        ("!have|has|had|were|was|be ^and i|he|she|we|they < seen|done > ~?", "{0:past}"),
        ("^ i|he|she|we|they|people < use > to BASE", "used"),
    ),
    "What began in the past and still goes on needs “have”: I have lived here for two years.": (
        ("^and i|we|they|you < live|learn|work|study|play|know|train > WORD? WORD? WORD? since NUM|last|2010", "have {0:done}"),
        ("^and he|she < lives|learns|works|studies|plays|knows > WORD? WORD? WORD? since NUM|last", "has {0:done}"),
    ),
    "“Since” needs a starting point; for how long something lasts it is “for”.": (
        ("< since > NUM|many|several days|weeks|months|years !ago", "for"),
    ),
    "After “if” and “when” there is no “will” and no “would”: when I am older, if I had time.": (
        ("^^ when|if i|we|they|you < will VERB >", "{1}"),
        ("^^ when|if he|she|it < will VERB >", "{1:third}"),
        ("^^ if i|we|they|you|he|she|it < would VERB|have > !to", "{1:past}"),
    ),
    "Look at the number: one thing, or more than one?": (
        (f"!a|one|this|that|source|chapter|grade {_MANY} ADJ? < NOUN > $", "{0:many}"),
        ("one of the|my|our|his|her|their|these ADJ|most|best|biggest|main|worst? ADJ? < NOUN > $", "{0:many}"),
        ("most|some|many|all of my|the|our|these < PERSON > $", "{0:many}"),
        ("lots|hundreds|thousands of ADJ? < NOUN > $", "{0:many}"),
        ("each|every|another < NOUNS > $", "{0:one}"),
        ("< this > NOUNS $", "these"),
        ("^ < this > are|were", "these"),
    ),
    "“Many” and “fewer” go with things that you can count, “much” and “less” with all others.": (
        ("!how < much > NOUNS $", "many"),
        ("!or|and|than|no < less > NOUNS $", "fewer"),
        ("< amount > of NOUNS $", "number"),
        ("< many|few|these > MASS $", "{0:else}"),
    ),
    "This word has no plural: there is only “much” of it.": (
        ("< MASSES >", "{0:one}"),
        ("< a|an MASS > $ !of|to", "{1}"),
        ("< childrens > $", "children"),
    ),
    "A thing that you can count needs “a”, “an” or “the”: it is a good idea.": (
        ("!what|which|how is|was|it's|that's|be|become|have|has|had|need|want < ADJ > THING $ ~?", "{0:a}"),
        ("is|was|it's|that's|be < very|really ADJ > THING $ ~?", "a {0} {1}"),
        ("am|i'm|become < doctor|teacher|student|lawyer|nurse|engineer > $", "{0:a}"),
        ("have|has|had|at|in|do|wear|is|of|with|to|for < same > NOUN", "the same"),
        ("was|is|for < first|second|last > time|day|step", "the {0}"),
        ("in < morning|evening|afternoon > $", "the {0}"),
    ),
    "Show the comparison once: easier, not “more easy” or “more easier”.": (
        ("!the < more SHORT > $", "{1:er}"),
        ("< more ER > $", "{1}"),
    ),
    "In a comparison it is “than”; “then” is about time.": (
        ("ER|other|rather|different < then > !why|how|what|i|we|it|they|you|he|she", "than"),
        ("more|less ADJ|NOUNS < then > that|this|ever|usual|before|expected|the|a|me|him|us|them", "than"),
        ("more|less < then > WORD", "than"),
    ),
    "The subject stands here twice: my mother works, not “my mother she works”.": (
        ("^ my|his|her|our PERSON < he|she > THIRD|is|was|has|can|said|told|doesn't|didn't", ""),
    ),
    "For people it is “who”; “which” is for things.": (
        ("a|the|every PERSON < which > !in", "who"),
        ("people < which >", "who"),
    ),
    "Two “no” are one too many: I do not know anything.": (
        (f"don't|doesn't|didn't|can't|couldn't|won't|never {_DONE} < no|nothing|nobody > !one|matter", "{0:else}"),
    ),
    "The sentence needs its “it”: it is important.": (
        ("^^ < is|was > very|not|so? important|necessary|difficult|impossible|possible|easy|hard|true ~?", "it {0}"),
        ("because|if|but < is|was > very|not|so? important|necessary|difficult|impossible|possible|easy|hard|true", "it {0}"),
    ),
    "A film is boring, and so I am bored.": (
        ("i|we am|was|are|were very|so|really|not? < boring|exciting|tiring|surprising|interesting > .", "{0:else}"),
        ("i'm|we're very|so|really|not? < boring|exciting|tiring|surprising|interesting > .", "{0:else}"),
    ),
    "After a small word such as “with” it is “me”, “him”, “her”, “us”, “them”.": (
        ("with|for|to|from|about|at|by < she|he|they|we|i > .", "{0:else}"),
    ),
    "You say something, but you tell somebody: he told me.": (
        ("< said|says|say > me|him|us !to|and", "{0:else}"),
        ("told|asked|tell < to me|him|us|my|them >", "{1}"),
    ),
    "Within a sentence the verb comes after its subject: I know how we can help.": (
        ("know|knows|knew|show|shows|explain|understand|remember|wonder how|why|when|where|what"
            " < can|could|should|are|is|was|were i|we|they|it|he|she >", "{1} {0}"),
    ),
    "Somebody is so many years old: she is twelve years old.": (
        ("i < have NUM years > .", "am {1} years old"),
        ("he|she|PERSON < has NUM years > .", "is {1} years old"),
    ),
    "This word goes with another small word, or with none.": (
        ("depend|depends|depended < of|from >", "on"),
        ("interested < on|about|for >", "in"),
        ("discuss|discussed|discusses|discussing < about >", ""),
        ("listen|listens|listening|listened < music|me|him|them|us|her|the|my|your >", "to {0}"),
        ("explain|explains|explained < me|him|us|them > the|that|how|why|what|everything|a|my", "to {0}"),
        ("go|goes|went|going|come|came < to home >", "home"),
        ("similar|married < with > !two|three|kids|children", "to"),
        ("< in > the other hand", "on"),
        ("< in > my point of view", "from"),
        ("< in|at > DAY", "on"),
        ("< in|on > night !time", "at"),
        ("< in > internet", "on the"),
        ("< the most > of people|the|us|them|students|my|our|your|their|these|those", "most"),
        ("each < others > $", "other"),
        ("< a|an other > NOUN|day|time|way", "another"),
        ("< could|should|would|must|might had >", "{0} have"),
    ),
}  # fmt: skip
RULES = tuple(Rule(why, pattern, instead) for why, rows in TABLES.items() for pattern, instead in rows)
