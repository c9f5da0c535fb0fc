"""The board files that ship."""
