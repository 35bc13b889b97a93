"""Agreement and statistics of a dataset."""
