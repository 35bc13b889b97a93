"""Parts that pages and API calls share."""
