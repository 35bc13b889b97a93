"""Every page of the site, looked at: nothing clipped, nothing broken, nothing in anybody's way."""
