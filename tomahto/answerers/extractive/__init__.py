"""Answers that are spans of a passage, found by a reader."""
