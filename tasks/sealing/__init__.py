"""What only a holder of the site's keys can read: secrets in rows, and backups."""
