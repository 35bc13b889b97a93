"""CFMatch: logistic regression on words of both answers (Li et al. 2024)."""
