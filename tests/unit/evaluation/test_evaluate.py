"""`chapterverse evaluate`: 100 sentences of a teacher's own book in three variants, looked for in all books (S1-19, S1-20)."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pymupdf
import pytest
from safetensors.numpy import save_file

from chapterverse import composition
from chapterverse.core.book import BookId
from chapterverse.core.errors import BadAnswer, NotFound
from chapterverse.core.hits import Scope
from chapterverse.core.ports import ModelAnswer, Usage
from chapterverse.infrastructure.embedding.local import OnnxEmbedder
from chapterverse.infrastructure.embedding.model_files import find_model
from chapterverse.library.services import CollectionServices
from chapterverse.library.versions import remove_book
from chapterverse.search.evaluation import (
    BOUNDS,
    LEVELS,
    PROMPT,
    Variant,
    evaluate,
    open_library,
    problems_of,
    shared_word_share,
    variants_in,
)
from chapterverse.search.plan import ESSAY_FEEDBACK
from chapterverse.texts import SAMPLE_BOOK, samples
from tests.support.language_servers import MODEL, Asked, LanguageServer, Reply, language_server, says
from tests.support.rewriter import rewrites, sentence_in, variants_of
from tests.support.shelved import empty_library, shelve
from tests.support.word_embedder import WordEmbedder
from tests.unit.conftest import Run

FIVE = [f"Custom number {n} grows wherever nobody chooses anything and everybody merely follows." for n in range(5)]
TEXT = ["Nine words are one too few to be drawn.", *FIVE]
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


def test_variants_are_looked_for_in_all_books_by_level_and_a_sentence_goes_by_its_words(services: CollectionServices) -> None:
    library = open_library(Scope("school"), services, ESSAY_FEEDBACK)

    found = evaluate([a_variant(level3="Custom grows where habit rules every person."), a_variant("habits", HABIT)], library)

    assert found["level1"]["mrr"].value == 1
    assert found["level2"]["recall_at_5"].n == 2
    assert found["level3"]["recall_at_1"].value < 1
    assert found["level3"]["recall_at_1"].low <= found["level3"]["recall_at_1"].value <= found["level3"]["recall_at_1"].high
    lacks = a_variant(sentence="None.")  # counts as not found
    found = evaluate([a_variant(sentence="silencing an opinion robs “mankind” of truth"), lacks], library)
    assert found["level2"]["mrr"].value == 0.5
    with pytest.raises(NotFound, match="is still empty"):
        open_library(Scope("empty"), services, ESSAY_FEEDBACK)


@pytest.fixture
def book(home: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A book of one sentence that is too short to be drawn and five that may be."""
    monkeypatch.setattr(composition.ports, "embedder", lambda _, **__: WordEmbedder())
    with empty_library(home) as services:
        return shelve(services, "Habits", TEXT, school="local").id


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[LanguageServer]:
    """A language model, set, that writes as it should."""
    with language_server() as running:
        running.reply = rewrites
        for name, value in {"LLM_URL": f"{running.url}/v1", "LLM_MODEL": MODEL, "LLM_PRICES": "0,1"}.items():
            monkeypatch.setenv(f"CHAPTERVERSE_{name}", value)
        yield running


def test_without_a_language_model_words_are_left_out(run: Run, book: str) -> None:
    told = json.loads(run("evaluate", book, "--n", 3, "--json").stdout)

    assert (told["by"], told["drawn"], told["dropped"]) == ("rules", 3, 0)
    assert list(told["levels"]) == ["level1", "level2", "level3"]
    assert told["levels"]["level1"]["mrr"]["n"] == 3


def test_a_language_model_writes_variants_into_a_file(run: Run, book: str, server: LanguageServer, tmp_path: Path) -> None:
    server.reply = lambda asked: Reply("no JSON") if sentence_in(asked) == TEXT[1] else rewrites(asked)

    result = run("evaluate", book, "--n", 6, "--output", tmp_path / "cases.jsonl")

    cases = [Variant.model_validate_json(line) for line in (tmp_path / "cases.jsonl").read_text("utf-8").splitlines()]
    assert result.exit_code == 0
    assert [case.model_dump(include={*LEVELS}) for case in cases] == [variants_of(case.sentence) for case in cases]
    assert {(case.book, case.chapter, case.sentence) for case in cases} == {
        ("habits", "The Beginning", one) for one in TEXT[2:]
    }
    assert "level3\tmrr\t" in result.stdout
    asked = server.asked[0]
    before = TEXT[TEXT.index(sentence_in(asked)) - 1]
    assert all(place in asked.material for place in ("book begins\nHabits\n", f"before begins\n{before}\n"))


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


@pytest.mark.parametrize("reply", [says({"level1": "No."}), Reply("no JSON"), Reply(ended="refused")])
def test_where_no_variant_can_be_used_a_larger_model_is_named_and_nothing_asked_again(
    run: Run, book: str, server: LanguageServer, reply: Reply
) -> None:
    server.reply = lambda _: reply
    result = run("evaluate", book, "--n", 2)
    asked = len(server.asked)

    again = run("evaluate", book, "--n", 2)

    assert (result.exit_code, again.exit_code) == (3, 3)
    assert "larger" in result.stderr
    assert len(server.asked) == asked


def test_only_a_model_in_a_folder_can_be_fitted(run: Run, book: str) -> None:
    assert run("evaluate", book, "--fit").exit_code == 2


def test_a_bad_answer_is_mended_once_with_what_was_wrong(run: Run, book: str, server: LanguageServer) -> None:
    server.reply = lambda asked: (
        rewrites(asked) if len(server.asked) > 1 else says({"level1": sentence_in(asked), "level2": "No.", "level3": "No."})
    )

    assert json.loads(run("evaluate", book, "--n", 1, "--json").stdout)["dropped"] == 0
    assert "level1 is the sentence itself" in server.asked[1].instructions


def test_a_sentence_whose_answers_were_late_waits_for_the_next_run_and_keeps_no_other_back(
    run: Run, book: str, server: LanguageServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chapterverse.search.evaluation.SECONDS", 0.3)

    def first_too_late(asked: Asked) -> Reply:
        return replace(rewrites(asked), before=2.0 * (sentence_in(asked) == sentence_in(server.asked[0])))

    server.reply = first_too_late
    assert json.loads(run("evaluate", book, "--n", 2, "--json").stdout)["drawn"] == 1
    first, before = sentence_in(server.asked[0]), len(server.asked)
    server.reply = rewrites

    assert json.loads(run("evaluate", book, "--n", 2, "--json").stdout)["drawn"] == 2
    assert [sentence_in(asked) for asked in server.asked[before:]] == [first]


def test_of_a_book_that_is_removed_meanwhile_nothing_is_left(run: Run, home: Path, book: str, server: LanguageServer) -> None:
    def removes(asked: Asked) -> Reply:
        with empty_library(home) as services:
            remove_book("local", BookId(book), services)
        return rewrites(asked)

    server.reply = removes

    assert run("evaluate", book, "--n", 3).exit_code == 3
    assert not list(home.rglob(f"{PROMPT}*"))


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
        pdf.select(range(30, 34))
        pdf.save(tmp_path / "part.pdf", no_new_id=True)  # the same version, hence the same sentences, each time
    run("sources", "add", str(tmp_path / "part.pdf"))

    table = [line.split() for line in run("evaluate", "part", "--n", 30, "--fit").stdout.splitlines()]

    [before, after, reference] = [[float(value) for value in row[1:]] for row in table if row and row[0] in MODELS]
    assert before[3] == 1.0  # of every sentence another one is near enough
    assert after == pytest.approx(reference, abs=0.1)
    assert OnnxEmbedder(str(folder), home).model.startswith("leaning-")


SENTENCE = "Silencing an honest opinion robs every later generation of the truth that it might have found."
GOOD = {
    "level1": "Silencing an honest opinion robs each later generation of the truth it might have found.",
    "level2": "Whoever suppresses an honest view deprives those born afterwards of a truth they could have discovered.",
    "level3": "Censorship also hurts people in the future.",
}


def amiss(**changes: str) -> list[str]:
    return list(problems_of(GOOD | changes, SENTENCE))


def test_the_share_of_words_kept_counts_stems_and_what_is_amiss_is_said_without_a_word_of_the_book() -> None:
    assert shared_word_share("She walks: they rob her.", "She was robbed by Anna while she was walking in Paris.") == 1.0
    assert shared_word_share("Anna was in Paris.", "She was robbed by Anna while she was walking in Paris.") == 0.0
    assert shared_word_share("Truth suffers.", "Truth is the daughter of time.") == pytest.approx(1 / 3)

    with pytest.raises(BadAnswer, match="level2 keeps 100% of the sentence's words, not 0% to 60%") as told:
        variants_in(ModelAnswer(GOOD | {"level2": f"Truly {SENTENCE}"}, Usage()), SENTENCE)
    assert "opinion" not in str(told.value)
    assert amiss(level1=f"“{SENTENCE[:-1]}”!") == ["level1 is the sentence itself"]


@pytest.mark.parametrize(
    ("level", "text"), [("level1", GOOD["level2"]), ("level2", GOOD["level1"]), ("level3", GOOD["level1"])]
)
def test_a_variant_that_keeps_other_shares_of_words_than_its_level_is_amiss(level: str, text: str) -> None:
    [problem] = amiss(**{level: text})

    assert problem.startswith(f"{level} keeps ")


@pytest.mark.parametrize("level", BOUNDS)
def test_a_variant_that_is_much_longer_or_nothing_is_amiss(level: str) -> None:
    long, nothing = amiss(**{level: f"{GOOD[level]} {'and so on ' * 20}"}), amiss(**{level: ""})

    assert long[0].startswith(f"{level} is ")
    assert nothing[0].startswith(f"{level} is 0.0 times as long")
