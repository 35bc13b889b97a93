"""Django's PostgreSQL engine with a cheaper health check. Named by the settings."""
