"""What is measured, attacked and trained, by name: `make eval NAME=desk`, or `make eval-desk`; NAME=list lists them.

    python -m evaluations [NAME] [ARGUMENT…]

An evaluation is the commands of its row in PLANS, in turn. SHARED names the folder of data that is not in the repository; ARGS
holds further arguments of its last command."""

import glob
import os
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SHARED = os.environ.get("SHARED", "../shared")
VALUES = {
    "shared": SHARED,
    "gold": f"{SHARED}/goldbooks/pdf",
    "essays": f"{SHARED}/retrieval/essays.jsonl",
    "corpus": os.environ.get("CORPUS", "build/corpus"),
    "held": os.environ.get("HELD", "shelf-14"),
    "model": os.environ.get("MODEL", ""),
    "peers": os.environ.get("PEERS", "build/peers"),
    "python": sys.executable,
    "torch": "build/torch-venv/bin/python",
}
TORCH, BENCH = (f"make build/{name}/ready" for name in ("torch-venv", "bench-venv"))
GOLD_BOOKS = "chapterverse sources add {gold}/*.pdf"
GOLD_SHELVES = "gold-1 gold-2 gold-3 shelf-15-gold shelf-16-gold shelf-17-gold"


@dataclass(frozen=True, slots=True)
class Plan:
    """what: in one line. home: folder below build/ for the program's data."""

    what: str
    commands: tuple[str, ...]
    home: str = ""


def _plan(what: str, *commands: str, home: str = "") -> Plan:
    return Plan(what, commands, home)


PLANS = {
    "eval-books": _plan(
        "every sentence's address on the typeset books", "scripts.eval.addresses {gold} {shared}/goldbooks/score.py"
    ),
    "eval-headings": _plan("chapters and sections against contents made by hand", "scripts.eval.headings {shared}"),
    "eval-scans": _plan("text recognition on scans made from the sample book", "scripts.eval.scans"),
    "eval-bad": _plan("damaged, locked, scanned and odd PDFs", "scripts.eval.bad_pdfs {shared}"),
    "eval-real": _plan("sentences and addresses of real documents, see their README", "scripts.eval.real"),
    "eval-peers": _plan("the same for other readers, installed in PEERS", "scripts.eval.real_peers {peers}/bin/python"),
    "eval-retrieval": _plan(
        "relevance over the typeset books",
        GOLD_BOOKS,
        "evaluations.retrieval --variants {shared}/retrieval/variants.jsonl {shared}/retrieval/variants_hard.jsonl"
        " --essays {essays} --gold {gold}",
        home="retrieval",
    ),
    "eval-evidence": _plan(
        "share of the shown evidence that is useful", GOLD_BOOKS, "scripts.eval.evidence {shared}", home="retrieval"
    ),
    "eval-answers": _plan("answers to questions about syllabi", "scripts.eval.answers {shared}"),
    "eval-desk": _plan(
        "the help desk on four lists of our own",
        *(f"scripts.eval.desk --list {each}" for each in ("residence", "exams", "music", "clinic", "conversations")),
    ),
    "eval-citations": _plan("whether every citation exists, whatever a model writes", "scripts.eval.citations {shared}"),
    "eval-lecture": _plan("citations of a lecture, on captions", "scripts.eval.lecture {shared}", home="lecture"),
    "eval-reader": _plan(
        "the trained reader on a shelf that it has not seen", "scripts.eval.reader --corpus {corpus} --held {held}"
    ),
    "eval-torch": _plan("the tests that need torch", TORCH, "{torch} -m pytest -m torch tests"),
    "eval-chunk-sizes": _plan("sizes of chunks on the sample book (S2-2)", "evaluations.chunk_sizes samples/on-liberty.pdf"),
    "eval-capacity": _plan("what a school's essays take on Cloud Run", "scripts.capacity.small", "scripts.capacity"),
    "eval-size": _plan("packages and MB of the wheel with each extra", "scripts.package.size"),
    "attack-load": _plan("how much one school's attack delays another", "scripts.bench.attack_load"),
    "attack-kills": _plan("kill the program at CHAPTERVERSE_KILLS random moments", "{python} -m pytest -v tests/chaos"),
    "bench-peers": _plan(
        "speed against LlamaIndex, Haystack, sentence-transformers",
        BENCH,
        "scripts.bench.essay --books {gold} --essays {essays}",
        "scripts.bench.ingest --books {gold}/the-prince.pdf",
    ),
    "eval-local-model": _plan("the product with the model in MODEL: a .gguf or an address", "evaluations.local_model {model}"),
    "bench-memory": _plan("memory of a book of 1,500 pages", "scripts.bench.memory --books {gold} --pages 150 1500"),
    "bench-cold": _plan("the first answer of new processes on the local cloud", "scripts.bench.cold samples/on-liberty.pdf"),
    "bench-feedback": _plan(
        "seconds and tokens of an essay with a simulated managed model", "scripts.bench.feedback samples/essay.md", home="demo"
    ),
    "bench-lms": _plan("a hand-in at a learning platform to its report", "scripts.bench.lms"),
    "bench-pages": _plan("from a click to the highlighted page, in a browser", "scripts.bench.pages", home="pages"),
    "bench-batch": _plan(
        "a batch of 1,000 essays, and its students' delay",
        *(f"scripts.bench.batch {how}" for how in ("", "--rounds 3", "--rounds 3 --real")),
    ),
    "bench-lecture": _plan("a lecture window, stage by stage", "scripts.bench.lecture {shared}", home="lecture"),
    "train-reader": _plan(
        "the model that reads paragraph and sentence together (hours)",
        TORCH,
        "{torch} -m scripts.train.reader --corpus {corpus} --to build/reader --held {held}",
        "{torch} -m scripts.train.export --corpus {corpus} --from build/reader --held {held}",
    ),
    "train-essays": _plan(
        "the model that reads essays as a teacher would",
        TORCH,
        "{torch} -m scripts.train.essays --to build/essay-reader",
        "{torch} -m scripts.train.essays --from build/essay-reader",
    ),
    "train-answers": _plan(
        "the model that reads question and passage together",
        TORCH,
        "scripts.train.found_passages build/found.jsonl",
        "{torch} -m scripts.train.answers --found build/found.jsonl --to build/answer-reader",
        "{torch} -m scripts.train.answers --found build/found.jsonl --from build/answer-reader",
    ),
    "train-usefulness": _plan(
        "the model that chooses evidence",
        "scripts.train.usefulness {corpus} --write " + " ".join(f"--held {shelf}" for shelf in GOLD_SHELVES.split()),
    ),
}


def words_of(command: str) -> Iterator[str]:
    """The words of a command as it is run: a module by this Python, the program by its file beside this Python."""
    first, *others = shlex.split(command)
    first = first.format_map(VALUES)
    beside = os.path.join(os.path.dirname(sys.executable), first)
    if first.split(".")[0] in {"scripts", "evaluations"}:
        yield from (sys.executable, "-W", "ignore", "-m", first)
    else:
        yield beside if first in {"chapterverse", "pip"} else first
    for word in (each.format_map(VALUES) for each in others):
        yield from sorted(glob.glob(word)) or [word] if "*" in word else [word]


def run(name: str, arguments: Sequence[str]) -> int:
    """The exit status of the first command that fails, else 0."""
    plan = PLANS[name]
    environment = dict(os.environ)
    if plan.home:
        environment |= {"CHAPTERVERSE_HOME": f"build/{plan.home}", "CHAPTERVERSE_KEEP_DAYS": "0"}
    further = [*shlex.split(os.environ.get("ARGS", "")), *arguments]
    for command in plan.commands:
        words = [*words_of(command), *(further if command is plan.commands[-1] else ())]
        print("+", shlex.join(words), flush=True)
        if status := subprocess.run(words, env=environment, check=False).returncode:
            return status
    return 0


def main() -> int:
    """List the plans, or run the one named."""
    name, *arguments = sys.argv[1:] or [""]
    found = name if name in PLANS else f"eval-{name}"
    if found in PLANS:
        return run(found, arguments)
    if name not in {"", "list"}:
        print(f"Nothing is called {name}:")
    for known, plan in sorted(PLANS.items()):
        print(f"  make {known:24} {plan.what}")
    return 0 if name in {"", "list"} else 1


if __name__ == "__main__":
    sys.exit(main())
