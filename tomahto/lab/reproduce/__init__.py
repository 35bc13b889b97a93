"""Published figures computed again from published files, cell by cell."""
