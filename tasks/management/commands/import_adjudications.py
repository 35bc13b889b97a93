"""manage.py import_adjudications SLUG FILE [--format NAME]"""

from tasks.management.imports import ImportCommand


class Command(ImportCommand):
    help = "Import adjudicators' decisions on items that are there, all or nothing."
    kind = "adjudications"
    records = "decisions"
