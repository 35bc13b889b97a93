"""A figure with its interval."""
