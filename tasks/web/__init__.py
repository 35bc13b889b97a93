"""What pages and API calls share."""
