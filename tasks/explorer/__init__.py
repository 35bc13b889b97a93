"""Every item of a campaign: found, sorted, looked at with its whole history, and acted on."""
