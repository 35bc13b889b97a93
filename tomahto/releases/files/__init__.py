"""Files of a folder: Parquet, JSON lines, CSV."""
