"""Records as a dataset: labels, selection, splits."""
