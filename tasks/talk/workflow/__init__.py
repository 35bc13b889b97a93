"""Writes: messages, marks of what was read, mails."""
