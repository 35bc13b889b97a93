"""From a file of questions and a file of predictions to items: `python -m benchmarks.intake`.

    python -m benchmarks.intake [--questions 500] [--systems 1] [--items 0] [--beside]

Whole commands are timed, each a process of its own that begins with loading Django, on SQLite, or
on PostgreSQL where DATABASE_URL names a server. The texts are generated: five questions on each
passage of 120 words, two references each, and candidates that match neither, so that every
candidate makes two items of three ratings. With `--beside` another process writes a row again and
again meanwhile, and the longest time that it waited for its turn is printed with every command.
With `--items` a file of ready-made items, each with a question and a passage of its own, comes in
too, then the same again, and a rating of each. At last: the statements of an import of one row.

The processor's time is that of the command; the server of PostgreSQL takes its own beside it.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.timing import timed
from tests.site import ROOT, Site, running_site

_SEED = 500
_PER_PASSAGE, _PASSAGES_PER_DOCUMENT = 5, 20
_WRITER = """
import select, sys, time
import django; django.setup()
from tasks.models import Campaign
print("begun", flush=True)
longest = 0.0
while not select.select([sys.stdin], [], [], 0.01)[0]:
    begun = time.perf_counter()
    Campaign.objects.filter(slug="another").update(title="another")
    longest = max(longest, time.perf_counter() - begun)
print(longest)
"""
_ONE_ROW = """
import json
from pathlib import Path
from django.db import connection
from django.test.utils import CaptureQueriesContext
from tasks.intake.workflow.files import ImportFile, take_in
from tasks.models import Campaign
campaign = Campaign.objects.get(slug="one")
for kind, system, row in ROWS:
    path = Path("FOLDER/one.jsonl")
    path.write_text(json.dumps(row))
    with CaptureQueriesContext(connection) as queries:
        take_in(campaign=campaign, kind=kind, file=ImportFile(path, None, system=system))
    print(f"{'one of ' + kind:20} {len(queries):6} statements")
"""
_WORDS = [f"word{number}" for number in range(3000)]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--questions", type=int, default=500)
    options.add_argument("--systems", type=int, default=1, help="files of predictions")
    options.add_argument("--items", type=int, default=0, help="of a file of ready-made ones")
    options.add_argument("--beside", action="store_true", help="measure how long others wait")
    given = options.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        running_site(Path(folder), start=False) as site,
    ):
        site.manage("create_campaign", "another", "--protocol", "ae", "--overlap", "3")
        site.manage("create_campaign", "intake", "--protocol", "ae", "--overlap", "3")
        alone, _help = timed(lambda: site.manage("import_questions", "--help"))
        print(f"{'loading Django alone':20} {alone:6.2f} s", flush=True)
        seconds = import_all(site, given.questions, given.systems, is_beside=given.beside)
        if given.items:
            site.manage("create_campaign", "ready", "--protocol", "ae", "--overlap", "3")
            _import_ready_made(site, given.items, is_beside=given.beside)
        print(_of_one_row(site), end="")
    rate = given.questions / seconds
    print(f"{given.questions:,} questions to items: {seconds:.2f} s, {rate:,.0f} questions/s")


def import_all(site: Site, questions: int, systems: int, *, is_beside: bool = False) -> float:
    """Print the time of every command; the seconds of all together."""
    draw = random.Random(_SEED)
    data = _write(site.folder / "questions.json", _squad(draw, questions))
    steps: list[tuple[str, ...]] = [("import_questions", "intake", data)]
    for number in range(systems):
        answers = {f"q{n}": _phrase(draw, 3) for n in range(questions)}
        path = _write(site.folder / f"system-{number}.json", answers)
        steps.append(("import_predictions", "intake", path, "--system", f"system-{number}"))
    return sum(_beside(site, step) if is_beside else _import(step, site.manage) for step in steps)


def _import_ready_made(site: Site, items: int, *, is_beside: bool) -> None:
    draw = random.Random(_SEED)
    rows, ratings = site.folder / "items.jsonl", site.folder / "ratings.jsonl"
    with rows.open("w") as file, ratings.open("w") as rated:
        for number in range(items):
            row: dict[str, Any] = {"id": f"i{number}", "question_id": f"q{number}"}
            texts = {"question": f"{_phrase(draw, 9)}?", "context": _phrase(draw, 60)}
            row |= {**texts, "references": [_phrase(draw, 2)], "candidate": _phrase(draw, 3)}
            print(json.dumps(row), file=file)
            rating = {"id": f"i{number}", "rater": f"r{number % 5}", "label": "equivalent"}
            print(json.dumps(rating), file=rated)
    given = ("import_items", "ready", str(rows))
    for step in (given, given, ("import_ratings", "ready", str(ratings))):
        if is_beside:
            _beside(site, step)
        else:
            _import(step, site.manage)


def _of_one_row(site: Site) -> str:
    site.manage("create_campaign", "one", "--protocol", "ae", "--overlap", "3")
    question = {"question": "Where is it?", "context": "It is there.", "references": ["there"]}
    item = {**question, "id": "i", "question_id": "q", "candidate": "here", "systems": ["juniper"]}
    rating = {"rater": "r", "label": "equivalent"}
    rows = [
        ("items", "", item),
        ("items", "", item),
        ("questions", "", {**question, "id": "q2"}),
        ("predictions", "juniper", {"id": "q2", "prediction": "nowhere"}),
        ("ratings", "", {"id": "i", **rating}),
    ]
    return site.python(_ONE_ROW.replace("ROWS", repr(rows)).replace("FOLDER", str(site.folder)))


def _beside(site: Site, step: tuple[str, ...]) -> float:
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITER],
        cwd=ROOT,
        env={**site.environment, "DJANGO_SETTINGS_MODULE": "annotation_site.settings"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert writer.stdout is not None
    writer.stdout.readline()  # it has begun
    seconds = _import(step, site.manage)
    longest, _errors = writer.communicate("stop\n")
    print(f"{'':20} another writer waited for {float(longest):.2f} s at most", flush=True)
    return seconds


def _import(step: tuple[str, ...], manage: Callable[..., str]) -> float:
    before = _processor_seconds()
    seconds, brought = timed(lambda: manage(*step, "--json"))
    processor = _processor_seconds() - before
    counts = {key: value for key, value in json.loads(brought).items() if value}
    print(f"{step[0]:20} {seconds:6.2f} s, processor {processor:6.2f} s  {counts}", flush=True)
    return seconds


def _processor_seconds() -> float:
    """Of all processes that were started here and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _squad(draw: random.Random, questions: int) -> dict[str, Any]:
    passages = []
    for first in range(0, questions, _PER_PASSAGE):
        words = draw.choices(_WORDS, k=120)
        asked = range(first, min(first + _PER_PASSAGE, questions))
        qas = [_question(draw, number, words) for number in asked]
        passages.append({"context": " ".join(words), "qas": qas})
    documents = range(0, len(passages), _PASSAGES_PER_DOCUMENT)
    return {
        "data": [
            {"title": f"Document {n}", "paragraphs": passages[n : n + _PASSAGES_PER_DOCUMENT]}
            for n in documents
        ]
    }


def _question(draw: random.Random, number: int, words: list[str]) -> dict[str, Any]:
    place = draw.randrange(len(words) - 4)
    references = [" ".join(words[place : place + length]) for length in (2, 4)]
    answers = [{"text": reference, "answer_start": None} for reference in references]
    return {"id": f"q{number}", "question": f"{_phrase(draw, 9)}?", "answers": answers}


def _phrase(draw: random.Random, words: int) -> str:
    return " ".join(draw.choices(_WORDS, k=words))


def _write(path: Path, content: object) -> str:
    path.write_text(json.dumps(content))
    return str(path)


if __name__ == "__main__":
    main()
