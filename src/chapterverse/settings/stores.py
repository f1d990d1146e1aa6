"""Where things are kept."""

from pydantic import Field, SecretStr

from chapterverse.settings.group import Group


class StoreSettings(Group):
    """Where things are kept."""

    artefacts: str = Field("", description="gs://BUCKET that keeps parsed books and vectors; empty: a folder below HOME.")
    uploads: str = Field(
        "", description="gs://BUCKET or s3://BUCKET that teachers' PDFs arrive in; empty: a folder below HOME."
    )
    catalog: SecretStr = Field(
        SecretStr(""), description="postgresql+psycopg:// address of the catalog; empty: SQLite in HOME."
    )
    index: str = Field(
        "",
        description="Vector index: http(s)://HOST:PORT of a Chroma server, or `pgvector` for the catalog's own PostgreSQL; "
        "empty: Chroma inside this process.",
    )
    chroma_tenant: str = Field("", description="Tenant of a Chroma Cloud or distributed Chroma; empty: the server's default.")
    chroma_database: str = Field("", description="Database of that tenant.")
    chroma_key: SecretStr = Field(SecretStr(""), description="API key of Chroma Cloud.")
