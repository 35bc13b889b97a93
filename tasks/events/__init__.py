"""Events, sent to the webhooks that want them."""
