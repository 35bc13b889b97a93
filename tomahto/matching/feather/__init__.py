"""Feather: boosted trees on features of both answers."""
