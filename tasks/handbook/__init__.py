"""The documentation in the site, and the field's terms explained in two sentences."""
