"""A publishing worker is killed at every step: a release is listed with its whole folder, or not.

Steps are those of the folder, and every statement and commit of the database.
"""

import json
from pathlib import Path

import pytest

from tests.sampling import IS_LONG, IS_WHOLE
from tests.site import running_site

pytestmark = pytest.mark.faults

_PUBLISH_AND_KILL = """
import json
import shutil
from pathlib import Path

from django.db import connection

from exporters.planned_release import ReleasePlan
from tomahto.charts import chart_files
from tomahto.releases.verification.verify import verify_release
from tomahto.interchange.reading.records import ItemRow, RatingRow, Source
from tasks.models import Release
from tasks.campaigns.workflow.campaign import create_campaign
from tasks.intake.workflow.items import import_items
from tasks.intake.workflow.ratings import import_ratings
from tasks.releases.workflow.release import publish_release
from tests.database_steps import every_step_and_statement
from tests.exporters.steps import At, disk_full, run_killed_at
from tests.sampling import IS_WHOLE, sample

draw, drawn = chart_files._drawn, {{}}


def drawn_once(chart, kind):
    key = f"{{kind}} {{chart!r}}"
    if key not in drawn:
        drawn[key] = draw(chart, kind)
    return drawn[key]


chart_files._drawn = drawn_once  # drawing takes no step, and most of the time
folder = Path({folder!r})
campaign = create_campaign(slug="rivers", protocol="ae", overlap=1)
import_items(campaign=campaign, rows=[
    ItemRow(Source("items", n), f"item-{{n}}", None, f"document-{{n}}", f"Question {{n}}?",
            "A passage.", (f"reference {{n}}",), f"candidate {{n}}", ())
    for n in range(2)
])
import_ratings(campaign=campaign, rows=[
    RatingRow(Source("ratings", n), None, f"item-{{n}}", "ann", "equivalent") for n in range(2)
])
formats = None if IS_WHOLE else ()  # the more of them, the more writes
plan = ReleasePlan(version="1.0.0", split="document:test=100", seed=0, formats=formats)


def publish(out):
    return publish_release(campaign=campaign, plan=plan, out=out)


def check(number, out):
    release = Release.objects.first()
    is_whole = out.exists() and not verify_release(out)
    if release is not None:
        listed.append(number)
        if not is_whole or (release.folder, release.digest) != (out, digest):
            wrong.append(f"{{number}}: listed without its folder")
    elif out.exists():
        unlisted.append(number)
        if not is_whole:
            wrong.append(f"{{number}}: half a folder")
    if number % 10 == 0 or out.exists():
        again = publish(out)
        if again.digest != digest or Release.objects.get() != again or verify_release(out):
            wrong.append(f"{{number}}: another release when tried again")
        if not is_whole and [place.name for place in out.parent.iterdir()] != ["out"]:
            wrong.append(f"{{number}}: something is left")


counter = At(-1, disk_full)
with every_step_and_statement(counter):
    digest = publish(folder / "whole").digest
Release.objects.all().delete()
listed, unlisted, wrong = [], [], []
# of the many writes some: tests/exporters/test_interrupted.py tries them
writes = [number for number, name in enumerate(counter.names) if name == "write"]
others = [number for number, name in enumerate(counter.names) if name != "write"]
few = 10 if IS_WHOLE else 3
kept = sorted([*sample(writes, few), *sample(others[:-20], few), *others[-20:]])
for number in kept:
    out = folder / str(number) / "out"
    connection.close()  # a connection is for one process
    if not run_killed_at(number, lambda: publish(out), every_step_and_statement):
        wrong.append(f"{{number}}: not killed")
    check(number, out)
    Release.objects.all().delete()
    shutil.rmtree(out.parent, ignore_errors=True)
print(json.dumps({{
    "steps": len(kept), "listed": len(listed), "unlisted": len(unlisted), "wrong": wrong,
}}))
"""


@pytest.mark.representative("a release killed midway")
def test_a_worker_killed_at_any_step_lists_a_whole_release_or_none(tmp_path: Path) -> None:
    with running_site(tmp_path / "site", start=False) as site:
        printed = json.loads(site.python(_PUBLISH_AND_KILL.format(folder=str(tmp_path / "out"))))
    assert printed["wrong"] == []
    assert printed["steps"] >= (200 if IS_LONG else 40 if IS_WHOLE else 26)
    assert printed["listed"] >= 1  # killed after the commit
    assert printed["unlisted"] >= 2  # between the renaming and the commit
