"""The lab of a campaign, and leaderboards of its releases."""
