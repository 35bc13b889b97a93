"""What keeps messages going: those that no worker can use are put aside; clocks may be wrong."""
