"""Adapters: SQL, vectors, embedding, language models, storage, queue, sandbox, telemetry."""
