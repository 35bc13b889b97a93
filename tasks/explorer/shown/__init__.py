"""The rows of the explorer, as the API and files have them."""
