"""A managed language model, simulated: the time to its first token, its pace and how many calls it answers at once, and answers
that have the form of its prompts. What it says is made of the words of its material, so that checks of form hold."""

import json
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from threading import Lock, Semaphore
from typing import Any

from chapterverse.citations.second_reading import Finding, Findings
from chapterverse.core.ports import AnswerPiece, ModelAnswer, Prompt, Schema, Usage
from chapterverse.essays.compare import RevisionAnswer
from chapterverse.essays.writing import forms

CHARACTERS_A_TOKEN = 4
TOKENS_A_PIECE = 8
Answerer = Callable[[str, str], Mapping[str, Any]]
"""An answer, given the title of its form and the material of the prompt."""
_BLOCK = re.compile(
    r"^(?P<tag>[0-9a-f]{16}) (?P<name>[^\n]*) begins\n(?P<text>.*?)\n(?P=tag) (?P=name) ends$", re.DOTALL | re.MULTILINE
)
_NUMBER = re.compile(r"^(\d+)\. ", re.MULTILINE)


def blocks_in(material: str) -> dict[str, str]:
    """The blocks of a prompt's material, by name."""
    return {found["name"]: found["text"] for found in _BLOCK.finditer(material)}


def title_of(schema: Mapping[str, Any]) -> str:
    """The form that a schema describes, by its fields: a server may get it without its title."""
    return TITLES[frozenset(schema["properties"])]


def answer(title: str, material: str) -> Mapping[str, Any]:
    """An answer of about the usual length, in that form."""
    return ANSWERS[title](blocks_in(material))


Blocks = Mapping[str, str]
_SHORT = "This word says more than you show here. Which word would your reader believe without another reason?"


def _numbers(text: str) -> list[int]:
    return [int(number) for number in _NUMBER.findall(text)]


def _claims(blocks: Blocks) -> Mapping[str, Any]:
    return {"queries": [blocks["paragraph"][:90], blocks["paragraph"][-90:]]}


_PARAGRAPH = re.compile(r"^\[(\d+)\] (.*)", re.MULTILINE)


def _comments(blocks: Blocks) -> Mapping[str, Any]:
    cited = _numbers(blocks.get("evidence", ""))[:1]  # by the first comment
    summary = (
        "Your point is clear from the start and you give reasons for it, so that a reader can follow you to the end. Begin with"
        " the reason that needs thought: what would somebody say who does not agree with it? After that look at your last"
        " paragraph."
    )
    long, short = _drafts(blocks, "content", 5, cited), _drafts(blocks, "features", 3, [])
    return {"comments": [*long, *({**one, "comment": _SHORT} for one in short)], "summary": summary}


def _drafts(blocks: Blocks, part: str, count: int, cited: list[int]) -> list[Mapping[str, Any]]:
    return [
        {
            "paragraph": int(number),
            "words": " ".join(text.split()[:9]),
            "part": part,
            "kind": "question",
            "evidence": [{"number": each, "relation": "supports"} for each in ([] if at else cited)],
            "see": [],
            "criterion": 0,
            "comment": _cited([] if at else cited),
        }
        for at, (number, text) in enumerate((_PARAGRAPH.findall(blocks["essay"]) * count)[:count])
    ]


ANSWERS: Mapping[str, Callable[[Blocks], Mapping[str, Any]]] = {
    "ClaimsAnswer": _claims,
    "CommentsAnswer": _comments,
    "LanguageAnswer": lambda _: {"rules": []},
    "Findings": lambda blocks: {"problems": [], "right": _numbers(blocks["comments"])},
    "Finding": lambda _: {"problem": "", "true_of_words": True, "true_of_sources": True, "decent": True},
    "RightCorrections": lambda blocks: {"right": _numbers(blocks["corrections"]), "misleading": []},
    "RepairAnswer": lambda _: {
        "comment": "What would a reader ask you at these words, and how would you answer?",
        "kind": "question",
        "evidence": [],
    },
    "RevisionAnswer": lambda _: {"changes": [], "comments": []},
}


OF_ESSAYS = ("ClaimsAnswer", "CommentsAnswer", "LanguageAnswer", "RightCorrections", "RepairAnswer")
FORMS = (Findings, Finding, RevisionAnswer, *(getattr(forms, name) for name in OF_ESSAYS))
TITLES: Mapping[frozenset[str], str] = {frozenset(form.model_fields): form.__name__ for form in FORMS}


def _cited(useful: list[int]) -> str:
    named = f" Evidence #{useful[0]} says much the same and could carry your point." if useful else ""
    asks = "What reason could you add here so that a reader who doubts it would follow you?"
    return f"You make your point plainly in these words, and it matters for the whole.{named} {asks}"


@dataclass
class SimulatedModel:
    """A LanguageModel. first: seconds to the first token; pace: tokens a second; at_once: calls answered side by side."""

    first: float = 0.4
    pace: float = 120.0
    at_once: int = 8
    model: str = "simulated"
    answer: Answerer = answer
    asked: list[tuple[Prompt, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._room, self._lock = Semaphore(self.at_once), Lock()

    def generate(self, prompt: Prompt, schema: Schema, deadline: float) -> ModelAnswer:
        """One JSON object."""
        pieces = list(self.stream(prompt, schema, deadline))
        return ModelAnswer(json.loads("".join(piece.text for piece in pieces)), pieces[-1].usage or Usage())

    def stream(self, prompt: Prompt, schema: Schema, deadline: float) -> Iterator[AnswerPiece]:  # noqa: ARG002
        """The answer, piece by piece, at the model's pace."""
        title = title_of(schema)
        with self._lock:
            self.asked.append((prompt, title))
        with self._room:
            text = json.dumps(self.answer(title, prompt.material), ensure_ascii=False)
            time.sleep(self.first)
            step = TOKENS_A_PIECE * CHARACTERS_A_TOKEN
            for start in range(0, len(text), step):
                piece = text[start : start + step]
                time.sleep(len(piece) / CHARACTERS_A_TOKEN / self.pace if self.pace else 0)
                yield AnswerPiece(piece)
        read = (len(prompt.instructions) + len(prompt.material)) // CHARACTERS_A_TOKEN
        yield AnswerPiece("", Usage(read, len(text) // CHARACTERS_A_TOKEN))
