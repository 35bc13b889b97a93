"""How the site logs: formats of lines, and what stays out of them."""
