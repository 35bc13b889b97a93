"""Backups that the site takes by itself: one file each, kept in a folder or an object store."""
