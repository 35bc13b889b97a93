"""Answers that a language model writes."""
