"""How messages look, on pages, in mails and over the API."""
