"""`chapterverse evaluate`: 100 sentences of a teacher's own book in three variants, looked for in all books (S1-19, S1-20)."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pymupdf
import pytest
from safetensors.numpy import save_file

from chapterverse import composition
from chapterverse.core.errors import NotFound
from chapterverse.core.hits import Scope
from chapterverse.evaluation.search import Variant, evaluate, open_library
from chapterverse.infrastructure.embedding.local import OnnxEmbedder
from chapterverse.infrastructure.embedding.model_files import find_model
from chapterverse.library.services import CollectionServices
from chapterverse.search.plan import ESSAY_FEEDBACK
from chapterverse.texts import SAMPLE_BOOK, samples
from tests.support.language_servers import MODEL, LanguageServer, Reply, language_server
from tests.support.rewriter import rewrites, sentence_in, variants_of
from tests.support.shelved import empty_library, shelve
from tests.support.word_embedder import WordEmbedder
from tests.unit.conftest import Run

SENTENCES = [f"Custom number {n} grows wherever nobody chooses anything and everybody merely follows." for n in range(5)]
SILENCING = "Silencing an opinion robs mankind of truth."
HABIT = "Habit rules every person."
LEANING = {"Transformer": "", "Pooling": "1_Pooling", "Dense": "2_Dense", "Normalize": "3_Normalize"}
MODELS = ("before", "fitted", "all-MiniLM-L6-v2")


@pytest.fixture
def services(tmp_path: Path) -> Iterator[CollectionServices]:
    """A library with two books."""
    with empty_library(tmp_path) as services:
        shelve(services, "On Liberty", ("Some wish it were otherwise.", SILENCING, "So much is certain."))
        shelve(services, "Habits", (HABIT, "Custom grows where nobody chooses."))
        yield services


def a_variant(book: str = "on-liberty", sentence: str = SILENCING, level3: str = "Truth suffers.") -> Variant:
    return Variant(book=book, sentence=sentence, level1=sentence, level2="Opinion silenced, truth robbed.", level3=level3)


def test_variants_are_looked_for_in_all_books_level_by_level(services: CollectionServices) -> None:
    library = open_library(Scope("school"), services, ESSAY_FEEDBACK)

    found = evaluate([a_variant(level3="Custom grows where habit rules every person."), a_variant("habits", HABIT)], library)

    assert found["level1"]["mrr"].value == 1
    assert found["level2"]["recall_at_5"].n == 2
    assert found["level3"]["recall_at_1"].value < 1
    assert found["level3"]["recall_at_1"].low <= found["level3"]["recall_at_1"].value <= found["level3"]["recall_at_1"].high


def test_a_sentence_goes_by_its_words_and_one_that_the_book_lacks_counts_as_not_found(services: CollectionServices) -> None:
    library = open_library(Scope("school"), services, ESSAY_FEEDBACK)

    found = evaluate([a_variant(sentence="silencing an opinion robs “mankind” of truth"), a_variant(sentence="None.")], library)

    assert found["level2"]["mrr"].value == 0.5


def test_a_school_without_books_is_told_to_add_one(services: CollectionServices) -> None:
    with pytest.raises(NotFound, match="is still empty"):
        open_library(Scope("empty"), services, ESSAY_FEEDBACK)


@pytest.fixture
def book(home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A book of five sentences that may be drawn."""
    monkeypatch.setattr(composition.models, "embedder", lambda _: WordEmbedder())
    with empty_library(home) as services:
        return shelve(services, "Habits", SENTENCES, school="local").id


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LanguageServer]:
    """A language model, set."""
    with language_server() as running:
        running.reply = rewrites
        chosen = {"LLM_URL": f"{running.url}/v1", "LLM_MODEL": MODEL, "LLM_PRICES": "0,1"}
        for name, value in chosen.items():
            monkeypatch.setenv(f"CHAPTERVERSE_{name}", value)
        yield running


def test_without_a_language_model_words_are_left_out(run: Run, book: str) -> None:
    told = json.loads(run("evaluate", book, "--n", 3, "--json").stdout)

    assert (told["by"], told["drawn"], told["dropped"]) == ("rules", 3, 0)
    assert list(told["levels"]) == ["level1", "level2", "level3"]
    assert told["levels"]["level1"]["mrr"]["n"] == 3


def test_a_language_model_writes_variants_that_are_written_to_a_file(
    run: Run, book: str, server: LanguageServer, tmp_path: Path
) -> None:
    server.reply = lambda asked: Reply("no JSON") if sentence_in(asked) == SENTENCES[0] else rewrites(asked)

    result = run("evaluate", book, "--n", 5, "--output", tmp_path / "cases.jsonl")

    cases = [Variant.model_validate_json(line) for line in (tmp_path / "cases.jsonl").read_text("utf-8").splitlines()]
    assert result.exit_code == 0
    assert [(case.book, case.level3) for case in cases] == [("habits", variants_of(case.sentence)["level3"]) for case in cases]
    assert {case.sentence for case in cases} == set(SENTENCES[1:])
    assert "level3\tmrr\t" in result.stdout


def test_after_a_failure_the_same_command_goes_on(run: Run, book: str, server: LanguageServer) -> None:
    command = ("evaluate", book, "--n", 4)
    server.reply = lambda asked: rewrites(asked) if len(server.asked) <= 2 else Reply(status=503)
    failed = run(*command)
    server.asked.clear()
    server.reply = rewrites

    assert run(*command).exit_code == 0
    assert failed.exit_code == 5
    assert "2 of 4 sentences are done. Run the same command again" in failed.stderr
    assert len(server.asked) == 2


def test_where_no_variant_can_be_used_a_larger_model_is_named(run: Run, book: str, server: LanguageServer) -> None:
    server.reply = lambda _: Reply("no JSON")

    result = run("evaluate", book, "--n", 2)

    assert result.exit_code == 3
    assert "larger" in result.stderr


def test_a_model_whose_cosines_lie_close_together_is_fitted_to_the_thresholds(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A model whose vectors all lean one way, as those of e5 do: MiniLM with a projection that adds the same to each."""
    folder = shutil.copytree(find_model("all-MiniLM-L6-v2").folder, tmp_path / "leaning")
    modules = [{"type": f"sentence_transformers.models.{kind}", "path": path} for kind, path in LEANING.items()]
    (folder / "modules.json").write_text(json.dumps(modules))
    (folder / "2_Dense").mkdir()
    (folder / "2_Dense" / "config.json").write_text('{"activation_function": "torch.nn.modules.linear.Identity"}')
    weights = {"linear.weight": np.eye(384, dtype=np.float32), "linear.bias": np.full(384, 0.6, np.float32)}
    save_file(weights, folder / "2_Dense" / "model.safetensors")
    monkeypatch.setenv("CHAPTERVERSE_EMBEDDING_MODEL", str(folder))
    with pymupdf.open(samples() / SAMPLE_BOOK) as pdf:
        pdf.select(range(30, 38))
        pdf.save(tmp_path / "part.pdf", no_new_id=True)  # the same version, hence the same sentences, each time
    run("sources", "add", str(tmp_path / "part.pdf"))

    table = [line.split() for line in run("evaluate", "part", "--n", 30, "--fit").stdout.splitlines()]

    [before, after, reference] = [[float(value) for value in row[1:]] for row in table if row and row[0] in MODELS]
    assert before[3] == 1.0  # of every sentence another one is near enough
    assert after == pytest.approx(reference, abs=0.1)
    assert OnnxEmbedder(str(folder), home).model.startswith("leaning-")


def test_only_a_model_in_a_folder_can_be_fitted(run: Run, book: str) -> None:
    assert run("evaluate", book, "--fit").exit_code == 2
