"""Releases as benchmarks, and the standings of submissions."""
