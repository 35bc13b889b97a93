"""Answer sets that hold a right answer with a chosen probability (Bulian et al. 2022, §5)."""
