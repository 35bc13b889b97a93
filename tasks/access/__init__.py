"""Permissions of people: accounts, memberships, tokens, second factors, limits."""
