"""manage.py prepare"""

from typing import Any

from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from tasks.management.command import TomahtoCommand


class Command(TomahtoCommand):
    help = "Make the database ready: migrate if needed, load the demo once. For ./run."

    def work(self, **options: Any) -> dict[str, Any]:  # noqa: ARG002 - has no options
        executor = MigrationExecutor(connection)
        plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
        if plan:
            call_command("migrate", verbosity=0, interactive=False)
        call_command("seed_demo", stdout=self.stderr)
        return {"migrations": len(plan)}
