from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from django.conf import settings

from tasks.demo.workflow import load_demo
from tasks.management.command import TomahtoCommand

_LINE = "{username:12} {password}  ({role})"


class Command(TomahtoCommand):
    help = "Load the demo campaigns once; their logins are kept in logins.txt of the data folder."

    def work(self, **options: Any) -> dict[str, Any]:  # noqa: ARG002 - has no options
        logins = [asdict(login) for login in load_demo(settings.BASE_DIR / "demo")]
        if logins:
            path = settings.DATA_DIR / "logins.txt"
            path.touch(mode=0o600)
            path.write_text("".join(f"{_LINE.format(**login)}\n" for login in logins))
        return {"logins": logins}

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        if not result["logins"]:
            yield "the demo is already loaded"
        yield from (_LINE.format(**login) for login in result["logins"])
