"""What people have said of items, counted."""
