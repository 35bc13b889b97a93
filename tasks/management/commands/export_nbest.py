"""manage.py export_nbest SLUG --system NAME --out FILE [--calibration PERCENT] [--seed N]"""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import CommandError

from measures.text import exact_match
from tasks.management.command import TomahtoCommand, campaign_named
from tasks.management.evaluation.options import natural_number, percentage
from tasks.management.output_file import output_file
from tasks.models import Campaign
from tasks.queries.nbest import NBest, nbest_answers


class Command(TomahtoCommand):
    help = (
        "Write all answers that a system weighed for each question, as `evaluate conformal` reads "
        "them: the nonconformity of an answer is its negative score, and admissible is what "
        "matches a reference exactly (Bulian et al. 2022, App. C)."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--system", required=True, metavar="NAME")
        parser.add_argument("--out", required=True, type=Path, metavar="FILE")
        parser.add_argument(
            "--calibration",
            type=percentage,
            default=80,
            metavar="PERCENT",
            help="questions of the calibration fold, drawn at random; default 80",
        )
        parser.add_argument("--seed", type=natural_number, default=0, help="default 0")

    def work(self, **options: Any) -> dict[str, Any]:
        campaign = campaign_named(options["slug"])
        system = options["system"]
        found = list(nbest_answers(campaign, system))
        if not found:
            raise CommandError(_nothing(campaign, system))
        count = round(len(found) * options["calibration"] / 100)
        drawn = np.random.default_rng(options["seed"]).permutation(len(found))
        is_calibration = {int(place) for place in drawn[:count]}
        with output_file(options["out"]) as file:
            for line in _lines(found, is_calibration):
                file.write(f"{json.dumps(line, ensure_ascii=False)}\n")
        return {
            "questions": len(found),
            "calibration": count,
            "answers": sum(len(one.answers) for one in found),
            "path": str(options["out"]),
        }


def _lines(found: list[NBest], is_calibration: set[int]) -> Iterator[dict[str, Any]]:
    for place, one in enumerate(found):
        yield {
            "id": one.question_key,
            "question": one.question,
            "references": one.references,
            "answers": [text for text, _ in one.answers],
            "scores": [-score for _, score in one.answers],
            "admissible": [int(exact_match(text, one.references)) for text, _ in one.answers],
            "fold": "calibration" if place in is_calibration else "test",
        }


def _nothing(campaign: Campaign, system: str) -> str:
    systems = campaign.systems.filter(candidates__score__isnull=False).distinct()
    known = ", ".join(systems.order_by("name").values_list("name", flat=True)) or "none yet"
    return f"no system {system!r} has scores in {campaign.slug}; those that do: {known}"
