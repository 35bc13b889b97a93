"""Imports beside everything else: nobody waits for one, and one that is killed leaves nothing."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest

from examples.rater import Rater
from tests.faults.campaigns import make_campaign
from tests.sampling import IS_LONG
from tests.site import ROOT, Site, running_site

pytestmark = pytest.mark.faults

ROWS = 25_000 if IS_LONG else 8_000
LONGEST_WAIT = 1.0  # seconds
SHARE_OF_IMPORT = 0.3  # of its time; one that locked made others wait for nearly all of it
EVERY = 1 if IS_LONG else 3  # statement of an import at which it is killed

_WRITES_BETWEEN_ROWS = """
from django.db import connections
from tomahto.interchange.reading.records import ItemRow, Source
from tasks.models import Campaign, Item
from tasks.campaigns.workflow.campaign import create_campaign
from tasks.intake.workflow.items import import_items

campaign = create_campaign(slug="large", protocol="ae", overlap=2)
create_campaign(slug="other", protocol="ae", overlap=2)
other = connections.create_connection("default")
if other.vendor == "sqlite":
    options = {**other.settings_dict["OPTIONS"], "timeout": 0}  # what is locked is refused at once
    other.settings_dict = {**other.settings_dict, "OPTIONS": options}

def rows():
    for n in range(2500):
        if n % 500 == 499:
            with other.cursor() as cursor:
                cursor.execute(
                    "UPDATE tasks_campaign SET title = title || 'x' WHERE slug = 'other'"
                )
        yield ItemRow(Source("items", n), None, None, None, f"Question {n}?", "", ("a",), "b", ())

import_items(campaign=campaign, rows=rows())
print(Campaign.objects.get(slug="other").title, Item.objects.count())
"""

_KILLED = """
import json, os, signal, sys
from django.conf import settings
from django.db import connection, connections
from tomahto.interchange.reading.records import ItemRow, RatingRow, Source
from tasks.models import (
    Candidate, Document, Item, ItemSystem, Membership, Question, Rating, Slot,
)
from tasks.campaigns.workflow.campaign import create_campaign
from tasks.storing.import_run import ImportRefused
from tasks.intake.workflow.ratings import import_ratings

campaign = create_campaign(slug="large", protocol="ae", overlap=2)
rows = [
    RatingRow(
        source=Source("ratings", n), item_id=None, rater=f"rater-{n % 3}", label="equivalent",
        item=ItemRow(Source("ratings", n), f"item-{n // 3}", None, f"document-{n % 5}",
                     f"Question {n // 3}?", "", ("a",), "b", ("juniper",)),
    )
    for n in range(30)
]
MODELS = (Document, Question, Candidate, Item, ItemSystem, Slot, Membership, Rating)
note = settings.DATA_DIR / "statements"


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def stored_after_a_kill(moment):
    # what is there after an import was killed at a statement, or before or after its commit
    connections.close_all()
    child = os.fork()
    if not child:
        import_until(moment)
        os._exit(0)
    _pid, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), moment
    return stored()


def stored():
    return [model.objects.count() for model in MODELS]


def import_until(moment):
    statements = 0
    commit = connection._commit

    def execute(run, *arguments):
        nonlocal statements
        statements += 1
        if statements == moment:
            die()
        return run(*arguments)

    def committing():
        is_last = Rating.objects.exists()  # ids are reserved in transactions of their own
        if is_last and moment == "before":
            note.write_text(str(statements))
            die()
        commit()
        if is_last and moment == "after":
            die()

    connection._commit = committing
    with connection.execute_wrapper(execute):
        import_now()


def import_now():
    while True:
        try:
            return import_ratings(campaign=campaign, rows=rows)
        except ImportRefused:  # the server has not noticed yet that the one before is dead
            pass


# the first makes counters for ids, which takes statements that no other needs
nothing = [stored_after_a_kill("before") for _ in range(2)]
last = int(note.read_text())
nothing += [stored_after_a_kill(n) for n in range(1, last, {every})]
everything = stored_after_a_kill("after")
again = import_now()
print(json.dumps([len(nothing), sorted(map(list, set(map(tuple, nothing)))), everything, stored(),
                  [again.ratings_created, again.ratings_existing, again.items_created]]))
"""


_SECOND = """
import json
from threading import Thread
from django.db import connection
from tomahto.interchange.reading.records import ItemRow, Source
from tasks.campaigns.workflow.campaign import create_campaign
from tasks.storing.import_run import ImportRefused
from tasks.intake.workflow.items import import_items

campaigns = [create_campaign(slug=slug, protocol="ae", overlap=2) for slug in ("busy", "free")]
row = ItemRow(Source("items", 1), None, None, None, "Question?", "", ("a",), "b", ())
found = []

def second():
    for campaign in campaigns:
        try:
            found.append(import_items(campaign=campaign, rows=[row]).items_created)
        except ImportRefused as error:
            found.append(str(error))
    connection.close()

def rows():
    thread = Thread(target=second)
    thread.start()
    thread.join()
    yield row

first = import_items(campaign=campaigns[0], rows=rows())
print(json.dumps([*found, first.items_created]))
"""


def test_second_import_of_a_campaign_at_once_is_refused(tmp_path: Path) -> None:
    with running_site(tmp_path, start=False) as site:
        refusal = "another import into busy is running; try again when it has ended"
        assert json.loads(site.python(_SECOND)) == [refusal, 1, 1]


def test_nothing_is_locked_while_records_are_read(tmp_path: Path) -> None:
    with running_site(tmp_path, start=False) as site:
        assert site.python(_WRITES_BETWEEN_ROWS).split() == ["otherxxxxx", "2500"]


def test_killed_import_leaves_nothing_or_all(tmp_path: Path) -> None:
    with running_site(tmp_path, start=False) as site:
        printed = site.python(_KILLED.replace("{every}", str(EVERY)))
    moments, nothing, everything, after_another, again = json.loads(printed)
    assert moments > 10
    assert nothing == [[0] * 8]
    # Documents, questions, their answers, items, their systems, slots where 3 ratings count,
    # raters, ratings. The rows of an item name 3 documents, and a question without an id is one
    # in each: three questions share an item, and the system answered each of them.
    assert everything == [5, 30, 30, 10, 10, 30, 3, 30]
    assert after_another == everything
    assert again == [0, 30, 0]


def test_raters_wait_for_no_import(tmp_path: Path) -> None:
    with running_site(tmp_path) as site:
        (token,) = make_campaign(site, items=20_000, overlap=1, raters=1)
        site.manage("create_campaign", "large", "--protocol", "ae", "--overlap", "3")
        for command in _files(site.folder):
            with _rating_on(site, token) as waits:
                seconds = _import(site, *command)
            longest = max(waits)
            print(
                f"{command[0]} of {ROWS:,}: {seconds:.1f} s; {len(waits)} ratings meanwhile, "
                f"longest wait {longest:.2f} s"
            )
            # on a busy machine everything takes longer, the import too
            assert longest < max(LONGEST_WAIT, SHARE_OF_IMPORT * seconds)
            assert not IS_LONG or longest < LONGEST_WAIT


def _files(folder: Path) -> Iterator[tuple[str, ...]]:
    items, ratings, predictions = (folder / f"{name}.jsonl" for name in ("i", "r", "p"))
    with items.open("w") as item_file, ratings.open("w") as file, predictions.open("w") as answers:
        for n in range(ROWS):
            item: dict[str, object] = {
                "id": f"i{n}",
                "question_id": f"q{n}",
                "question": f"Question {n}?",
            }
            passage = f"Passage {n}. " * 20
            item |= {"context": passage, "references": ["here"], "candidate": "there"}
            print(json.dumps(item), file=item_file)
            rating = {"id": f"i{n}", "rater": f"r{n % 5}", "label": "equivalent"}
            print(json.dumps(rating), file=file)
            print(json.dumps({"id": f"q{n}", "prediction": f"elsewhere {n}"}), file=answers)
    yield "import_items", str(items)
    yield "import_ratings", str(ratings)
    yield "import_predictions", str(predictions), "--system", "juniper"


def _import(site: Site, command: str, *arguments: str) -> float:
    begun = time.monotonic()
    subprocess.run(
        [sys.executable, "manage.py", command, "large", *arguments],
        cwd=ROOT,
        env=site.environment,
        check=True,
        capture_output=True,
    )
    return time.monotonic() - begun


@contextmanager
def _rating_on(site: Site, token: str) -> Iterator[list[float]]:
    """Claims and submits in another campaign; the seconds that each pair of calls took."""
    waits: list[float] = []
    is_over = Event()

    def rate() -> None:
        rater = Rater(site.address, token, timeout=60)
        while not is_over.is_set():
            begun = time.monotonic()
            work = rater.claim("races")
            assert work is not None
            rater.submit(work, {"q1": False, "q2": True})
            waits.append(time.monotonic() - begun)
        rater.close()

    thread = Thread(target=rate)
    thread.start()
    try:
        yield waits
    finally:
        is_over.set()
        thread.join()
