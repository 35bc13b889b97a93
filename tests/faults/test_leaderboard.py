"""Two workers, each a process of its own, score and compare for one leaderboard at once."""

import json
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from tests.site import Site, running_site

pytestmark = pytest.mark.faults

SYSTEMS = 5
_FILL = """
import json
from pathlib import Path
from tasks.models import Job
from tests.tasks.evaluations.leaderboards import answers, make_release, submit

release = make_release(Path({folder!r}))
for number in range({systems}):
    submit(release, f"system {{number}}", answers(number))
print(json.dumps(list(Job.objects.order_by("pk").values_list("pk", flat=True))))
"""
_WORK = """
from tasks.jobs.work import run_job
for number in {numbers}:
    run_job(number)
"""
_LOOK = """
import json
from tasks.models import Job, Leaderboard, SubmissionScore
content = json.loads(Leaderboard.objects.get().content)
print(json.dumps([
    sorted(set(Job.objects.values_list("state", flat=True))),
    SubmissionScore.objects.count(),
    len(content["submissions"]),
    [len(metric["places"]) for metric in content["metrics"]],
]))
"""


def work(site: Site, numbers: list[int]) -> None:
    site.python(_WORK.format(numbers=numbers))


def test_two_workers_at_once_leave_one_whole_leaderboard(tmp_path: Path) -> None:
    with running_site(tmp_path / "site", start=False) as site:
        numbers = json.loads(site.python(_FILL.format(folder=str(tmp_path), systems=SYSTEMS)))
        assert len(numbers) == SYSTEMS
        with ThreadPoolExecutor(2) as pool:  # one from either end, so that they meet
            list(pool.map(partial(work, site), (numbers, numbers[::-1])))
        states, scores, compared, places = json.loads(site.python(_LOOK))
    assert (states, scores, compared) == (["done"], SYSTEMS, SYSTEMS)
    assert set(places) == {SYSTEMS}
