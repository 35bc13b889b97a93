"""What `./run` becomes: one process that loads the site once, and forks all others of it."""
