"""Why a backup cannot be made, or cannot be restored."""


class BackupError(ValueError):
    """The message says why in one line, and names the file or table if it is one."""
