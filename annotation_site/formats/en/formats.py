"""5 Mar 2025, 14:03: read alike wherever English is read, and alike on every page."""

SHORT_DATE_FORMAT = DATE_FORMAT = "j M Y"
SHORT_DATETIME_FORMAT = DATETIME_FORMAT = "j M Y, H:i"
