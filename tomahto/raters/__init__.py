"""One rater beside the others: agreement, drift, speed, control items, steering by suggestions."""
