"""How items, answers and forms are shown, here and by other features."""
