"""Views of items, answers and forms, for this and other features."""
