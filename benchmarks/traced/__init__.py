"""Films whose pictures a path tracer makes."""
