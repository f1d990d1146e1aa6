"""Haystack as its documentation puts it together: PyPDF converter, splitter, sentence-transformers embedder, Chroma store."""

import logging
import os
from pathlib import Path

from haystack.components.converters import PyPDFToDocument
from haystack.components.preprocessors import DocumentSplitter
from haystack.dataclasses import Document
from haystack.utils import ComponentDevice
from haystack_integrations.components.embedders.sentence_transformers import SentenceTransformersDocumentEmbedder
from haystack_integrations.document_stores.chroma import ChromaDocumentStore
from served import Request, rough_sentences, serve

logging.disable(logging.WARNING)
model = SentenceTransformersDocumentEmbedder(
    model=os.environ["BENCH_WEIGHTS"],
    device=ComponentDevice.from_str("cpu"),
    progress_bar=False,
    local_files_only=True,
)
model.warm_up()
converter = PyPDFToDocument()
splitter = DocumentSplitter(split_by="function", splitting_function=rough_sentences)
splitter.warm_up()


def ingest(request: Request) -> dict[str, object]:
    model.batch_size = request["batch"]
    store = ChromaDocumentStore(
        "books", embedding_function="default", persist_path=request["folder"], distance_function="cosine"
    )
    for path in request["books"]:
        pages = converter.run(sources=[Path(path)])["documents"]
        split = splitter.run(documents=pages)["documents"]
        store.write_documents(model.run(documents=split)["documents"])
    return {"sentences": store.count_documents()}


def embed(request: Request) -> dict[str, object]:
    model.batch_size = request["batch"]
    return {"sentences": len(model.run(documents=[Document(content=text) for text in request["texts"]])["documents"])}


serve(lambda request: ingest(request) if "books" in request else embed(request))
