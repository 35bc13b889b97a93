"""Decisions on items that raters disagree about."""
