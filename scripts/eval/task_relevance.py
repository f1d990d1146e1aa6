"""How often rules ask about a paragraph, or a part of the task, that needs no question, and how often about one that does.

    python -m scripts.eval.task_relevance [SHARED]

On the essays of data/outlines.txt: own paragraphs and parts need no question; a paragraph put in from another essay, and the
question of another essay added to the task, do. With SHARED, on real essays with their own task, too: none needs a question,
so each one asked is printed."""

import argparse
import csv
from dataclasses import replace
from pathlib import Path
from random import Random

from chapterverse import composition
from chapterverse.essays.model import Comment, Dimension, Essay, Review, Style, Subject
from chapterverse.essays.task import Genre, WritingTask
from chapterverse.essays.text.parse import parse_essay
from chapterverse.essays.writing.relevance import MIN_WORDS, Embed, parts_of, with_task
from chapterverse.essays.writing.rules import RuleContext
from chapterverse.settings import Settings
from scripts.eval.outline import Marked, essays

PLACE = 2  # of the paragraph that is put in
EACH = 3  # times for each essay


def questions(essay: Essay, task: WritingTask, genre: Genre, embed: Embed) -> tuple[Comment, ...]:
    """What is asked about the task."""
    look = RuleContext(Subject(essay, ()), Style(task=task, genre=genre))
    return with_task(Review(Dimension.CONTENT, ()), look, embed).comments


def on_half(half: list[Marked], embed: Embed) -> None:
    """Print the counts for these essays."""
    rng = Random(2)
    own = needless = foreign = found = more = found_more = 0
    for one in half:
        task = WritingTask(one.task)
        own += len(one.essay.paragraphs) + len(parts_of(task))
        needless += len(questions(one.essay, task, one.genre, embed))
        for other in rng.sample([each for each in half if each is not one], EACH):
            long = [each for each in other.essay.paragraphs if len(each.text.split()) >= MIN_WORDS]
            if long and one.genre is not Genre.NARRATIVE and len(one.essay.paragraphs) > PLACE:
                paragraphs = one.essay.paragraphs
                mixed = replace(one.essay, paragraphs=(*paragraphs[:PLACE], rng.choice(long), *paragraphs[PLACE:]))
                places = [each.paragraph for each in questions(mixed, task, one.genre, embed)]
                foreign, found = foreign + 1, found + (PLACE in places)
                needless += len(set(places) - {PLACE})
            longer = WritingTask(f"{one.task} {other.task}")
            asked = [each for each in questions(one.essay, longer, one.genre, embed) if each.rule == "task.part"]
            more, found_more = more + 1, found_more + bool(asked)
    print(f"  own paragraphs and parts {own}, needless questions {needless}")
    print(f"  foreign paragraphs {foreign}, asked about {found}; foreign questions {more}, asked about {found_more}")


def on_real(shared: Path, embed: Embed) -> None:
    """Print the questions on real essays, whose tasks they were written for."""
    table = shared / "data" / "essays" / "persuade2-sample" / "persuade_2.0_sample.csv"
    paragraphs = asked = 0
    with table.open(encoding="utf-8") as rows:
        for row in csv.DictReader(rows):
            essay = parse_essay(row["full_text"])
            paragraphs += len(essay.paragraphs)
            for each in questions(essay, WritingTask(row["assignment"]), Genre.ARGUMENTATIVE, embed):
                asked += 1
                print(f"    {each.rule}: {essay.paragraphs[each.paragraph or 0].text[:100]}")
    print(f"  real essays: {paragraphs} paragraphs, questions {asked}")


def main() -> None:
    """Print the counts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shared", nargs="?", type=Path)
    given = parser.parse_args()
    embed = composition.embedder(Settings()).embed_queries
    for name, half in (("built", "b"), ("blind", "t")):
        print(name)
        on_half([each for each in essays() if each.id.startswith(half)], embed)
    if given.shared:
        on_real(given.shared, embed)


if __name__ == "__main__":
    main()
