"""Question and answer as a statement (CAP)."""
