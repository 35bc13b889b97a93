from tasks.management.imports import ImportCommand


class Command(ImportCommand):
    help = "Import ready-made items, all or nothing."
    kind = "items"
