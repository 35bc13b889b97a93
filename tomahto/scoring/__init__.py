"""Answers scored against references: SQuAD 1.1 and 2.0, and metrics against people."""
