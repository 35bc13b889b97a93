"""Acts on many items: each a module with what it would do, what it does, and how it is undone."""
