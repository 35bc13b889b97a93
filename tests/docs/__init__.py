"""What the documentation prints, typed as it stands there."""
