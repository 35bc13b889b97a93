"""Sections on ordered classes."""
