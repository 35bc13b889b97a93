"""Files made to hurt or to mislead, each with the exact outcome it must have."""
