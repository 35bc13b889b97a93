"""What operators are told of the site's backups."""

from django import template

from tasks.backup.scheduled.shown import late_backup

register = template.Library()
register.simple_tag(late_backup)
