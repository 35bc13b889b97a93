"""BEM: a BERT that judges equivalence (Bulian et al. 2022)."""
