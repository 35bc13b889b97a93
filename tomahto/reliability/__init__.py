"""How far raters agree: alpha, kappa, AC1, and reports of them."""
