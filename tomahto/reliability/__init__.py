"""The agreement of raters: alpha, kappa, AC1, and reports of them."""
