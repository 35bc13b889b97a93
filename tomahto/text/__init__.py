"""Normalised text, near-duplicates, cells of spreadsheets."""
