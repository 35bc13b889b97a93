"""Sections on systems."""
