"""rotate_secrets gets SIGKILL, again and again: every secret can be read all the time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.site import ROOT, Site, running_site

pytestmark = pytest.mark.slow

WEBHOOKS = 30
_FILL = f"""
from tasks.events.workflow.webhooks import add_webhook
from tests.factories import make_campaign
campaign = make_campaign("rivers")
for number in range({WEBHOOKS}):
    add_webhook(campaign=campaign, url=f"https://hooks.example/{{number}}", events=["job.done"])
"""
# killed in the transaction of a batch, after so many secrets
_MORTAL = """
import os, signal
import django
django.setup()
from tasks.storing import resealing
resealing.AT_ONCE = 5
seal, left = resealing.seal, [{after}]
def mortal(text, place):
    left[0] -= 1
    if left[0] < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return seal(text, place)
resealing.seal = mortal
resealing.reseal_all()
"""
_CLEAR = """
import json
from tasks.models import AuditEntry, Webhook
urls = [(each.url, each.secret) for each in Webhook.objects.order_by("pk")]
done = AuditEntry.objects.filter(action="secrets.rotated")
print(json.dumps([urls, sum(entry.facts["secrets"] for entry in done)]))
"""


def die(site: Site, *, after: int) -> int:
    """How a run ends that is killed after so many secrets."""
    code = _MORTAL.format(after=after)
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=site.environment, check=False, timeout=120
    )
    return run.returncode


def test_killed_runs_lose_nothing_and_are_gone_on_with(tmp_path: Path) -> None:
    with running_site(tmp_path / "data", start=False) as site:
        site.environment["TOMAHTO_SECRET_KEY"] = "the old one"
        site.python(_FILL)
        before, _ = json.loads(site.python(_CLEAR))
        site.environment["TOMAHTO_SECRET_KEY"] = "the new one"
        site.environment["TOMAHTO_SECRET_KEY_FALLBACKS"] = "the old one"
        for after in (0, 3, 8, 14):
            assert die(site, after=after) == -9
            secrets, recorded = json.loads(site.python(_CLEAR))
            assert secrets == before
            assert recorded % 5 == 0, "whole batches only"
        assert 0 < recorded < 2 * WEBHOOKS
        done = json.loads(site.manage("rotate_secrets", "--json"))
        assert done["rotated"] == 2 * WEBHOOKS - recorded
        del site.environment["TOMAHTO_SECRET_KEY_FALLBACKS"]
        assert json.loads(site.python(_CLEAR)) == [before, 2 * WEBHOOKS]
        assert json.loads(site.manage("verify_audit", "--json"))["ok"]
