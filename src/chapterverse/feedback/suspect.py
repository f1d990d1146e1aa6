"""Sentences that no feedback of ours holds, whoever wrote them: a model that obeys an essay or a book writes such."""

import re

MARK = re.compile(  # feedback gives no marks
    r"\b\d{1,3}\s*(/|out of)\s*\d{1,3}\b|\b100\s*(%|per ?cent|points)|\b(?-i:A)\+|\bstraight As?\b"
    r"|\b(full|top|best|perfect|highest|maximum)\s+(possible\s+)?(marks?|scores?|grades?|points)\b"
    r"|\b(marks?|scores?|scored|grades?|graded|points)\s*(of|is|as|:|=|at)?\s*(\d|(?-i:[A-F])\b|full|perfect)",
    re.IGNORECASE,
)
WHOLESALE = re.compile(  # praise or blame of the whole, of which nobody learns anything
    r"\b(perfect|flawless|faultless|best (essay|text|work)|nothing (left )?to (improve|change|correct|add))\b"
    r"|\b(stupid|idiot\w*|dumb|moron\w*|worthless|pathetic|loser)\b",
    re.IGNORECASE,
)
ELSEWHERE = re.compile(r"https?:|www\.|\w+@\w+\.\w|<\s*[a-z!/]|\]\(|```|javascript:|\bclick\b|\bpassword\b", re.IGNORECASE)
OBEYING = re.compile(
    r"\b(ignor\w*|disregard\w*|overrid\w*|forget\w*|bypass\w*)\b.{0,40}\b(instruction|rule|prompt|guideline|check|teacher)"
    r"|\b(system|developer|hidden|secret|initial)\s+(prompt|message|instruction|mode)|\bas (an ai|a language model)\b"
    r"|^\s*(system|assistant|user|developer)\s*:|\b(my|your) (instructions|prompt)\b|\bjailbr|\bpwned\b"
    r"|\bi (will|must|am told to) obey",
    re.IGNORECASE,
)
PLACE = re.compile(r"\b(pages?|chapters?|p\.|ch\.)\s*#?(?P<label>\d+|[ivxlc]+)\b", re.IGNORECASE)
OF_BOOKS = re.compile(r"\b(books?|authors?|novels?|according to|evidence)\b", re.IGNORECASE)
NUMBERED = re.compile(r"(?:\bevidence\s*(?:no\.?|number)?\s*#?\s*|#|\[)(?P<number>\d+)\b", re.IGNORECASE)


def is_suspect(sentence: str, tag: str) -> bool:
    """A mark, wholesale praise or blame, a way out of this page, talk of instructions, or the tag that fences what others wrote
    (feedback.prompting)."""
    return tag in sentence or any(each.search(sentence) for each in (MARK, WHOLESALE, ELSEWHERE, OBEYING))


def numbers_in(sentence: str) -> set[int]:
    """Evidence that it names."""
    return {int(found["number"]) for found in NUMBERED.finditer(sentence)}


def labels_in(sentence: str) -> set[str]:
    """Pages and chapters that it names."""
    return {found["label"].lower() for found in PLACE.finditer(sentence)}
