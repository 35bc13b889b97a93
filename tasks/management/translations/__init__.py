"""Texts of the interface and their translations. Needs Babel, which only the tests bring."""
