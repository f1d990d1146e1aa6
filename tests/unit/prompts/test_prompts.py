import re
from importlib.resources import files
from typing import Any

import pytest
from pydantic import BaseModel

from chapterverse.citations.second_reading import Finding, Findings
from chapterverse.essays.compare import RevisionAnswer
from chapterverse.essays.writing.forms import ClaimsAnswer, CommentsAnswer, LanguageAnswer, RepairAnswer, RightCorrections
from chapterverse.infrastructure.llm.streaming import inlined
from chapterverse.prompts import prompt
from chapterverse.questions.compose import AnswerDraft
from chapterverse.search.evaluation import WrittenVariants

NAMES = [file.name.removesuffix(".md") for file in files("chapterverse.prompts").iterdir() if file.name.endswith(".md")]


@pytest.mark.parametrize("name", NAMES)
def test_every_prompt_has_a_version_and_is_loaded_by_name(name: str) -> None:
    assert re.fullmatch(r"[a-z-]+-\d+", name)
    assert prompt(name).template.strip()


FORMS = [ClaimsAnswer, CommentsAnswer, LanguageAnswer, RepairAnswer, RightCorrections, RevisionAnswer, AnswerDraft, Finding]


@pytest.mark.parametrize("form", [*FORMS, Findings, WrittenVariants], ids=lambda form: form.__name__)
def test_no_answer_that_is_asked_for_can_be_endless(form: type[BaseModel]) -> None:
    todo: list[Any] = [inlined(form.model_json_schema())]
    for each in todo:
        todo += each.values() if isinstance(each, dict) else each if isinstance(each, list) else ()
    parts = [each for each in todo if isinstance(each, dict)]

    assert all("maxItems" in each for each in parts if each.get("type") == "array")
    assert all(each.keys() & {"maxLength", "enum"} for each in parts if each.get("type") == "string")
