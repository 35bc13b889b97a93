"""How dates are written, per language, and labels; numbers are written as Django has them."""
