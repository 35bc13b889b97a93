"""Secrets that have to be read again, in columns that nobody reads without the site's keys."""
