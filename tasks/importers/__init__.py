"""Files that people hand in become records here: checked, bounded, read as a stream; no ORM."""
