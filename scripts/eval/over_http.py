"""Documents and help desk of one running school that has both, asked over HTTP as a program asks them: docs/quality.md.

    python -m scripts.eval.over_http --at http://127.0.0.1:8080 --key TEACHERS_KEY [SHARED] [--each 300] [--only desk]

The school gets our twelve documents of scripts/eval/data/questions and, with SHARED, the entries of StackFAQ but for a fifth:
who asks for one of those asks for what has no answer yet. What else the school has stays. Rare words are counted over all of
it, and the help desk measures its threshold by itself. Intervals: 95 %, bootstrapped over documents or entries."""

import argparse
import csv
import random
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from chapterverse.web.auth import PERSON
from evaluations.measures import auroc
from scripts.eval.shared import of
from scripts.eval.written_courses import GRADED, TUNING, AskedQuestion, cases, files, has_words

SEED, FOLDS, DRAWS, PEOPLE, SECONDS = 7, 5, 1_000, 40, 0.5
WAITING = {"state": "waiting"}
Asked = list[tuple[str, float]]
"""What each is about, and whether it is so or how likely."""


@dataclass(frozen=True)
class School:
    """A school behind its interface."""

    http: httpx.Client

    def __call__(self, method: str, path: str, **more: Any) -> Any:
        """The JSON of the response, as one of PEOPLE at a time."""
        person = {PERSON: f"person {random.randrange(PEOPLE)}"}
        while True:
            answer = self.http.request(method, path, headers=person, **more)
            if answer.status_code != httpx.codes.TOO_MANY_REQUESTS:
                break
            time.sleep(float(answer.headers["Retry-After"]))
        answer.raise_for_status()
        return answer.json()

    def wait_for(self, path: str, done: Callable[[Any], bool]) -> Any:
        """The JSON at the path once it is done."""
        while not done(state := self("GET", path)):
            time.sleep(SECONDS)
        return state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shared", type=Path, nargs="?")
    parser.add_argument("--at", required=True)
    parser.add_argument("--key", required=True)
    parser.add_argument("--only", choices=["documents", "desk"])
    parser.add_argument("--each", type=int, default=300, help="questions of a kind")
    given = parser.parse_args()
    with httpx.Client(base_url=f"{given.at}/api/v1", headers={"X-Api-Key": given.key}, timeout=120) as http:
        school = School(http)
        documents = {name: added(school, file, data) for name, file, data in files()} if given.only != "desk" else {}
        faq, questions = (
            of(given.shared, "helpdesk").stackfaq(stackfaq(given.shared))
            if given.shared and given.only != "documents"
            else ([], [])
        )
        left_out = {entry for entry in range(len(faq)) if entry % FOLDS == 0}
        if faq:
            print(f"the help desk answers from {measured(school, faq, left_out):.3f}")
        for name, names in (("tuning", TUNING), ("graded", GRADED)):
            if documents:
                report_documents(name, drawn(list(cases(names)), given.each), documents, school)
        if faq:
            titles = {entry: question for entry, (question, _) in enumerate(faq)}
            report_desk(drawn(questions, 2 * given.each), titles, left_out, school)
            report_bank(given.shared, given.each, school)


def drawn(all_: Sequence[Any], number: int) -> list[Any]:
    return random.Random(SEED).sample(all_, min(number, len(all_)))


def stackfaq(shared: Path) -> Path:
    return shared / "data/helpdesk/stackfaq/stackExchange-FAQ.json"


def added(school: School, file: str, data: bytes) -> str:
    """The id of the document once it is searched."""
    source = school("POST", "/collections/documents/sources", files={"file": (file, data)})["source"]
    school.wait_for(f"/collections/documents/sources/{source}", lambda told: told["state"] in ("ready", "failed"))
    return str(source)


def measured(school: School, faq: Sequence[tuple[str, str]], left_out: set[int]) -> float:
    """The threshold of the help desk with these entries, once it has measured it."""
    there = [
        {"question": question, "answer": answer, "source_id": str(entry)}
        for entry, (question, answer) in enumerate(faq)
        if entry not in left_out
    ]
    for source in school("POST", "/faq/lists", json={"entries": there, "approved": True})["sources"]:
        school.wait_for(f"/collections/helpdesk/sources/{source['source']}", lambda told: told["state"] == "ready")
    told = school.wait_for(
        "/calibrations/helpdesk", lambda told: told["measurement"] and told["measurement"]["state"] != "waiting"
    )
    return float(told["picture"]["least"] if told["in_use"] else told["bands"][0]["least"])


def report_documents(name: str, asked: Sequence[AskedQuestion], documents: dict[str, str], school: School) -> None:
    """What is found, shown and refused of the questions."""
    found, shown, scores = Asked(), Asked(), defaultdict[str, list[float]](list)
    refused = defaultdict[str, Asked](list)
    for one in asked:
        answer = school("POST", "/documents/ask", json={"question": one.question, "documents": [documents[one.document]]})
        refused[one.kind].append((one.document, answer["nothing"]))
        scores[one.kind].append((answer["confidence"]["answerable"] or {"score": 0.0})["score"])
        if one.kind == "answered":
            sources = " ".join(source["text"] for source in answer["sources"])
            found.append((one.document, has_words(one.answer, sources)))
            shown.append((one.document, has_words(one.answer, " ".join(claim["text"] for claim in answer["claims"]))))
    print(f"documents, {name}: {len(found)} answered; found in three {share(found)}, shown {share(shown)}")
    print("  refused: " + "; ".join(f"{kind} {share(those)}" for kind, those in refused.items()))
    for kind in scores.keys() - {"answered"}:
        print(f"  AUROC, answered against {kind}: {auroc(np.array(scores['answered']), np.array(scores[kind])):.3f}")
    right, wrong = refusals(refused)
    print(f"  of as many with and without an answer: precision of refusals {right / (right + wrong):.3f}, recall {right:.3f}")


def refusals(refused: dict[str, Asked]) -> tuple[float, float]:
    """Shares refused of the questions without an answer in their document, and of those with one."""
    return float(np.mean([told for _, told in refused["no answer"]])), float(np.mean([told for _, told in refused["answered"]]))


def report_desk(questions: Sequence[tuple[str, set[int]]], titles: dict[int, str], left_out: set[int], school: School) -> None:
    """What is answered, offered and refused of questions to entries that are there, and to those left out."""
    first, three, refused, offered, gone = Asked(), Asked(), Asked(), Asked(), Asked()
    for number, (question, [entry, *_]) in enumerate(questions):
        reply = said(school, question, number)
        if entry in left_out:
            gone.append((str(entry), reply["no_relevant_info"]))
            continue
        meant = titles[entry] in reply["answer"]["did_you_mean"]
        is_first = any(source["source_id"] == str(entry) for source in reply["sources"])
        first.append((str(entry), is_first))
        three.append((str(entry), is_first or meant))
        refused.append((str(entry), reply["no_relevant_info"]))
        if reply["no_relevant_info"]:
            offered.append((str(entry), meant))
    print(f"help desk: {len(first)} answered; right {share(first)}, among the first three shown {share(three)}")
    print(f"  wrongly refused {share(refused)}, of these the right entry offered {share(offered)}")
    print(f"  entry left out, {len(gone)}: Talk to Human {share(gone)}")


def report_bank(shared: Path, number: int, school: School) -> None:
    """Questions to a bank."""
    with (shared / "data/helpdesk/banking77/test.csv").open(newline="") as file:
        rows = drawn([row["text"] for row in csv.DictReader(file)], number)
    told = [(text, said(school, text, at)["no_relevant_info"]) for at, text in enumerate(rows)]
    print(f"  questions to a bank, {len(told)}: Talk to Human {share(told)}")


def said(school: School, question: str, number: int) -> Any:
    """The reply to the question in a conversation of its own."""
    conversation = school("POST", "/conversations", json={"user": f"person {number}"})["id"]
    return school("POST", f"/conversations/{conversation}/messages", json={"message": question})


def share(asked: Asked) -> str:
    """The mean with its interval."""
    if not asked:
        return "-"
    groups = defaultdict[str, list[float]](list)
    for about, told in asked:
        groups[about].append(float(told))
    sums, counts = (np.array([count(group) for group in groups.values()]) for count in (sum, len))
    picks = np.random.default_rng(SEED).integers(len(sums), size=(DRAWS, len(sums)))
    low, high = np.quantile(sums[picks].sum(1) / counts[picks].sum(1), [0.025, 0.975])
    return f"{sums.sum() / counts.sum():.3f} ({low:.3f}-{high:.3f})"


if __name__ == "__main__":
    main()
