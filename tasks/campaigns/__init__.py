"""Campaigns, their guidelines, and how many ratings an item gets."""
