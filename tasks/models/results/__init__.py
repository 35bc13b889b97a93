"""What is made of ratings."""
