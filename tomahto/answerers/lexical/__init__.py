"""Answers found by words alone."""
