"""What feedback by rules looks like on real essays: breaches of the contract, how much is said, and how much of it is right.

    CHAPTERVERSE_HOME=… python -m scripts.eval.feedback [SHARED]            # the figures; the home holds a book or two
    CHAPTERVERSE_HOME=… python -m scripts.eval.feedback [SHARED] --show     # every comment beside its words, to be judged
    CHAPTERVERSE_HOME=… python -m scripts.eval.feedback --written tuning    # tuning, blind, or a file like them
    CHAPTERVERSE_HOME=… python -m scripts.eval.feedback --essays FOLDER     # on other essays, one Markdown file each

Comments are judged by reading what --show prints, rule by rule, under this rubric. Right: what it says of the essay is true, a
teacher would say it to this student here, and doing it makes the essay better. Wrong: anything else, also what is true and
beside the point. The priorities are agreed with if each of them is right, and one of what is to be done next is what the
reader wrote down first or second, before seeing any. The essays are not ours to copy, so
data/feedback_judged.json keeps counts alone: of each rule how many were right, and how many were judged; and of how many
essays the priorities were those that the reader would have chosen, too."""

import argparse
import csv
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from chapterverse import composition
from chapterverse.core.hits import Scope
from chapterverse.essays.model import Comment, CommentKind, Dimension, Feedback, Item, Style, sources_in, subject_of
from chapterverse.essays.service import FeedbackOptions, FeedbackRequest, feedback_on
from chapterverse.essays.task import WritingTask
from chapterverse.essays.writing.drafts import breaches
from chapterverse.essays.writing.genre import genre_of
from chapterverse.settings import read_settings
from scripts.eval.shared import shared_folder

DATA = Path(__file__).with_name("data")
JUDGED = DATA / "feedback_judged.json"
WRITTEN = DATA / "feedback_essays"
EACH = 8  # essays of each set
SECONDS = 60.0  # for an essay: here nothing is to be left out


def essays_in(shared: Path, each: int, skip: int) -> Iterator[tuple[str, str]]:
    """Name and text of essays: of two sets of school essays every 7th, and those that the evidence was judged on."""
    sets = shared / "data" / "essays"
    persuade = sets / "persuade2-sample" / "persuade_2.0_sample.csv"
    sources = sets / "source-based-persuade-2prompts"
    for table, column in (
        (persuade, "full_text"),
        (next(sources.glob("essays_prompt0*.csv")), "text"),
    ):
        with table.open(encoding="utf-8") as rows:
            for number, row in islice(enumerate(csv.DictReader(rows)), skip, skip + 7 * each, 7):
                yield f"{table.stem}-{number}", row[column]
    yield from ((path.stem, path.read_text("utf-8")) for path in sorted((shared / "retrieval/judged/essays").glob("*.md")))


def written(name: str) -> Iterator[tuple[str, str, WritingTask]]:
    """Name, text and task of our own essays, "tuning", "blind" or another file's, without what their author would say first."""
    file = WRITTEN / f"{name}.txt"
    for block in (file if file.exists() else Path(name)).read_text("utf-8").split("\n== "):
        head, *lines = block.removeprefix("== ").strip().splitlines()
        own = "\n".join(line for line in lines if line[:2] not in {"! ", "< "}).strip()
        sources = tuple(line[2:] for line in lines if line.startswith("< "))
        yield head.partition(" |")[0], own, WritingTask(head.rpartition("| ")[2], sources)


def breaches_of(feedback: Feedback) -> Iterator[str]:
    """What the feedback breaks of the contract, comment by comment, and as a whole."""
    subject = subject_of(feedback.evidence)
    style, sources = Style(), sources_in(subject)
    for comment in comments_of(feedback):
        yield from breaches(comment, subject.essay, style, sources)
    first = feedback.arranged.first
    if len(first) > 3 or sum(one.kind is CommentKind.WORKS for one in first) > 1:
        yield "priorities"


def comments_of(feedback: Feedback) -> list[Comment]:
    """All comments of the feedback."""
    return list(chain.from_iterable(review.comments for review in feedback.reviews))


def show(name: str, feedback: Feedback) -> None:
    """Print each comment beside the words that it is about, and the priorities."""
    essay = subject_of(feedback.evidence).essay
    print(f"\n=== {name} ({genre_of(essay)})")
    by_item = {Item(r.dimension.value, one.number): one for r in feedback.reviews for one in r.comments}
    for group in feedback.arranged.first:
        print(f"  FIRST {group.kind} ×{len(group.items)}: {by_item[group.items[0]].text}")
    for one in by_item.values():
        words = essay.paragraphs[one.paragraph or 0].text[slice(*one.about or (0, 60))]
        print(f"  [{one.rule}] {one.paragraph} «{words}» {one.text} {one.instead or ''}")
        for cited in one.citations:
            print(f"      BOOK: {cited.evidence.passage.sentence.text}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", nargs="?", type=Path)
    parser.add_argument("--essays", type=Path)
    parser.add_argument("--written")
    parser.add_argument("--each", type=int, default=EACH)
    parser.add_argument("--skip", type=int, default=0)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    if given.written:
        essays = list(written(given.written))
    elif given.essays:
        essays = [(path.stem, path.read_text("utf-8"), WritingTask()) for path in sorted(given.essays.glob("*.md"))]
    else:
        found = essays_in(shared_folder(given.shared, "data/essays").parents[1], given.each, given.skip)
        essays = [(name, text, WritingTask()) for name, text in found]
    settings = read_settings()
    context = composition.essay_context(settings, composition.compose(settings))
    context = replace(context, writing=replace(context.writing, seconds=SECONDS, proof_seconds=SECONDS))
    broken: Counter[str] = Counter()
    rules: Counter[str] = Counter()
    questions: list[bool] = []
    for name, text, task in essays:
        options = FeedbackOptions(task=task if task.text else None)
        feedback = feedback_on(FeedbackRequest(text, Scope(settings.school), options), context)
        broken.update(breaches_of(feedback))
        rules.update(one.rule or "other" for one in comments_of(feedback))
        content = [one for r in feedback.reviews if r.dimension is Dimension.CONTENT for one in r.comments]
        questions += ["?" in one.text for one in content]
        if given.show:
            show(name, feedback)
    print(f"\n{len(essays)} essays, {rules.total() / len(essays):.1f} comments an essay")
    print(f"questions among comments on content: {sum(questions) / max(len(questions), 1):.2f} of {len(questions)}")
    print(f"breaches of the contract: {broken.total()} {dict(broken) or ''}")
    judged = json.loads(JUDGED.read_text("utf-8")) if JUDGED.exists() else {"rules": {}, "priorities": []}
    right, of = (sum(one[at] for one in judged["rules"].values()) for at in (0, 1))
    print(f"judged by reading: {right} of {of} right, priorities agreed with in {judged['priorities']}")
    for name, one in judged.items():
        if isinstance(one, dict) and "right" in one:
            print(f"  {name}: {one['right'][0]} of {one['right'][1]} right, priorities agreed with in {one['priorities']}")
    for rule, count in sorted(rules.items()):
        right, of = judged["rules"].get(rule, (0, 0))
        print(f"  {rule:24} {count:4} comments, right {f'{right / of:.2f} of {of}' if of else '– not judged'}")


if __name__ == "__main__":
    main()
