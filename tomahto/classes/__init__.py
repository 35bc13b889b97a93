"""Ordered classes of correctness: thresholds, agreement on them, the weights of CAP."""
