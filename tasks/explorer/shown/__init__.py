"""How the rows of the explorer leave it: in the API and in files."""
