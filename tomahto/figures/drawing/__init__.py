"""Charts of tables: their values, their axes, their marks, and how they lie on a page."""
