"""The demo campaigns."""
