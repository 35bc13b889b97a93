"""How the state of the backups is said to operators."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tasks.backup.scheduled.queries import BackupAge, backup_age


def late_backup() -> str:
    """A sentence if the last good backup is too old, else nothing."""
    age = backup_age()
    return said_of_age(age) if age and age.is_too_old else ""


def said_of_age(age: BackupAge | None) -> str:
    """A sentence."""
    if age is None:
        return _("The site takes no backups by itself (TOMAHTO_BACKUP_HOURS=0).")
    hours = round(age.age.total_seconds() / 3600)
    if age.is_of_site:
        said = _("There is no good backup yet.")
    else:
        said = ngettext(
            "The last good backup is %(hours)s hour old.",
            "The last good backup is %(hours)s hours old.",
            hours,
        ) % {"hours": hours}
    too_old = _("That is too old: see what went wrong.")
    return f"{said} {too_old}" if age.is_too_old else said
