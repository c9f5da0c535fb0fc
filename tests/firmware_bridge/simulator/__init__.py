"""The real firmware on simavr: built once, run in step with the test, its serial line on a pseudo-terminal."""
