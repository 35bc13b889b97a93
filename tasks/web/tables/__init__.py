"""Tables of pages: read from what a page shows, and given as files."""
