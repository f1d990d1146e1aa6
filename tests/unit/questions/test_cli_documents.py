"""`chapterverse documents` and `chapterverse ask`."""

from pathlib import Path

import pytest

from tests.support.answers import KEEPS, claims
from tests.support.language_servers import MODEL, language_server, says
from tests.support.pdfs import a_pdf
from tests.unit.conftest import Run


def test_an_answer_that_a_language_model_wrote_says_so(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = "Silencing an opinion robs everybody of truth."
    (tmp_path / "principle.pdf").write_bytes(a_pdf(sentence))
    run("sources", "add", "-c", "documents", tmp_path / "principle.pdf")
    with language_server(says(claims((sentence, 1, sentence))), says(KEEPS)) as server:
        monkeypatch.setenv("CHAPTERVERSE_LLM_URL", f"{server.url}/v1")
        monkeypatch.setenv("CHAPTERVERSE_LLM_MODEL", MODEL)
        by_model = run("ask", "What does silencing an opinion do?").stdout
    monkeypatch.delenv("CHAPTERVERSE_LLM_URL")
    monkeypatch.delenv("CHAPTERVERSE_LLM_MODEL")
    quoted = run("ask", "What does silencing an opinion do?").stdout

    assert f"A language model ({MODEL}) wrote this answer" in by_model
    assert "language model" not in quoted


def test_more_than_one_passage_is_printed_where_none_surely_answers(run: Run, tmp_path: Path) -> None:
    (tmp_path / "rules.md").write_text("# Hours\n\nThe library closes at nine.\n\n# Fines\n\nA lost book costs its price.\n")
    run("sources", "add", "-c", "documents", tmp_path / "rules.md")

    sure = run("ask", "When does the library close?").stdout
    unsure = run("ask", "What does a lost key cost?").stdout

    assert "[1]" in sure
    assert "[2]" not in sure
    assert unsure.count("[2]") == 2  # behind the passage, and before its place
