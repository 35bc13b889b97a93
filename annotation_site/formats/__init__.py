"""How dates are written, per language; numbers are written as Django has them."""
