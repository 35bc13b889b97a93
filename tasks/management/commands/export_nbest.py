import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from django.core.management.base import CommandError

from tasks.evaluations.queries.metric_scores import (
    ADMISSIBLE,
    VERDICTS,
    NBest,
    judged_answers,
    nbest_answers,
    verdicts_on,
)
from tasks.management.command import TomahtoCommand, campaign_named, output_file
from tasks.management.evaluation.options import matcher_argument, natural_number, percentage
from tasks.models import Campaign
from tomahto.matching.registry import load_matcher
from tomahto.matching.scores import admitted_answers
from tomahto.text.normalisation import plain_name

Admission = Sequence[Sequence[bool]]  # of every question's answers


class Command(TomahtoCommand):
    help = (
        "Write all answers that a system weighed for each question, for `evaluate conformal`: the "
        "nonconformity of an answer is its negative score, and an answer is admissible if it "
        "matches a reference exactly by the campaign's rule, or if people judged it right (Bulian "
        "et al. 2022, App. C)."
    )

    def arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--system", required=True, type=plain_name, metavar="NAME")
        parser.add_argument("--out", required=True, type=Path, metavar="FILE")
        parser.add_argument(
            "--admissible",
            choices=["exact", "labels"],
            default="exact",
            help="exact matches (default), or also answers with a correct majority label; answers "
            "that nobody judged are then not admissible and are counted",
        )
        parser.add_argument(
            "--approximate",
            type=matcher_argument,
            metavar="MATCHER",
            help="let a matcher admit answers from its threshold on, too, as a second list",
        )
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
        found = list(nbest_answers(campaign, options["system"]))
        if not found:
            raise CommandError(_nothing(campaign, options["system"]))
        count = round(len(found) * options["calibration"] / 100)
        drawn = np.random.default_rng(options["seed"]).permutation(len(found))
        is_calibration = {int(place) for place in drawn[:count]}
        by_labels = options["admissible"] == "labels"
        admissible, counts = _admission(campaign, found, by_labels=by_labels)
        approximate, matcher = _approximate(found, options["approximate"])
        with output_file(options["out"]) as file:
            for place, one in enumerate(found):
                line = {
                    "id": one.question_key,
                    "question": one.ranked.question,
                    "references": one.ranked.references,
                    "answers": one.ranked.answers,
                    "scores": [-score for score in one.scores],
                    "admissible": [*map(int, admissible[place])],
                    **({"approximate": [*map(int, approximate[place])]} if matcher else {}),
                    "fold": "calibration" if place in is_calibration else "test",
                }
                file.write(f"{json.dumps(line, ensure_ascii=False)}\n")
        return {
            "questions": len(found),
            "calibration": count,
            "answers": sum(len(one.scores) for one in found),
            **counts,
            **matcher,
            "path": str(options["out"]),
        }


def _admission(
    campaign: Campaign, found: Sequence[NBest], *, by_labels: bool
) -> tuple[Admission, dict[str, int]]:
    """The admissible answers, and the number of answers with each verdict."""
    if not by_labels:
        return [one.exact for one in found], {}
    judged = judged_answers(campaign)
    verdicts = [list(verdicts_on(one, judged)) for one in found]
    counts = Counter(verdict for of_question in verdicts for verdict in of_question)
    return (
        [[verdict in ADMISSIBLE for verdict in of_question] for of_question in verdicts],
        {verdict: counts[verdict] for verdict in VERDICTS},
    )


def _approximate(found: Sequence[NBest], name: str | None) -> tuple[Admission, dict[str, Any]]:
    if name is None:
        return [], {}
    matcher = load_matcher(name)
    admitted = admitted_answers(matcher, [one.ranked for one in found])
    says = {"metric": matcher.name, "version": matcher.version, "threshold": matcher.threshold}
    return admitted, {"matcher": says}


def _nothing(campaign: Campaign, system: str) -> str:
    systems = campaign.systems.filter(candidates__score__isnull=False).distinct()
    known = ", ".join(systems.order_by("name").values_list("name", flat=True)) or "none yet"
    return f"no system {system!r} has scores in {campaign.slug}; those that do: {known}"
