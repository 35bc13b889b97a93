"""The formats in which files come: a module each, found by being there (`table.py`)."""
