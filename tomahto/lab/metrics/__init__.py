"""Sections on metrics against people."""
