"""What the figures `more` are made of: predictions, the sample they save, and who may stand in."""
