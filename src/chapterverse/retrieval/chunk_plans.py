"""The plans of the applications that ask for chunks; figures: docs/asking.md."""

from dataclasses import replace

from chapterverse.model import Granularity
from chapterverse.retrieval.fuse import Fusion
from chapterverse.retrieval.plan import RetrievalPlan

_CHUNKS = RetrievalPlan(
    granularity=Granularity.WINDOW,
    sentences=0,  # a question is one query
    key_sentences=0,
    key_sentence_seconds=0.0,
    candidates_per_query=100,
    surroundings=0.0,  # chunks are surroundings themselves
    hubs=0.0,  # gains 0.002 of hit@1 with FAQs, loses 0.01 of hit@3 with syllabi
    hits_per_query=10,
    fusion=Fusion.MAX,
    key_sentence_weight=1.0,
    max_similarity=1.0,  # windows that overlap are all wanted
    min_score=-2.0,  # none: thresholds are of the raw cosine (S2, S4, S5), and come after this
    limit=3,
    reranking=0.0,  # likelihood, and the name of a cross-encoder, are settings; by default nobody waits for them
    reranked=10,
    rerank_seconds=1.5,
)

DOCUMENT_QA = replace(_CHUNKS, limit=3, lexical=1.1)
"""S2: windows of 500 characters, the best three. Words count: facts stand there as they are asked for."""

TEXTBOOK_CHAT = replace(_CHUNKS, granularity=Granularity.SECTION, limit=5, lexical=1.1)
"""S4: sections below headings, ten fetched, five kept; the weight is that of the documents, the nearest that was measured."""

HELPDESK = replace(_CHUNKS, granularity=Granularity.PASSAGE, hits_per_query=7, limit=7, lexical=0.1)
"""S5: entries of questions and answers, and passages of documents, the best seven. People word a question in many ways, so
meaning decides and words settle what is close."""
