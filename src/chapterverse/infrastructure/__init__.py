"""Adapters: SQL, vectors, embedding, language models, storage, queues, logs, mail, redaction."""
