"""Counted judgements of items."""
