"""Classes; assignments and submissions with or without a learning platform; a teacher's edits of feedback."""

from functools import partial

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None
TIME = sa.DateTime(timezone=True)
column = partial(sa.Column, nullable=False)
OF_LTI = "id, school, platform, link, title, instructions, books, most, services, created"
SUBMITTED = "assignment, email, school, feedback, at, score"


def upgrade() -> None:
    """Create the tables, move what learning platforms have, and drop its old tables."""
    op.create_table(
        "classes",
        column("id", sa.String(64)),
        column("school", sa.String(255)),
        column("name", sa.Text),
        column("created", TIME),
        sa.PrimaryKeyConstraint("id", name="pk_classes"),
    )
    op.create_index("ix_classes_school", "classes", ["school"])
    op.create_table(
        "class_students",
        column("id", sa.String(64)),
        column("school", sa.String(255)),
        column("class_id", sa.String(64)),
        column("email", sa.String(320)),
        column("name", sa.Text),
        column("code", sa.String(16), nullable=True),
        column("joined", TIME, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_class_students"),
        sa.ForeignKeyConstraint(["class_id"], ["classes.id"], ondelete="CASCADE", name="fk_class_students_class_id"),
    )
    op.create_index("ix_class_students_class_id", "class_students", ["class_id", "email"], unique=True)
    op.create_index("ix_class_students_person", "class_students", ["school", "email"])
    op.create_index("ix_class_students_code", "class_students", ["code"], unique=True)
    op.create_table(
        "assignments",
        column("id", sa.String(64)),
        column("school", sa.String(255)),
        column("platform", sa.String(64), nullable=True),
        column("class_id", sa.String(64), nullable=True),
        column("link", sa.String(255)),
        column("code", sa.String(16), nullable=True),
        column("title", sa.Text),
        column("instructions", sa.Text),
        column("books", sa.JSON),
        column("most", sa.Float),
        column("services", sa.JSON),
        column("created", TIME),
        column("due", TIME, nullable=True),
        column("details", sa.JSON),
        sa.PrimaryKeyConstraint("id", name="pk_assignments"),
        sa.ForeignKeyConstraint(["platform"], ["lti_platforms.id"], ondelete="CASCADE", name="fk_assignments_platform"),
        sa.ForeignKeyConstraint(["class_id"], ["classes.id"], ondelete="CASCADE", name="fk_assignments_class_id"),
    )
    op.create_index("ix_assignments_school", "assignments", ["school"])
    op.create_index("ix_assignments_platform", "assignments", ["platform", "link"])
    op.create_index("ix_assignments_code", "assignments", ["code"], unique=True)
    op.create_table(
        "submissions",
        column("assignment", sa.String(64)),
        column("email", sa.String(320)),
        column("school", sa.String(255)),
        column("feedback", sa.String(64), nullable=True),
        column("at", TIME),
        column("score", sa.JSON, nullable=True),
        column("batch", sa.String(64), nullable=True),
        column("number", sa.Integer, nullable=True),
        sa.PrimaryKeyConstraint("assignment", "email", name="pk_submissions"),
        sa.ForeignKeyConstraint(["assignment"], ["assignments.id"], ondelete="CASCADE", name="fk_submissions_assignment"),
    )
    op.create_index("ix_submissions_feedback", "submissions", ["feedback"])
    op.add_column("feedback", column("edits", sa.Text, server_default="{}"))
    op.execute(f"INSERT INTO assignments ({OF_LTI}, details) SELECT {OF_LTI}, '{{}}' FROM lti_assignments")  # noqa: S608  # ours
    op.execute(f"INSERT INTO submissions ({SUBMITTED}) SELECT {SUBMITTED} FROM lti_handed_in")  # noqa: S608  # ours
    op.drop_table("lti_handed_in")
    op.drop_table("lti_assignments")


def downgrade() -> None:
    """Make the old tables again, with what belongs to learning platforms."""
    op.create_table(
        "lti_assignments",
        column("id", sa.String(64)),
        column("school", sa.String(255)),
        column("platform", sa.String(64)),
        column("link", sa.String(255)),
        column("title", sa.Text),
        column("instructions", sa.Text),
        column("books", sa.JSON),
        column("most", sa.Float),
        column("services", sa.JSON),
        column("created", TIME),
        sa.PrimaryKeyConstraint("id", name="pk_lti_assignments"),
        sa.ForeignKeyConstraint(["platform"], ["lti_platforms.id"], ondelete="CASCADE", name="fk_lti_assignments_platform"),
    )
    op.create_index("ix_lti_assignments_school", "lti_assignments", ["school"])
    op.create_index("ix_lti_assignments_platform", "lti_assignments", ["platform", "link"])
    op.create_table(
        "lti_handed_in",
        column("assignment", sa.String(64)),
        column("email", sa.String(320)),
        column("school", sa.String(255)),
        column("feedback", sa.String(64), nullable=True),
        column("at", TIME),
        column("score", sa.JSON, nullable=True),
        sa.PrimaryKeyConstraint("assignment", "email", name="pk_lti_handed_in"),
        sa.ForeignKeyConstraint(["assignment"], ["lti_assignments.id"], ondelete="CASCADE", name="fk_lti_handed_in_assignment"),
    )
    op.execute(f"INSERT INTO lti_assignments ({OF_LTI}) SELECT {OF_LTI} FROM assignments WHERE platform IS NOT NULL")  # noqa: S608  # ours
    op.execute(
        f"INSERT INTO lti_handed_in ({SUBMITTED}) SELECT {SUBMITTED} FROM submissions"  # noqa: S608  # ours
        " WHERE assignment IN (SELECT id FROM lti_assignments)"
    )
    op.drop_column("feedback", "edits")
    for table in ("submissions", "assignments", "class_students", "classes"):
        op.drop_table(table)
