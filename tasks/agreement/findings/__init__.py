"""What can raise an alarm, found at looks that share one level."""
