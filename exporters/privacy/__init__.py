"""Personal data in comments."""
