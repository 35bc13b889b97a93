"""The job table, and the workers that work through it."""
