"""Backups: the whole site as a folder of plain files, the same from and for either database."""
