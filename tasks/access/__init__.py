"""Who may do what: accounts, memberships, tokens, second factors, limits."""
