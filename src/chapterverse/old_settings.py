"""Names of settings in version 0: what each is called now, or where its value stands."""

import os
from collections.abc import Mapping

from chapterverse.core.errors import BadRequest

RENAMED = {  # old → new, with how to write it where that changed
    "EMBEDDING_MODEL_BEFORE": 'EMBEDDER_BEFORE, as "model" of its JSON',
    "EMBEDDER_URL_BEFORE": 'EMBEDDER_BEFORE, as "url" of its JSON',
    "EMBEDDER_DIMENSIONS_BEFORE": 'EMBEDDER_BEFORE, as "dimensions" of its JSON',
    "SEARCH": "INDEX: graph, or nothing",
    "CHROMA_TENANT": "INDEX, as ?tenant=… of its address",
    "CHROMA_DATABASE": "INDEX, as &database=… of its address",
    "LLM_AUDIENCE": "LLM=cloud-run; the audience is the origin of LLM_URL",
    "LLM_PROJECT": "LLM_MODEL: projects/P/locations/L/publishers/google/models/M",
    "LLM_LOCATION": "LLM_MODEL: projects/P/locations/L/publishers/google/models/M",
    "LLM_DAY_CEILING": "MAX_LLM_COST_PER_DAY",
    "LLM_PRICE_PROMPT": "LLM_PRICES, its first number",
    "LLM_PRICE_ANSWER": "LLM_PRICES, its second number",
    "FEEDBACK_SECONDS": "MAX_FEEDBACK_SECONDS",
    "NIGHT_URL": "BATCH_URL",
    "BATCH_LLM": "LLM_TASKS: batch in place of vertex",
    "BATCH_SENTENCES": "MAX_TASK_SENTENCES",
    "TASKS_EMULATOR": "QUEUE, as ?emulator=HOST:PORT after its name",
    "KEY_SENTENCE_BY": "LLM_TASKS: evidence in place of llm",
    "QUESTION_EXPANSION": "LLM_TASKS: expansion in place of llm",
    "FOLLOW_UP": "LLM_TASKS: follow_up in place of llm",
    "QUESTION_RERANK": "RERANK: questions=MODEL",
    "LECTURE_RERANK": "RERANK: lectures=MODEL",
    "IDENTITY": "TASKS_ACCOUNT",
    "AUDIENCE": "TASKS_URL",
    "BATCH_TOKENS": "MAX_BATCH_TOKENS",
    "SITE": "SITE_URL",
}

_LIMITS = "chapterverse.library.uploads.DEFAULT_LIMITS"
_ESSAY_PLAN = "chapterverse.search.plan.ESSAY_FEEDBACK"
_WRITING = "chapterverse.essays.writing.writing.Writing"
_STYLE = "chapterverse.essays.model.Style"
_BATCH = "chapterverse.essays.batch.context.BatchLimits"
_HTTP = "chapterverse.web.context.HttpLimits"
_CHUNKS = "chapterverse.library.text.chunking"
_CHAT = "chapterverse.questions.service.ChatPlan"
_HELPDESK_LIMITS = "chapterverse.questions.helpdesk.HelpdeskLimits"
_LECTURE = "chapterverse.lectures"

CONSTANTS = {  # old → the module or class that has its value
    "MEMORY_MEGABYTES": "chapterverse.core.recent.MEMORY_BYTES",
    "MAX_BOOK_BYTES": _LIMITS,
    "MAX_BOOK_PAGES": _LIMITS,
    "MAX_BOOK_WORDS": _LIMITS,
    "PARSE_SECONDS": _LIMITS,
    "PARSE_MEGABYTES": _LIMITS,
    "MAX_SOURCES": "chapterverse.library.uploads.MAX_SOURCES",
    "MAX_ESSAY_WORDS": "chapterverse.essays.text.parse.MAX_WORDS",
    "MAX_ESSAY_SENTENCES": _ESSAY_PLAN,
    "EVIDENCE_SECONDS": _ESSAY_PLAN,
    "KEY_SENTENCES": _ESSAY_PLAN,
    "KEY_SENTENCE_SECONDS": _ESSAY_PLAN,
    "CANDIDATES_PER_QUERY": _ESSAY_PLAN,
    "MAX_SIMILARITY": _ESSAY_PLAN,
    "MIN_SCORE": f"{_ESSAY_PLAN}, and a school can set its own on the page of its settings",
    "RERANK_SECONDS": _ESSAY_PLAN,
    "RERANK_CANDIDATES": _ESSAY_PLAN,
    "LLM_SECONDS": _WRITING,
    "GRADE": f"{_STYLE}, and a school can set its own on the page of its settings",
    "TONE": f"{_STYLE}, and a school can set its own on the page of its settings",
    "DIMENSIONS": f"{_STYLE}, and each request can name its own",
    "RUBRIC": f"{_STYLE}, and each request can name its own",
    "LANGUAGETOOL_LANGUAGE": "chapterverse.essays.writing.proofreaders.LanguageTool",
    "LANGUAGETOOL_SECONDS": _WRITING,
    "BATCH_HOURS": _BATCH,
    "BATCH_ESSAY_SECONDS": "chapterverse.composition.models.BATCH_ESSAY_SECONDS",
    "BATCH_AT_ONCE": "chapterverse.composition.stores.BATCH_AT_ONCE",
    "MAX_BATCH_ESSAYS": _BATCH,
    "MAX_BATCH_BYTES": _HTTP,
    "TASK_ATTEMPTS": "chapterverse.core.tasks.TASK_ATTEMPTS",
    "TASK_SECONDS": "chapterverse.core.tasks.TASK_SECONDS",
    "MAX_QUEUED_TEXTS": "chapterverse.infrastructure.embedding.batching.BatchingEmbedder",
    "EVENT_SECONDS": "functions/main.py",
    "MAX_BODY_BYTES": _HTTP,
    "MAX_OPEN_STREAMS": _HTTP,
    "SEGMENTS_PER_MINUTE": _HTTP,
    "UPLOAD_URL_SECONDS": _HTTP,
    "LINK_MINUTES": "chapterverse.accounts.sign_in.SignIn",
    "SESSION_HOURS": "chapterverse.accounts.sign_in.SignIn",
    "LTI_KEY_DAYS": "chapterverse.lti.cli.KEY_DAYS",
    "WINDOW_CHARACTERS": f"{_CHUNKS}.windows",
    "WINDOW_OVERLAP": f"{_CHUNKS}.windows",
    "SECTION_LEAST": f"{_CHUNKS}.sections",
    "SECTION_MOST": f"{_CHUNKS}.sections",
    "SECTION_OVERLAP": f"{_CHUNKS}.sections",
    "PASSAGE_LEAST": f"{_CHUNKS}.passages",
    "PASSAGE_MOST": f"{_CHUNKS}.passages",
    "PASSAGE_OVERLAP": f"{_CHUNKS}.passages",
    "PARAGRAPH_LEAST": f"{_CHUNKS}.paragraphs",
    "PARAGRAPH_MOST": f"{_CHUNKS}.paragraphs",
    "TEXTBOOK_CANDIDATES": "chapterverse.search.plan.TEXTBOOK_CHAT",
    "TEXTBOOK_SECTIONS": _CHAT,
    "TEXTBOOK_LEAST": _CHAT,
    "TEXTBOOK_SURE": "chapterverse.questions.styles.TEXTBOOK_CHAT",
    "TEXTBOOK_BOOST": _CHAT,
    "ANSWER_SECONDS": "chapterverse.questions.styles.AnswerSettings",
    "MAX_QUESTION_CHARACTERS": _HTTP,
    "HELPDESK_LEAST": _HELPDESK_LIMITS,
    "HELPDESK_SOURCES": "chapterverse.search.plan.HELPDESK",
    "MESSAGE_CHARACTERS": _HELPDESK_LIMITS,
    "CONTEXT_CHARACTERS": _HELPDESK_LIMITS,
    "CONTEXT_TURNS": _HELPDESK_LIMITS,
    "MESSAGES_PER_MINUTE": "chapterverse.web.limits.MESSAGES_PER_MINUTE",
    "CONVERSATION_MESSAGES_PER_MINUTE": "chapterverse.web.limits.CONVERSATION_MESSAGES_PER_MINUTE",
    "QUERY_CACHE_SECONDS": "chapterverse.infrastructure.embedding.cache.RememberedQueries",
    "LECTURE_FETCHED": "chapterverse.search.plan.LECTURE",
    "LECTURE_WORDS": "chapterverse.search.plan.LECTURE",
    "LECTURE_CANDIDATES": f"{_LECTURE}.context.LectureLimits",
    "LECTURE_CITATIONS": f"{_LECTURE}.context.LectureLimits",
    "LECTURE_MOST_DISTANCE": f"{_LECTURE}.context.LectureLimits",
    "LECTURE_LEAST": f"{_LECTURE}.following.PositionFilter",
    "LECTURE_SURE": f"{_LECTURE}.following.PositionFilter",
    "LECTURE_QUERY_TOKENS": f"{_LECTURE}.queries.Enricher",
    "LECTURE_KEYWORDS": f"{_LECTURE}.queries.Enricher",
    "LECTURE_KEYWORD_DIVERSITY": f"{_LECTURE}.queries.Enricher",
    "LECTURE_WAITING": f"{_LECTURE}.pool.WindowPool",
    "LECTURE_WORKERS": f"{_LECTURE}.pool.WindowPool",
    "LECTURE_HOLD_SECONDS": "functions/main.py",
    "SNIPPET_LEAST": f"{_LECTURE}.context.LectureLimits",
    "SNIPPET_MOST": f"{_LECTURE}.context.LectureLimits",
}


def refuse_old_names(known: frozenset[str], environment: Mapping[str, str] = os.environ) -> None:
    """known: the names of today's settings, in capitals. Raises BadRequest for the first old name that has a value."""
    for name in sorted((RENAMED | CONSTANTS).keys() - known):
        if environment.get(f"CHAPTERVERSE_{name}"):
            if name in RENAMED:
                raise BadRequest("setting_renamed", name=name, new_name=RENAMED[name])
            raise BadRequest("setting_is_constant", name=name, place=CONSTANTS[name])
