"""LlamaIndex as its documentation puts it together: PDF reader, one sentence a node, Hugging Face embedding, Chroma.

What a node would have embedded beside its sentence (page label, file name) is left out, which makes it faster."""

import os
from pathlib import Path

import chromadb
from llama_index.core import StorageContext, VectorStoreIndex
from llama_index.core.schema import Document, TextNode
from llama_index.embeddings.huggingface import HuggingFaceEmbedding
from llama_index.readers.file import PDFReader
from llama_index.vector_stores.chroma import ChromaVectorStore
from served import Request, rough_sentences, serve

model = HuggingFaceEmbedding(os.environ["BENCH_WEIGHTS"], device="cpu", embed_batch_size=32)
model.get_text_embedding("The weights are loaded before they are timed.")


def nodes_of(page: Document) -> list[TextNode]:
    return [
        TextNode(text=text, metadata=page.metadata, excluded_embed_metadata_keys=list(page.metadata))
        for text in rough_sentences(page.text)
    ]


def ingest(request: Request) -> dict[str, object]:
    model.embed_batch_size = request["batch"]
    client = chromadb.PersistentClient(request["folder"], settings=chromadb.Settings(anonymized_telemetry=False))
    collection = client.create_collection("books", configuration={"hnsw": {"space": "cosine"}}, embedding_function=None)
    storage = StorageContext.from_defaults(vector_store=ChromaVectorStore(chroma_collection=collection))
    sentences = 0
    for path in request["books"]:
        nodes = [node for page in PDFReader().load_data(Path(path)) for node in nodes_of(page)]
        VectorStoreIndex(nodes, storage_context=storage, embed_model=model)
        sentences += len(nodes)
    assert collection.count() == sentences
    client.close()
    return {"sentences": sentences}


def embed(request: Request) -> dict[str, object]:
    model.embed_batch_size = request["batch"]
    return {"sentences": len(model.get_text_embedding_batch(request["texts"]))}


serve(lambda request: ingest(request) if "books" in request else embed(request))
