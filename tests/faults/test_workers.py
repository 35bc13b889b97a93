"""Real workers: what they score, and what happens when one is killed or a message is lost.

With SQLite messages go through a folder, with PostgreSQL through Redis, as the two ways to run
the product have it.
"""

import json
import os
import signal
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.faults.campaigns import make_campaign
from tests.faults.jobs import (
    await_job,
    broker,
    lose_messages,
    stored_candidates,
    stored_suggestions,
)
from tests.site import Site, running_site
from tomahto.answerers.interface import Answer, QuestionToAnswer
from tomahto.answerers.registry import load_answerer
from tomahto.matching.interface import Pair
from tomahto.matching.registry import available_matchers, load_matcher

pytestmark = pytest.mark.faults

LEASE_SECONDS = 2
BATCH = 500  # what the workflow scores and reports at a time
ITEMS = 2 * BATCH + 100
COUNTING = "tests.faults.counting_worker"
PAIRS = {
    "cut": Pair("Where does it rise?", "", ("in the northern hills",), "in the hills"),
    "wrong": Pair("Where does it rise?", "", ("in the northern hills",), "at the coast"),
    "other words": Pair("How long is it?", "It is 31 km long.", ("31 km",), "31 kilometres"),
    "same": Pair("How long is it?", "It is 31 km long.", ("31 km",), "31 Km."),
}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A migrated site without any process."""
    with broker() as address:
        environment = {
            "TOMAHTO_BROKER_URL": address,
            "TOMAHTO_JOB_LEASE_SECONDS": str(LEASE_SECONDS),
            "COUNTED": str(tmp_path / "counted"),
        }
        with running_site(tmp_path, environment=environment, start=False) as site:
            yield site


def test_workers_store_what_matchers_and_answerers_say(site: Site) -> None:
    """The same with either database and either broker, because all of them say what is computed."""
    rows = [
        {"id": key, "question": p.question, "context": p.context, "candidate": p.candidate}
        | {"references": list(p.references)}
        for key, p in PAIRS.items()
    ]
    (site.folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    site.manage("create_campaign", "rivers", "--protocol", "cap", "--overlap", "1")
    site.manage("import_items", "rivers", str(site.folder / "items.jsonl"))
    site.start_worker()

    matchers = sorted(available_matchers())
    asked = [part for name in matchers for part in ("--matcher", name)]
    site.manage("prefill", "rivers", *asked)
    for name in matchers:
        await_job(site, state="done", parameters={"name": name})
    expected = []
    for name in matchers:
        matcher = load_matcher(name)
        scores = dict(zip(PAIRS, matcher.score(list(PAIRS.values())), strict=True))
        expected += [(name, k, scores[k], scores[k] >= matcher.threshold) for k in sorted(PAIRS)]
    assert stored_suggestions(site) == expected

    site.manage("prefill", "rivers", "--answerer", "lexical")
    await_job(site, state="done", parameters={"name": "lexical"})
    texts = {(pair.question, pair.context) for pair in PAIRS.values()}
    questions = [QuestionToAnswer(question, question, context) for question, context in texts]
    answers = load_answerer("lexical").answer(questions)
    assert stored_candidates(site) == sorted(
        (question.question, question.context, answer.text)
        for question, answer in zip(questions, answers, strict=True)
        if isinstance(answer, Answer)
    )


def test_a_killed_worker_is_replaced_and_every_item_is_scored_once(site: Site) -> None:
    make_campaign(site, items=ITEMS, overlap=1, raters=1)
    site.environment["HANG_BEFORE"] = "2"
    victim = site.start_worker(application=COUNTING)
    site.manage("prefill", "races", "--matcher", "f1")

    stuck = await_job(site, state="running", done=BATCH, total=ITEMS)
    # it lives, so it keeps its lease although it has nothing to report
    lease = datetime.fromisoformat(stuck["lease_until"])
    later = (lease + timedelta(seconds=2 * LEASE_SECONDS)).isoformat()
    await_job(site, state="running", fence=1, lease_until__gt=later)

    os.killpg(victim.pid, signal.SIGKILL)
    victim.wait()
    del site.environment["HANG_BEFORE"]
    site.start_worker(application=COUNTING)

    job = await_job(site, state="done")
    assert (job["attempts"], job["fence"]) == (2, 2)
    assert (job["done"], job["total"], job["result"]["items"]) == (ITEMS, ITEMS, ITEMS)
    counted = (site.folder / "counted").read_text().splitlines()
    assert sorted(counted) == sorted(f"candidate {n}" for n in range(ITEMS))
    assert len(stored_suggestions(site)) == ITEMS


def test_a_lost_message_is_sent_again(site: Site) -> None:
    make_campaign(site, items=3, overlap=1, raters=1)
    site.manage("prefill", "races", "--matcher", "f1")
    assert lose_messages(site) == 1

    site.start_worker()

    job = await_job(site, state="done")
    assert (job["attempts"], job["done"]) == (1, 3)
    assert len(stored_suggestions(site)) == 3
