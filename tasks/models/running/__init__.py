"""Jobs, workers, and what they keep."""
