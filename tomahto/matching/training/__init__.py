"""Training matchers on labels of people, and what their accuracy is."""
