"""The serial line to the optional sensor board."""
