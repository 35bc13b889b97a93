"""Releases: chosen, previewed, written, listed, withdrawn."""
