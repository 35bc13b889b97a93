"""What happened, sent to the webhooks that want it."""
