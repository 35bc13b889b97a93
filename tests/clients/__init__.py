"""The clients of the API, against the schema and a real site."""
