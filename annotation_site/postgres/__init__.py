"""Django's PostgreSQL engine with a cheaper health check and durable commits. Named by the
settings."""
