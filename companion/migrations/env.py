"""Alembic's environment: the journal hands over its open connection."""

from __future__ import annotations

from alembic import context


def run() -> None:
    """Applies the steps on the connection in the configuration's attributes."""
    connection = context.config.attributes["connection"]
    context.configure(connection=connection, target_metadata=None, transactional_ddl=True)
    with context.begin_transaction():
        context.run_migrations()


run()
