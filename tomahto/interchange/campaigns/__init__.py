"""Imports of a campaign: items, questions, predictions, answers, ratings."""
