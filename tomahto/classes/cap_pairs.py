"""The pairs (higher class, lower class) that the CAP paper sets apart."""

HARD_NEIGHBOURS = (
    ("equivalent", "partial"),
    ("overinclusive-valid", "partial"),
    ("overinclusive-valid", "overinclusive-invalid"),
    ("alternative-correct", "invalid"),
)
"""Those that are hardest to tell apart (CAP Tab. 4)."""

AMBIGUOUS_PAIRS = (("overinclusive-valid", "partial"),)
"""Strictly ordered by rank, yet context-dependent (CAP eq. 1)."""
