"""Django's SQLite engine with a queue of writers and commits that may share a sync. Named by the
settings."""
