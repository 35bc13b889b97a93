"""Pages of threads and inboxes."""
