"""CAP: entailment between statements, as a score of correctness."""
