"""Reads. Nothing here changes a row."""
