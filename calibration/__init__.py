"""Lens, pose and board: between board millimetres and image pixels."""

import os

# Before numpy is imported: matrices are small here, and a second thread for them waits in a loop on the core that the
# next frame needs. Whoever sets the variable has the last word.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
