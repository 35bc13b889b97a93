"""A campaign as a whole: lists, overview, settings."""
