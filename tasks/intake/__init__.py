"""Files into a campaign: planned, checked, then stored as a whole."""
