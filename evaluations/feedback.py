"""Feedback by a language model that somebody plays: prompts go out as a file, answers come back as a file, until none is open.

    CHAPTERVERSE_HOME=… python -m evaluations.feedback FOLDER

FOLDER/essays/*.md: an essay each; FOLDER/tasks.json, if there is one: {essay: {"task", "grade"}}. Each run writes
FOLDER/open.json, a list of {"id", "instructions", "material", "schema"}; put the answers, {id: an object of that schema}, in a
file FOLDER/answers-*.json and run it again. When nothing is open, the feedback stands in FOLDER/feedback/, as the product shows
it, and FOLDER/plain/ has the plain prompt with the same evidence for each essay: the baseline."""

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import typer

from chapterverse import composition
from chapterverse.citations.model import Evidence
from chapterverse.citations.passages import evidence_block
from chapterverse.core.hits import Scope
from chapterverse.core.paid_model import PaidModel
from chapterverse.core.ports import ModelAnswer, Usage
from chapterverse.essays.batch.prediction import PaidBefore, RecordedPrompt, prompts_on
from chapterverse.essays.render import feedback_markdown
from chapterverse.essays.service import EssayContext, FeedbackOptions, FeedbackRequest, feedback_on
from chapterverse.essays.task import WritingTask
from chapterverse.infrastructure.quotas import SqlLedger
from chapterverse.settings import read_settings
from scripts.bench.simulated_model import SimulatedModel

PLAIN = """\
You give feedback on a student's essay. The student is in grade {grade} and reads it without help. Write in the essay's
language.

Content: {use}comment on relevance to the topic, depth of ideas, and sufficiency of supporting details.{cite} Expressions:
grammar, vocabulary, sentence variety, fluency. Features: form, tone, consistency.

Write to the student, in three sections with these names, 250 to 400 words in all. Begin with what matters most. Give no mark.

{evidence}
{task}
Essay:
{essay}
"""
USE = "use the retrieved sentences to "
CITE = """ Cite evidence by
number, for example (Evidence #1), and say what each sentence that you cite does to the student's claim. Leave out evidence that
does not help."""


def read_answers(folder: Path) -> dict[str, ModelAnswer]:
    """All answers so far, by the digest of their prompts."""
    files = sorted(folder.glob("answers-*.json"))
    return {id: ModelAnswer(value, Usage()) for file in files for id, value in json.loads(file.read_text("utf-8")).items()}


def paid_by(folder: Path) -> PaidModel:
    """A model that costs nothing and is never asked."""
    return PaidModel(SimulatedModel(), SqlLedger(f"sqlite:///{folder.absolute()}/ledger.db"), ceiling=10**12, name="played")


def write_open(folder: Path, unanswered: dict[str, RecordedPrompt], answered: int) -> None:
    """The open prompts as FOLDER/open.json."""
    listed = [
        {"id": id, "instructions": one.prompt.instructions, "material": one.prompt.material, "schema": one.schema}
        for id, one in unanswered.items()
    ]
    (folder / "open.json").write_text(json.dumps(listed, ensure_ascii=False, indent=1), "utf-8")
    print(f"{len(listed)} open prompts in {folder / 'open.json'}, {answered} answered")


def played(context: EssayContext, folder: Path, answers: dict[str, ModelAnswer]) -> EssayContext:
    """The context with a model that has only these answers."""
    writing = replace(context.writing, paid=PaidBefore.of(paid_by(folder), answers), seconds=math.inf)
    return replace(context, writing=writing, history=replace(context.history, days=0))


def read_requests(folder: Path, scope: Scope) -> dict[str, FeedbackRequest]:
    """The essays with their tasks, by name."""
    file = folder / "tasks.json"
    tasks = json.loads(file.read_text("utf-8")) if file.exists() else {}

    def options(stem: str) -> FeedbackOptions:
        if stem not in tasks:
            return FeedbackOptions()
        return FeedbackOptions(task=WritingTask(tasks[stem]["task"]), grade=tasks[stem]["grade"])

    essays = sorted((folder / "essays").glob("*.md"))
    return {path.stem: FeedbackRequest(path.read_text("utf-8"), scope, options(path.stem)) for path in essays}


def plain_prompt(request: FeedbackRequest, shown: Sequence[Evidence]) -> str:
    """The plain prompt with what the product was given, too. shown: what it showed; without it, nothing is said of evidence."""
    task = f"\nTask: {request.options.task.text}\n" if request.options.task else ""
    use, cite, block = (USE, CITE, evidence_block(shown)) if shown else ("", "", "")
    grade = request.options.grade or "7 to 9"
    return PLAIN.format(grade=grade, use=use, cite=cite, evidence=block, task=task, essay=request.text)


def main(folder: Path) -> None:
    settings, answers = read_settings(), read_answers(folder)
    context = played(composition.essay_context(settings, composition.compose(settings)), folder, answers)
    requests = read_requests(folder, Scope(settings.school))
    unanswered: dict[str, RecordedPrompt] = {}
    for request in requests.values():
        unanswered |= prompts_on(request, context, answers)
    write_open(folder, unanswered, len(answers))
    if not unanswered:
        for name in ("feedback", "plain"):
            (folder / name).mkdir(exist_ok=True)
        for stem, request in requests.items():
            feedback = feedback_on(request, context)
            (folder / "feedback" / f"{stem}.md").write_text(feedback_markdown(feedback), "utf-8")
            plain = plain_prompt(request, feedback.evidence.evidence)
            (folder / "plain" / f"{stem}.md").write_text(plain, "utf-8")
            print(f"{stem}: {len(feedback.comments)} comments, {len(feedback.evidence.evidence)} pieces of evidence")


if __name__ == "__main__":
    typer.run(main)
