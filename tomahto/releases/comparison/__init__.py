"""The differences between two releases."""
