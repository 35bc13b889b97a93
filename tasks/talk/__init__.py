"""Conversations of raters and admins about items: threads, inboxes, mails about them."""
