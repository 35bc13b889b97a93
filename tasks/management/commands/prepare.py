from typing import Any

from django.core.management import call_command

from tasks.management.command import TomahtoCommand
from tasks.management.schema import bring_up_to_date


class Command(TomahtoCommand):
    help = "Make the database ready: migrate if needed, load the demo once. For ./run."

    def work(self, **options: Any) -> dict[str, Any]:  # noqa: ARG002 - has no options
        applied = bring_up_to_date()
        call_command("seed_demo", stdout=self.stderr)
        return {"migrations": applied}
