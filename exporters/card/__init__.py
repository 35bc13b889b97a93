"""A release's README, as the hub shows it."""
