"""Threads and inboxes over the API."""
