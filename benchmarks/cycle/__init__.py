"""What the rater's cycle is measured with, and beside."""
