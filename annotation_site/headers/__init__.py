"""What every answer tells the browser to refuse."""
