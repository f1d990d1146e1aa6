"""How answers are written: prompt, thresholds and texts of each application, and what answers are made with.

Kinds of message are told without labelled data, by the cosine to a few examples: small talk, by what is replied to it,
and kinds of question (S2-26), each with a description."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from chapterverse.core.errors import ChapterverseError
from chapterverse.core.hits import Vectors
from chapterverse.core.paid_model import PaidModel, no_school_model
from chapterverse.core.ports import Embedder
from chapterverse.core.words import WORD, plain_word
from chapterverse.essays import FEEDBACK_SECONDS
from chapterverse.infrastructure.redaction import PresidioRedactor
from chapterverse.messages import ENGLISH, Message, in_words
from chapterverse.questions.model import Answerability, ConfidenceLevel, Intent, Levels

PASSAGES_READ = Levels(sure=0.80, answers=0.50, near=0.12)  # of the chance that the best sentence answers
ENTRIES_READ = Levels(sure=0.60, answers=0.60, near=0.08)  # or the best entry
SHARE = 3  # an answer takes a draft, its check and a repair, where feedback has many calls: a third of its seconds


@dataclass(frozen=True, slots=True)
class Band:
    """What stands around an answer of one level of confidence. before: the whole answer where nothing is answered. {related}
    stands for titles of close sections, {titles} for entries that may be meant."""

    name: str
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class AnswerStyle:
    """How one application answers. line: format of a source in the prompt, with its attributes. bands: by level.
    related: what {related} stands for if close sections exist. cosines: levels of the best cosine, by the specification.

    doubtful: mean score below which a warning is logged, None for never. scored: how many of the best chunks' scores are
    reported, None for all. sources: chunks that an answer is made from, of those found."""

    name: str
    line: str
    bands: Mapping[ConfidenceLevel, Band]
    cosines: Levels
    related: str = ""
    temperature: float = 0.2
    max_tokens: int = 1_000
    doubtful: float | None = None
    scored: int | None = None
    sources: int = 10

    def judged(self, score: float, read: Levels | None = None) -> Answerability:
        """Whether a source with this score answers. score: the chance of the best sentence or entry by the trained reader, with
        the levels `read`; where nothing can be read, the best cosine."""
        levels = read or self.cosines
        steps = zip(ConfidenceLevel, (levels.sure, levels.answers, levels.near), strict=False)
        return Answerability(score, next((level for level, least in steps if score >= least), ConfidenceLevel.REFUSED))


DOCUMENT_QA = AnswerStyle(
    name="documents",
    line="[{0.number}] {0.section}\n{0.text}",
    bands={  # S2-7, S2-8, S2-9
        ConfidenceLevel.CONFIDENT: Band("high"),
        ConfidenceLevel.POSSIBLE: Band("medium", before="The document may contain what you look for:"),
        ConfidenceLevel.NEAR: Band("near", before="Closest passage; it may not answer your question:"),
        ConfidenceLevel.REFUSED: Band(
            "low",
            before="Not in your documents. They may not contain specific information about this. Try to put the question in "
            "other words, or upload a document that is about it.",
        ),
    },
    cosines=Levels(sure=0.70, answers=0.70, near=0.25),  # S2-7; German questions without an answer reach S2-8's 0.50, too
    doubtful=0.4,  # S2-12
    scored=3,  # S2-5
)

TEXTBOOK_CHAT = AnswerStyle(
    name="textbook",
    line="[{0.number}] Section: {0.section} | Relevance: {0.score:.2f} | {0.text}",  # S4-13
    bands={  # S4-16
        ConfidenceLevel.CONFIDENT: Band("high"),
        ConfidenceLevel.POSSIBLE: Band(
            "low", after="Please check this against the sections named: they may not answer your question fully.{related}"
        ),
        ConfidenceLevel.NEAR: Band("near", before="Closest passage; it may not answer your question:"),
        ConfidenceLevel.REFUSED: Band("none", before="I couldn't find relevant content.{related}"),
    },
    related=" Related topics: {titles}.",
    cosines=Levels(sure=0.7, answers=0.7, near=0.25),  # S4-8
    temperature=0.3,
    sources=5,  # S4-6
)

HELPDESK = AnswerStyle(
    name="helpdesk",
    line="[Source {0.number}] title: {0.title}\ncontent: {0.text}",  # S5-14
    bands={
        ConfidenceLevel.CONFIDENT: Band("found"),
        ConfidenceLevel.POSSIBLE: Band("medium"),  # the page says it in its language
        ConfidenceLevel.NEAR: Band(
            "near",
            before="I am not sure what you mean. Did you mean one of these questions?\n\n{titles}\n\nIf not, please use **Talk "
            "to Human** so an agent can assist you.",
        ),
        ConfidenceLevel.REFUSED: Band(
            "none",
            before="I couldn't find specific information about that in our knowledge base. For accurate help, please use "
            "**Talk to Human** so an agent can assist you.",  # S5-13
        ),
    },
    cosines=Levels(sure=0.65, answers=0.65, near=0.40),  # S5-12; below it titles of entries, and an agent can answer
)


LIKE, LEAD = 0.40, 0.02  # mean cosine to two examples of small talk, and by how much it is above that to any other message
LONGEST_COURTESY, MIN_TELLING = 200, 4  # characters of a message; of a word that tells what it is
SMALL_TALK: Mapping[str, Mapping[str, Sequence[str]]] = {  # examples by language, by the message that replies
    "courtesy_hello": {
        ENGLISH: ("Hello!", "Hi there", "Hey", "Good morning", "Good evening, everyone", "Hello, is anybody there?"),
        "de": ("Hallo", "Guten Tag", "Moin", "Guten Morgen zusammen", "Guten Abend", "Grüß dich"),
    },
    "courtesy_program": {
        ENGLISH: (
            "Are you a bot?",
            "Am I talking to a real person or a computer?",
            "Are you human?",
            "Who are you?",
            "What are you?",
        ),
        "de": ("Bist du ein Bot?", "Rede ich mit einem Menschen?", "Wer bist du?", "Sind Sie ein Computer?"),
    },
    "courtesy_welcome": {
        ENGLISH: (
            "Thank you!",
            "Thanks a lot, that helped.",
            "Thanks for your help",
            "Thank you so much",
            "Great, thank you so much for your help",
            "Thx",
            "Perfect, that is all",
            "Okay, got it",
            "You are very kind",
            "Awesome",
            "That helped me a lot",
            "All good, thanks anyway",
        ),
        "de": ("Vielen Dank für die Hilfe", "Alles klar", "Das war's schon, danke", "Verstanden, danke"),
    },
    "courtesy_goodbye": {
        ENGLISH: ("Bye", "Goodbye, have a nice day", "See you, have a good weekend", "Bye then, take care"),
        "de": ("Auf Wiedersehen", "Tschüss", "Bis dann, schönes Wochenende"),
    },
    "courtesy_sorry": {
        ENGLISH: (
            "I am so upset",
            "This is so frustrating",
            "I feel sad today",
            "Oh no, what a terrible day",
            "I am really annoyed",
        ),
        "de": ("Ich bin so traurig", "Das ist so frustrierend", "Ich bin richtig sauer", "Was für ein schlimmer Tag"),
    },
}
QUESTIONS_TOO = ("courtesy_hello", "courtesy_program")  # may be asked; "Why do people say goodbye?" is no small talk
COURTESIES = [(reply, to, one) for reply, by in SMALL_TALK.items() for to, its in by.items() for one in its]
"""Reply, language and example."""

NO_SMALL_TALK = (
    "Help",
    "It does not work.",
    "Are you open on Saturday mornings?",
    "Can I leave my things with you?",
    "Wie mache ich das?",
    "Ich brauche Hilfe damit.",
    "Ich habe die Frist verpasst.",
)
"""Messages that want an answer, besides INTENTS. Most are German: to an English model all German is alike."""

INTENTS = {  # S2-26
    "definition": "A question about what a term means, or what something is. What is it? How is it defined?",
    "fact": "A question about a name, a number, a place or a date. Who did it? When did it happen? Where is it?",
    "explanation": "A question about why something is so, or how it works. What is the reason? What are the effects?",
    "how-to": "A question about the steps to do something. How do I do it? How can I set it up?",
    "comparison": "A question about the difference between two things. Which is better, the one or the other?",
    "overview": "A question about what a whole text says. What is this document about? Summarise this chapter.",
    "policy": "A question about rules, deadlines, grades or fees of a course or a school. Am I allowed to do this?",
}


def _telling(text: str) -> set[str]:
    return {word for word in map(plain_word, WORD.findall(text)) if len(word) >= MIN_TELLING}


@dataclass(frozen=True)
class AnswerSettings:
    """How answers are made. paid: the language model, None for answers of the sources' own sentences; seconds: its time limit.
    redactor: removes names from texts for the language model. school_model: of a school that has set up one."""

    embedder: Embedder
    paid: PaidModel | None = None
    redactor: PresidioRedactor | None = None
    seconds: float = FEEDBACK_SECONDS / SHARE
    school_model: Callable[[str], PaidModel | None] = no_school_model

    def for_school(self, school: str) -> "AnswerSettings":
        """The same with the school's own language model, where the operator has set none. Raises CatalogUnavailable."""
        model = None if self.paid else self.school_model(school)
        return replace(self, paid=model) if model else self

    def get_ready(self) -> None:
        """Load the embedder and embed the examples, which then takes no time of a question."""
        with suppress(ChapterverseError):  # the question's own error says more
            _ = self._courtesies, self._others

    def intent_of(self, question: str) -> Intent:
        """The kind of the question. Raises EmbedderUnavailable, ModelUnavailable."""
        scores = self._intents @ self.embedder.embed_queries([question])[0]
        return Intent(list(INTENTS)[np.argmax(scores)], float(scores.max()))

    def courtesy(self, message: str) -> str:
        """The reply to small talk, in its language; empty for anything else: also in another language than English, where all
        looks alike, without a word of an example. Raises as intent_of."""
        if len(message) > LONGEST_COURTESY:
            return ""
        [vector] = self.embedder.embed_queries([message])
        cosines = self._courtesies @ vector
        *_, second, best = np.argsort(cosines)
        if (cosines[best] + cosines[second]) / 2 < max(LIKE, np.max(self._others @ vector) + LEAD):
            return ""
        reply, language, _ = COURTESIES[best]
        if "?" in message and reply not in QUESTIONS_TOO:
            return ""
        of_it = " ".join(one for _, to, one in COURTESIES if to == language)
        known = language == ENGLISH or _telling(message) & _telling(of_it)
        return in_words(Message(reply), language) if known else ""

    @cached_property
    def _courtesies(self) -> Vectors:
        return self.embedder.embed_queries([one for *_, one in COURTESIES])

    @cached_property
    def _others(self) -> Vectors:
        return np.concatenate([self._intents, self.embedder.embed_queries(NO_SMALL_TALK)])

    @cached_property
    def _intents(self) -> Vectors:
        return self.embedder.embed_queries(list(INTENTS.values()))
