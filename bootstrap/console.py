"""What the commands tell a person, on stderr: stdout belongs to the command that was asked for."""

import sys


def note(text: str) -> None:
    """One line of progress."""
    print(text, file=sys.stderr, flush=True)
