"""A simulated board under a simulated camera: a frame source like any other."""
