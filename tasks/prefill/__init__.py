"""Suggestions of matchers, generated texts, matchers trained on labels."""
