"""A dataset in the formats of papers and of other tools."""
