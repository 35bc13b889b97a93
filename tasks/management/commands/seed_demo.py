from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from django.conf import settings

from tasks.demo.workflow import Login, load_demo
from tasks.management.command import TomahtoCommand


class Command(TomahtoCommand):
    help = "Load the demo campaigns once; their logins are kept in logins.txt of the data folder."

    def work(self, **options: Any) -> dict[str, Any]:  # noqa: ARG002 - has no options
        logins = load_demo(settings.BASE_DIR / "demo")
        if logins:
            _keep(logins)
        return {"logins": [asdict(login) for login in logins]}

    def describe(self, result: Mapping[str, Any]) -> Iterable[str]:
        if not result["logins"]:
            yield "the demo is already loaded"
        for login in result["logins"]:
            yield f"{login['username']:12} {login['password']}  ({login['role']})"


def _keep(logins: list[Login]) -> None:
    path = settings.DATA_DIR / "logins.txt"
    path.touch(mode=0o600)
    path.write_text(
        "".join(f"{each.username:12} {each.password}  ({each.role})\n" for each in logins)
    )
