"""What the intake knows of files that came in."""
