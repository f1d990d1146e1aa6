"""Each of the 141 names of version 0 still works, or names what to set instead."""

from importlib import import_module
from pathlib import Path

import pytest

from chapterverse.core.errors import BadRequest
from chapterverse.old_settings import CONSTANTS, RENAMED
from chapterverse.settings import Settings, read_settings

ROOT = Path(__file__).parents[2]
OLD = """
home school embedding_model embedder embedder_url embedder_key embedder_dimensions embedding_model_before embedder_url_before
embedder_dimensions_before search memory_megabytes max_books max_book_bytes max_book_pages max_book_words parse_seconds
parse_megabytes max_essay_words max_essay_sentences evidence_seconds key_sentences key_sentence_by key_sentence_seconds
candidates_per_query max_similarity min_score rerank rerank_seconds rerank_candidates llm llm_url llm_model llm_key
llm_audience llm_project llm_location llm_seconds llm_day_ceiling llm_price_prompt llm_price_answer feedback_seconds grade
tone dimensions languagetool_url languagetool_language languagetool_seconds rubric paper keep_days approval batch_hours
batch_essay_seconds batch_llm batch_at_once max_batch_essays max_batch_bytes results night_url artefacts uploads catalog index
chroma_tenant chroma_database chroma_key queue tasks_url tasks_emulator identity batch_sentences task_attempts task_seconds
allowed_callers audience oidc_certs_url batch_tokens max_queued_texts event_seconds max_body_bytes requests_per_minute
max_open_requests max_open_streams segments_per_minute upload_url_seconds site link_minutes session_hours mail_server
oidc_secrets mail_from lti_keys lti_key_days max_sources window_characters window_overlap section_least section_most
section_overlap passage_least passage_most passage_overlap textbook_candidates textbook_sections textbook_least textbook_sure
textbook_boost answer_seconds question_rerank question_expansion topics max_question_characters helpdesk_least
helpdesk_sources message_characters context_characters context_turns follow_up messages_per_minute
conversation_messages_per_minute redaction_model query_cache_seconds lecture_fetched lecture_words lecture_candidates
lecture_citations lecture_most_distance lecture_least lecture_sure lecture_rerank lecture_query_tokens lecture_keywords
lecture_waiting lecture_workers lecture_hold_seconds lecture_keyword_diversity snippet_least snippet_most paragraph_least
paragraph_most
"""
NAMES = {name.upper() for name in OLD.split()}
NOW = {name.upper() for name in Settings.model_fields}


def test_no_old_name_is_missing() -> None:
    assert len(NAMES) == 141
    assert NOW | RENAMED.keys() | CONSTANTS.keys() >= NAMES


@pytest.mark.parametrize("old", sorted(NAMES - NOW))
def test_an_old_name_stops_the_program_and_says_what_became_of_it(old: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"CHAPTERVERSE_{old}", "1")

    with pytest.raises(BadRequest) as caught:
        read_settings()

    expected = f"is now CHAPTERVERSE_{RENAMED[old]}" if old in RENAMED else CONSTANTS[old]
    assert f"CHAPTERVERSE_{old} is" in str(caught.value)
    assert expected in str(caught.value)


@pytest.mark.parametrize("old", sorted(RENAMED))
def test_the_new_name_is_a_setting(old: str) -> None:
    new = RENAMED[old].replace("=", ",").replace(":", ",").partition(",")[0]

    assert new in NOW


@pytest.mark.parametrize("where", sorted(set(CONSTANTS.values())))
def test_the_place_of_a_constant_exists(where: str) -> None:
    module, _, name = where.partition(",")[0].rpartition(".")

    if module == "functions/main":
        assert (ROOT / "functions" / "main.py").exists()
    else:
        assert hasattr(import_module(module), name)


def test_an_old_name_without_a_value_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CHAPTERVERSE_MIN_SCORE", "")

    read_settings()
