"""Conversations of raters and admins about items: threads, inboxes, mails, shared answers."""
