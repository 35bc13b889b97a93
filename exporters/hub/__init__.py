"""Releases on the model hub."""
