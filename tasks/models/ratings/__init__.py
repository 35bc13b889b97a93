"""What raters and adjudicators do."""
