"""Lens, pose and board: between board millimetres and image pixels."""
