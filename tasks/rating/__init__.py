"""From the claim of an item to its stored rating."""
