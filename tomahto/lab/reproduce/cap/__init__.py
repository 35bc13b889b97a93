"""CAP: its figures again, from its files and from releases of campaigns."""
