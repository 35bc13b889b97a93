"""CFMatch's figures, from published files and releases."""
