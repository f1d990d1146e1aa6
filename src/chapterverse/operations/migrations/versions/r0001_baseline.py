"""All tables, as the code declares them.

The first release freezes them here; from then on a change of a table is a migration of its own."""

from alembic import op

from chapterverse.infrastructure.sql.engine import CatalogTable
from chapterverse.operations import tables  # noqa: F401  # declares them

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create all tables."""
    CatalogTable.metadata.create_all(op.get_bind(), checkfirst=False)


def downgrade() -> None:
    """Drop all tables."""
    CatalogTable.metadata.drop_all(op.get_bind())
