"""The main job, from the command line: questions in, a verified release of human ratings out.

    python examples/main_job.py QUESTIONS.json [--raters 3] [--items N] [--data DIR]

QUESTIONS.json is a SQuAD file. The baseline answerer answers every question, matchers score what
comes of it, and raters that are programs judge the items over the API of a site that is started
for them. Agreement is measured, a release is made and verified. Each step is printed with the
seconds it took.

The raters stand in for people: each compares token F1, blurred by noise of its own, with a
threshold of its own. Draw no conclusions from their figures. The same seed makes the same
ratings of the same items.

Run it with the Python that has Tomahto's packages installed; nothing else is needed.
"""

import argparse
import random
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# The imports below need the path set above: a script's own path is its folder's.
from examples.checkout import Tomahto, working_folder
from tomahto.text.normalisation import token_overlap

CAMPAIGN = "main-job"
NOISE = 0.15  # standard deviation of what a rater takes token F1 for


def main() -> None:
    options = _options()
    data = working_folder(options.data, "main-job")
    tomahto = Tomahto(data)
    tomahto.migrate()
    make_items(tomahto.step, options.questions, options.raters)
    crowd = (CAMPAIGN, options.raters, judge)
    tomahto.rate("items rated over the API", *crowd, limit=options.items, seed=options.seed)
    tomahto.measure_agreement(CAMPAIGN)
    tomahto.release(CAMPAIGN, data / "release", "--split", "document:dev=30,test=70")
    tomahto.total()
    print(f"all of it is in {data}")


def make_items(step: Callable[..., Any], questions: Path, overlap: int) -> None:
    """A campaign with the questions, the baseline's candidates and the matchers' scores."""
    how = ("--protocol", "ae", "--overlap", overlap)
    step("campaign created", "create_campaign", CAMPAIGN, *how)
    squad = ("import_questions", CAMPAIGN, questions, "--format", "squad")
    intake = step("questions imported", *squad)
    print("  {questions} questions, {unanswerable} of them unanswerable".format(**intake))
    baseline = ("prefill", CAMPAIGN, "--answerer", "lexical", "--wait")
    step("questions answered by the baseline", *baseline)
    filled = step("items scored by the matchers", "prefill", CAMPAIGN, "--wait")
    print(f"  {filled['jobs'][0]['result']['items']} items")


def judge(item: Mapping[str, Any], rater: str, draw: random.Random) -> dict[str, bool]:
    """The answers to Q1-Q4 in the order they are asked: each closes or opens the next."""
    threshold = random.Random(rater).uniform(0.45, 0.65)  # noqa: S311 - no secret
    overlap = token_overlap(item["candidate"], item["references"][0])
    felt = overlap.f1 + draw.gauss(0, NOISE)
    if felt >= threshold:
        return {"q1": False, "q2": True}
    if overlap.f1 == 0:
        return {"q1": True}
    return {
        "q1": False,
        "q2": False,
        "q3": overlap.recall < 1,
        "q4": overlap.precision < 1,
    }


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("questions", type=Path, help="a SQuAD file")
    parser.add_argument("--raters", type=int, default=3, help="default 3")
    parser.add_argument("--items", type=int, metavar="N", help="each rater rates at most so many")
    parser.add_argument("--seed", type=int, default=0, help="of the raters; default 0")
    parser.add_argument("--data", type=Path, help="an empty folder to work in; default a new one")
    return parser.parse_args()


if __name__ == "__main__":
    main()
