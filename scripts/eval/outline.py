"""How well rules find an essay's own argument: claim, reasons, kinds of evidence, the other side; and its genre.

    python -m scripts.eval.outline              # the blind half alone
    python -m scripts.eval.outline --build      # the half that the rules were made on
    python -m scripts.eval.outline --build --show   # with every disagreement; never shown for the blind half
    python -m scripts.eval.outline --microtexts SHARED   # 112 texts that people marked; no rule is from them

data/outlines.txt has a sentence a line, with a mark before it: `c` states the claim, `r1` the first reason, `e1:example` is
evidence for it of that kind (`!`: it names a person, place, number, quotation or detail of a book), `x` names the other side,
`-` none of them; an empty line parts paragraphs. Essays and marks were written by a large language model before any rule. A
reason counts as found if a sentence with its mark is named; a claim, if one of the sentences that state it is."""

import argparse
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

from chapterverse.essays.model import Essay, Paragraph, Style, Subject
from chapterverse.essays.outline import EssaySpan, Outline, PieceKind
from chapterverse.essays.task import Genre, WritingTask
from chapterverse.essays.writing.argument import outline_of
from chapterverse.essays.writing.rules import RuleContext
from scripts.eval.key_sentences import as_paragraph, central_claim, holding

DATA = Path(__file__).with_name("data") / "outlines.txt"
HEAD = re.compile(r"=== ([bt]\d+) \| ([\w-]+) \| ([^|]+) \| (.+)")
KINDS = {"figure": PieceKind.STATISTIC, "example": PieceKind.EXAMPLE, "source": PieceKind.SOURCE, "book": PieceKind.SOURCE}


@dataclass
class Marked:
    """An essay with its marks. marks: by paragraph and sentence."""

    id: str
    genre: Genre
    level: str
    task: str
    paragraphs: list[list[tuple[str, str]]] = field(default_factory=lambda: [[]])

    @property
    def essay(self) -> Essay:
        """The essay as the rules read it."""
        made = (tuple(sentence for _, sentence in each) for each in self.paragraphs if each)
        return Essay(None, tuple(Paragraph(" ".join(each), each) for each in made))

    def marks(self, kind: str) -> list[tuple[EssaySpan, str]]:
        """Place and mark of the sentences whose mark begins so."""
        return [(place, mark) for place, mark in self._placed() if mark.startswith(kind)]

    def _placed(self) -> Iterator[tuple[EssaySpan, str]]:
        for number, paragraph in enumerate(each for each in self.paragraphs if each):
            start = 0
            for mark, sentence in paragraph:
                yield EssaySpan(number, start, start + len(sentence)), mark
                start += len(sentence) + 1


def essays() -> Iterator[Marked]:
    """The essays of the data."""
    marked: Marked | None = None
    for line in [*DATA.read_text("utf-8").splitlines(), "=== end"]:
        head = HEAD.fullmatch(line)
        if head or line == "=== end":
            if marked:
                yield marked
            marked = Marked(head[1], Genre(head[2]), head[3], head[4]) if head else None
        elif marked and not line.strip():
            marked.paragraphs.append([])
        elif marked:
            mark, _, sentence = line.partition(" ")
            if mark.startswith("e") and not sentence:
                raise ValueError(line)
            if ":" in mark or mark[0] != "e":
                marked.paragraphs[-1].append((mark, sentence))
            else:  # "e1 example: …" is written "e1:example …"
                raise ValueError(line)


@dataclass
class Score:
    """How often something was named, named rightly, and there to be named."""

    named: int = 0
    right: int = 0
    there: int = 0

    def __str__(self) -> str:
        precision = f"{self.right / self.named:.2f}" if self.named else "–"
        recall = f"{self.right / self.there:.2f}" if self.there else "–"
        return f"precision {precision} of {self.named:3}, recall {recall} of {self.there:3}"


def score(one: Marked, found: Outline, scores: dict[str, Score], show: bool) -> None:
    """Count what was found against the marks."""
    places = dict(one.marks(""))
    claims = {place for place, _ in one.marks("c")}
    _count(scores["claim"], [found.claim] if found.claim else [], claims, at_most_one=True)
    reasons = {mark.split("+")[0] for _, mark in one.marks("r")}
    named = [places.get(each.place, "?") for each in found.reasons]
    scores["reasons"].named += len(named)
    scores["reasons"].right += len({mark for mark in named if mark in reasons})
    scores["reasons"].there += len(reasons)
    _count(scores["other side"], [found.counter] if found.counter else [], {p for p, _ in one.marks("x")}, at_most_one=True)
    gold = dict(one.marks("e"))
    pieces = {piece.place: piece for piece in found.pieces}
    _count(scores["evidence"], list(pieces), set(gold))
    for place, mark in gold.items():
        if piece := pieces.get(place):
            kinds = {KINDS[kind] for kind in mark.partition(":")[2].rstrip("!").split(",")}
            scores["its kind"].named += 1
            scores["its kind"].right += piece.kind in kinds
            scores["its kind"].there += 1
            scores["specific"].named += bool(piece.specific)
            scores["specific"].right += bool(piece.specific) and mark.endswith("!")
            scores["specific"].there += mark.endswith("!")
    of = {p.place: places.get(r.place, "?").removeprefix("r") for r in found.reasons for p in r.pieces}
    scores["its reason"].named += len(of)
    scores["its reason"].right += sum(gold.get(p, "").partition(":")[0] == f"e{number}" for p, number in of.items())
    scores["its reason"].there += sum(not mark.startswith("e-") for mark in gold.values())
    if show:
        show_one(one, found, places)


def _count(score: Score, named: list[EssaySpan], there: set[EssaySpan], *, at_most_one: bool = False) -> None:
    score.named += len(named)
    score.right += sum(each in there for each in named)
    score.there += bool(there) if at_most_one else len(there)


def show_one(one: Marked, found: Outline, places: dict[EssaySpan, str]) -> None:
    """Print the sentences whose marks and outline disagree."""
    print(f"\n=== {one.id} {one.genre}")
    named = {found.claim: "c", found.counter: "x"} | {each.place: "r" for each in found.reasons}
    kinds = {each.place: each.kind.value for each in found.pieces}
    for place, mark in places.items():
        mine = "+".join(filter(None, (named.get(place), kinds.get(place))))
        text = one.essay.paragraphs[place.paragraph].text[place.start : place.end]
        same = (mark[0] == (mine or "-")[0]) or (mark[0] == "e" and place in kinds)
        print(f" {' ' if same else '!'} {mark:18} {mine:12} {text}")


def on_microtexts(shared: Path) -> None:
    """Print the scores of claim and other side on the arg-microtexts, which are one paragraph each."""
    claims, sides = Score(), Score()
    for file in sorted((shared / "data" / "essays" / "arg-microtexts-en").glob("*.xml")):
        paragraph = as_paragraph(file.with_suffix(".txt").read_text("utf-8").strip())
        graph = ElementTree.parse(file).getroot()  # a corpus named by hand
        against = {node.attrib["id"] for node in graph.iter("adu") if node.attrib["type"] == "opp"}
        edges = [edge.attrib for edge in graph.iter("edge") if edge.attrib["type"] == "seg"]
        units = {edge["src"] for edge in edges if edge["trg"] in against}
        opposed = holding([unit.text or "" for unit in graph.iter("edu") if unit.attrib["id"] in units], paragraph)
        look = RuleContext(Subject(Essay(None, (paragraph,)), ()), Style(genre=Genre.ARGUMENTATIVE))
        found = outline_of(look)
        for its, place, gold in (
            (claims, found.claim, holding(central_claim(graph), paragraph)),
            (sides, found.counter, opposed),
        ):
            at = place and paragraph.sentences.index(paragraph.text[place.start : place.end])
            its.named += place is not None
            its.right += at in gold
            its.there += bool(gold)
    print(f"arg-microtexts\n  claim        {claims}\n  other side   {sides}")


def main() -> None:
    """Print the scores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--build", action="store_true")
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--microtexts", type=Path)
    given = parser.parse_args()
    if given.microtexts:
        on_microtexts(given.microtexts)
        return
    half = "b" if given.build else "t"
    names = ("claim", "reasons", "evidence", "its kind", "its reason", "specific", "other side")
    scores = {name: Score() for name in names}
    genres: Counter[bool] = Counter()
    for one in (each for each in essays() if each.id.startswith(half)):
        look = RuleContext(Subject(one.essay, ()), Style(task=WritingTask(one.task)))
        genres[look.genre is one.genre] += 1
        if given.show and given.build and look.genre is not one.genre:
            print(one.id, "genre", look.genre, "not", one.genre)
        score(one, outline_of(look), scores, given.show and given.build)
    print(f"\n{genres.total()} essays, the {'built' if given.build else 'blind'} half; genre right in {genres[True]}")
    for name, its in scores.items():
        print(f"  {name:12} {its}")


if __name__ == "__main__":
    main()
