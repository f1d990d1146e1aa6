"""The extra of the package (`pip install "chapterverse[NAME]"`) that brings a missing library."""

from collections.abc import Mapping

EXTRAS: Mapping[str, str] = {  # by import name; the test compares them with pyproject.toml
    "authlib": "server",
    "boto3": "cloud",
    "botocore": "cloud",
    "chromadb": "chroma",
    "flask": "server",
    "google": "server",  # google.auth, where nothing else has made the namespace
    "google.api_core": "cloud",
    "google.auth": "server",
    "google.cloud": "cloud",
    "google.genai": "llm",
    "google.oauth2": "server",
    "grpc": "cloud",
    "gunicorn": "server",
    "httpx2": "llm",
    "joserfc": "server",
    "jwcrypto": "server",
    "jwt": "server",
    "keybert": "lecture",
    "openai": "llm",
    "opentelemetry.exporter": "cloud",
    "opentelemetry.sdk": "server",
    "pgvector": "cloud",
    "presidio_analyzer": "helpdesk",
    "presidio_anonymizer": "helpdesk",
    "prometheus_client": "server",
    "psycopg": "cloud",
    "pylti1p3": "server",
    "requests": "server",
    "sentence_transformers": "gpu",
    "sklearn": "lecture",
    "spacy": "helpdesk",
    "torch": "gpu",
    "werkzeug": "server",
}


def how_to_install(error: ModuleNotFoundError) -> str | None:
    """One sentence with the pip command for the library that an import did not find; None if no extra brings it."""
    parts = (error.name or "").split(".")
    names = [".".join(parts[:length]) for length in range(len(parts), 0, -1)]
    extra = next((EXTRAS[name] for name in names if name in EXTRAS), None)
    return extra and f'{error.name} is not installed: pip install "chapterverse[{extra}]"'
