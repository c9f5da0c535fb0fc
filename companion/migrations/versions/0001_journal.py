"""The journal: one table of entries that is only ever appended to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Makes the table of entries."""
    op.create_table(
        "entries",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True, autoincrement=True),
        sa.Column("type", sa.String(40), nullable=False),
        sa.Column("time", sa.String(40), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    """Drops the table of entries."""
    op.drop_table("entries")
