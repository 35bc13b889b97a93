"""The HTTP API for programs: the same workflow as the pages, as JSON."""
