"""Campaigns of any size, stored in bulk, to measure on."""
