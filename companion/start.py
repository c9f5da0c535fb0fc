"""Where the command `paleo` begins: loading it takes a moment, in which it may be interrupted already."""

from __future__ import annotations

INTERRUPTED = 130  # as a shell says it: 128 and the signal's number


def main() -> None:
    """Loads the command line and runs it; an interrupt meanwhile ends it without a traceback."""
    try:
        from companion.cli import main as run

        run()
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None
