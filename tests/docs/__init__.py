"""The documentation's commands, typed as the pages print them."""
