"""Writes, one module per stage of the work. Interfaces parse, call one function here, render."""
