"""Charts drawn with Matplotlib, which nothing else of the library imports."""
