"""Learners without a deep-learning library: sparse matrices, boosted trees, logistic regression."""
