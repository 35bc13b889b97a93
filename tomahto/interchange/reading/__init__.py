"""Bytes to rows: encodings, JSON, tables, limits, records."""
