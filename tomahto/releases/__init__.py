"""The release folder: what is in it, how it is read, verified and compared."""
