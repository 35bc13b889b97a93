"""What differs between two releases."""
