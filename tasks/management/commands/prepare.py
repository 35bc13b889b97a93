"""manage.py prepare"""

from typing import Any

from django.core.management import call_command

from tasks.demo.presence import is_demo_there
from tasks.management.command import TomahtoCommand
from tasks.management.schema import bring_up_to_date
from tasks.management.static_files import collect_changed


class Command(TomahtoCommand):
    help = (
        "Make ready what is to be served: migrate the database if needed, load the demo once,"
        " collect static files that have changed. For ./run."
    )

    def work(self, **options: Any) -> dict[str, Any]:  # noqa: ARG002 - has no options
        applied = bring_up_to_date()
        if not is_demo_there():
            call_command("seed_demo", stdout=self.stderr)
        return {"migrations": applied, "static_files_collected": collect_changed()}
