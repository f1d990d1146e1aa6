"""Kinds of message, without labelled data: by the cosine to a few examples. Greetings and thanks (small talk), and kinds of
question (S2-26), each with a description and typical questions without a subject."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from chapterverse.core.hits import Vectors
from chapterverse.messages import ENGLISH, message
from chapterverse.questions.model import Intent, IntentName

HELLO, WELCOME = message("courtesy_hello"), message("courtesy_welcome")
LIKE, LEAD = 0.40, 0.02  # mean cosine to two examples of small talk, and by how much it is above that to any other message
LONGEST_COURTESY = 200  # characters
GREETINGS = {
    ENGLISH: ("Hello!", "Hi there", "Hey", "Good morning", "Good evening, everyone", "Hello, how are you?"),
    "de": ("Hallo", "Guten Tag", "Moin", "Guten Morgen zusammen", "Guten Abend", "Grüß dich"),
}
THANKS = {
    ENGLISH: (
        "Thank you!",
        "Thanks a lot, that helped.",
        "Thanks for your help",
        "Thank you so much",
        "Great, thank you so much for your help",
        "Thx",
        "Cheers",
        "Perfect, that is all",
        "Great, that is just what I needed",
        "Okay, got it",
        "Never mind",
        "You are very kind",
        "Awesome",
        "Bye",
        "Goodbye, have a nice day",
        "No further questions",
        "Makes sense, thank you",
        "Nice",
        "That helped me a lot",
        "All good, thanks anyway",
    ),
    "de": (
        "Danke",
        "Vielen Dank für die Hilfe",
        "Alles klar",
        "Tschüss, schönen Tag noch",
        "Auf Wiedersehen",
        "Das war's schon, danke",
        "Das hat mir weitergeholfen",
        "Verstanden, danke",
        "Gut, dann weiß ich Bescheid",
    ),
}


COURTESIES = [(reply, to, one) for reply, by in ((HELLO, GREETINGS), (WELCOME, THANKS)) for to in by for one in by[to]]
"""Reply, language and example."""

NO_SMALL_TALK = (
    "It does not work.",
    "That did not help.",
    "Help",
    "Thanks, and when is it?",
    "Are you open then?",
    "Es funktioniert nicht.",
    "Wie mache ich das?",
    "Wie lange dauert es?",
    "Ich brauche Hilfe damit.",
    "Das stimmt nicht.",
    "Das hat nicht geholfen.",
    "Ich möchte mit jemandem sprechen.",
    "Ich habe etwas verloren.",
    "Ich habe die Frist verpasst.",
    "Ich bin krank, was muss ich tun?",
    "Danke, und wann ist das?",
    "Hallo, wo finde ich das?",
    "Anmeldung",
    "Hilfe",
    "Zählt das mit?",
    "Kann ich das verschieben?",
    "Was mache ich jetzt?",
    "Wo muss ich hin?",
    "Gilt das auch für mich?",
)
"""Messages that want an answer, besides INTENT_EXAMPLES. Many are German: to an English model all German is alike."""

INTENT_EXAMPLES: Mapping[IntentName, tuple[str, ...]] = {
    IntentName.DEFINITION: (
        "A question about what a term means, or what something is.",
        "What is it?",
        "What does this word mean?",
        "How is the term defined?",
        "Define this concept.",
    ),
    IntentName.FACT: (
        "A question about a name, a number, a place or a date that a text tells.",
        "Who did it?",
        "When did it happen?",
        "How many are there?",
        "Where is it?",
    ),
    IntentName.EXPLANATION: (
        "A question about why something is so, or how it works.",
        "Why is that so?",
        "What is the reason for it?",
        "How does it work?",
        "What are the effects of it?",
    ),
    IntentName.HOW_TO: (
        "A question about the steps to do something.",
        "How do I do it?",
        "What are the steps to do this?",
        "How can I set it up?",
        "Show me how to fix it.",
    ),
    IntentName.COMPARISON: (
        "A question about the difference between two things.",
        "What is the difference between the two?",
        "Which is better, the one or the other?",
        "Compare the two.",
        "What are the advantages over the alternative?",
    ),
    IntentName.OVERVIEW: (
        "A question about what a whole text says.",
        "What is this document about?",
        "Summarise this chapter.",
        "What are the main points?",
        "Give me an overview.",
    ),
    IntentName.POLICY: (
        "A question about rules, deadlines, grades, fees or forms of a course or a school.",
        "What is the deadline?",
        "Am I allowed to do this?",
        "How much of the grade is the exam?",
        "What happens if I hand it in late?",
        "Whom do I contact about this course?",
    ),
}


def likeliest(question: NDArray[np.float32], examples: Mapping[IntentName, Vectors]) -> Intent:
    """The intent whose mean example is closest. question: (d,), unit norm; examples: (n, d) of each intent, unit norm."""
    means = {intent: vectors.mean(axis=0) for intent, vectors in examples.items()}
    scores = {intent: float(question @ mean / np.linalg.norm(mean)) for intent, mean in means.items()}
    best = max(scores, key=lambda intent: scores[intent])
    return Intent(best, scores[best])
