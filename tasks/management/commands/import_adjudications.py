from tasks.management.imports import ImportCommand


class Command(ImportCommand):
    help = "Import adjudicators' decisions on existing items, all or nothing."
    kind = "adjudications"
    records = "decisions"
