"""What has to hold so that a rating that was acknowledged survives a loss of power."""

from typing import Any

from django.core import checks
from django.db.backends.base.validation import BaseDatabaseValidation

DURABLE_COMMITS = """
SELECT set_config('synchronous_commit', 'on', false)
WHERE current_setting('synchronous_commit') = 'off'
"""
# only the server's own administrator can change these
_NEEDED = ("fsync", "full_page_writes")
_SETTINGS = "SELECT name FROM pg_settings WHERE name = ANY(%s) AND setting = 'off' ORDER BY name"


class DurabilityValidation(BaseDatabaseValidation):
    """Warns, whenever the site migrates, of a server that may lose what it has committed."""

    def check(self, **_options: Any) -> list[checks.CheckMessage]:
        with self.connection.cursor() as cursor:
            cursor.execute(_SETTINGS, [list(_NEEDED)])
            return [_warning(name) for (name,) in cursor.fetchall()]


def _warning(name: str) -> checks.CheckMessage:
    return checks.Warning(
        f"PostgreSQL runs with {name} = off.",
        hint=f"A crash of its machine may lose ratings. Set {name} = on in postgresql.conf.",
        id="annotation_site.W001",
    )
