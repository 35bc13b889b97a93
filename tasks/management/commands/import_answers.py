from tasks.management.imports import ImportCommand


class Command(ImportCommand):
    help = "Import the table `answers` of a release, after its items, all or nothing."
    kind = "answers"
