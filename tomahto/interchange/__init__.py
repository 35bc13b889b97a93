"""Files that other tools write, read strictly: one clear error names file, line and field."""
