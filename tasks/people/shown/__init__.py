"""How people look, for every page of results."""
