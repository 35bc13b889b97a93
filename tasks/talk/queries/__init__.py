"""Reads: threads, who may see them, inboxes."""
