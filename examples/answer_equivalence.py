"""Bulian et al. (2022) from first file to last table: answers in, the paper's tables out.

    python examples/answer_equivalence.py [--data DIR]
    python examples/answer_equivalence.py --train train-v2.0.json --questions dev-v2.0.json \\
        --predictions bidaf=bidaf.json --predictions xlnet=xlnet.json \\
        --nbest luke=nbest_predictions.json --base google-bert/bert-base-uncased

Without files it takes the demo's questions and systems and the small files in `examples/data`. A
reader's answers to the training questions are rated once, those of the systems by everybody; a
file of training questions of one's own is answered by the baseline reader unless
`--train-predictions` has answers, such as those of `cross_fit`. Matchers score all items, and so do
LERC and BLEURT elsewhere, for which invented scores stand here. Raters that are programs answer Q1
to Q4 over the API. A release with train, dev and test is made and verified; matchers are trained on
its train part; conformal sets, SQuAD scores and a report are made of it, and `evaluate reproduce`
puts every figure of the paper beside ours. What is missing, and why, is said at the end. With
`--base` BEM is trained in its three variants and in both directions, which needs torch; `--matcher
bertscore` needs a model that is set up.

Systems whose names have bidaf, xlnet and luke in them stand for the paper's. Draw no conclusions
from figures of invented scores and simulated people.

Run it with the Python that has Tomahto's packages installed; nothing else is needed.
"""

import argparse
import json
import random
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# The imports below need the path set above: a script's own path is its folder's.
from examples.checkout import ROOT, Tomahto, system_and_file, working_folder
from examples.main_job import judge

CAMPAIGN = "answer-equivalence"
SHIPPED = ROOT / "examples" / "data"
DEMO = ROOT / "demo"
PREDICTIONS = {
    "bidaf-thistle": DEMO / "predictions" / "thistle.json",
    "xlnet-marigold": DEMO / "predictions" / "marigold.json",
}
NBEST = {"luke-juniper": SHIPPED / "nbest_predictions.json"}
READER = "reader"
SPLIT = "document:dev=30,test=70:keep=train"
MATCHERS = ("em", "f1", "cfmatch")
ELSEWHERE = {"lerc": (1.0, 5.0), "bleurt": (0.0, 1.0)}
"""Metrics that are computed elsewhere, and what their scores go from and to."""
BEMS: Mapping[str, Sequence[str]] = {
    "answers": ("--variant", "answers"),
    "question": (),
    "context": ("--variant", "context"),
    "symmetrised": ("--symmetrised",),
}
NOISE = 0.2  # standard deviation of what a metric elsewhere takes token F1 for


@dataclass(frozen=True)
class Project:
    """One annotation project: its commands, its files, and where what it makes is."""

    tomahto: Tomahto
    folder: Path
    train: Path = SHIPPED / "train_questions.json"
    train_predictions: Path | None = SHIPPED / "train_predictions.json"
    questions: Path = DEMO / "questions.json"
    predictions: Mapping[str, Path] = field(default_factory=lambda: PREDICTIONS)
    nbest: Mapping[str, Path] = field(default_factory=lambda: NBEST)
    raters: int = 3
    seed: int = 0

    @property
    def release(self) -> Path:
        return self.folder / "release"

    def manage(self, step: str, *arguments: object) -> Any:
        return self.tomahto.step(step, *arguments)


def main() -> None:
    options = _options()
    folder = working_folder(options.data, "answer-equivalence")
    project = Project(
        Tomahto(folder / "site"),
        folder,
        options.train or Project.train,
        options.train_predictions or (None if options.train else Project.train_predictions),
        options.questions,
        dict(options.predictions or PREDICTIONS),
        dict(options.nbest or NBEST),
        options.raters,
        options.seed,
    )
    project.tomahto.migrate()
    take_in(project)
    score(project)
    people = (CAMPAIGN, project.raters, judge)
    project.tomahto.rate("items rated over the API", *people, seed=project.seed)
    project.tomahto.measure_agreement(CAMPAIGN)
    checked = project.tomahto.release(CAMPAIGN, project.release, "--split", SPLIT)
    print(f"  {checked['splits']}")
    train(project)
    bems = [train_bem(project, options.base, name) for name in BEMS if options.base]
    measure(project, bems)
    reproduced = reproduce(project, bems, options.matcher)
    project.tomahto.total()
    show(reproduced)
    print(f"all of it is in {folder}")


def take_in(project: Project) -> None:
    """Training questions with a reader's answers, one rating each; the rest with the systems'."""
    manage = project.manage
    manage("campaign created", "create_campaign", CAMPAIGN, "--protocol", "ae", "--overlap", 1)
    by_paper = ("configure_campaign", CAMPAIGN, "--exact-rule", "squad")
    manage("answers settled by the rule of the paper", *by_paper)
    into = ("import_questions", CAMPAIGN)
    manage("training questions imported", *into, project.train, "--split", "train")
    read: tuple[object, ...] = ("prefill", CAMPAIGN, "--answerer", "lexical", "--wait")
    if path := project.train_predictions:
        read = ("import_predictions", CAMPAIGN, path, "--system", READER)
    manage("training questions answered", *read)
    manage("questions imported", *into, project.questions, "--split", "dev")
    for system, path in {**project.predictions, **project.nbest}.items():
        options = ("--system", system, "--overlap", project.raters)
        done = manage(f"answers of {system}", "import_predictions", CAMPAIGN, path, *options)
        said = "  {candidates} answers, {exact_matches} of them exact, {items_created} new items"
        print(said.format(**done))


def score(project: Project) -> None:
    """Suggestions of matchers here, and of metrics elsewhere."""
    matchers = [word for name in MATCHERS for word in ("--matcher", name)]
    project.manage("items scored by matchers", "prefill", CAMPAIGN, *matchers, "--wait")
    items = project.folder / "items.jsonl"
    of_f1 = ("--matcher", "f1", "--out", items)
    project.manage("items written for metrics elsewhere", "export_suggestions", CAMPAIGN, *of_f1)
    for metric, (low, high) in ELSEWHERE.items():
        path = scores_of(project, metric)
        lines = scored_elsewhere(items, low, high, random.Random(f"{project.seed} {metric}"))  # noqa: S311
        path.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        options = ("--matcher", metric, "--range", f"{low:g},{high:g}")
        project.manage(f"scores of {metric}", "import_suggestions", CAMPAIGN, path, *options)


def scores_of(project: Project, metric: str) -> Path:
    return project.folder / f"{metric}.jsonl"


def scored_elsewhere(
    items: Path, low: float, high: float, draw: random.Random
) -> Iterator[dict[str, Any]]:
    """Invented scores: token F1 blurred by noise."""
    for line in items.read_text().splitlines():
        item = json.loads(line)
        felt = min(max(item["score"] + draw.gauss(0, NOISE), 0), 1)
        yield {"id": item["id"], "score": round(low + felt * (high - low), 4)}


def train(project: Project) -> None:
    """The matchers that need no model, on train, and how well they do on test."""
    for matcher in ("feather", "cfmatch"):
        places = ("--split", "train", "--test", f"{project.release}:test")
        out = ("--out", project.folder / f"{matcher}.json")
        command = (f"train_{matcher}", project.release, *places, *out)
        project.manage(f"{matcher} trained", *command)


def bem_of(project: Project, name: str) -> Path:
    return project.folder / f"bem-{name}"


def train_bem(project: Project, base: str, name: str) -> Path:
    folder = bem_of(project, name)
    options = ("--model", base, "--dev", f"{project.release}:dev", "--out", folder)
    command = ("train_bem", project.release, *BEMS[name], *options)
    project.manage(f"BEM trained: {name}", *command)
    return folder


def measure(project: Project, bems: Sequence[Path]) -> None:
    """Conformal sets, SQuAD's scores with the accepted answers, and a report."""
    draw_sets(project, bems)
    folder = project.folder
    system, path = next(iter(project.predictions.items()))
    expanded = ("squad_v2", project.release / "squad" / "test.json", path, "--missing", "empty")
    scored = project.manage("SQuAD scores on test", "evaluate", *expanded)
    print("  {0}: exact {exact:.2f}, F1 {f1:.2f} of {total}".format(system, **scored))
    report = ("report", project.release, "--tune-on", "train", "--unit", "ratings")
    project.manage("report", "evaluate", *report, "--out", folder / "report")


def draw_sets(project: Project, bems: Sequence[Path]) -> None:
    """The curves of Fig. 2: of SQuAD's references alone, of people's labels with F1's beside them,
    and of BEM that reads the question."""
    system, labels = next(iter(project.nbest)), nbest_of(project)
    squad = project.folder / "nbest_squad.jsonl"
    for admissible, path in (("exact", squad), ("labels", labels)):
        options = ("--system", system, "--admissible", admissible, "--out", path)
        project.manage(f"n-best answers exported: {admissible}", "export_nbest", CAMPAIGN, *options)
    draw_curve(project, "squad", squad)
    draw_curve(project, "f1", labels, "f1")
    for folder in bems:
        if folder == bem_of(project, "question"):
            draw_curve(project, "bem", labels, f"bem:{folder}")


def draw_curve(project: Project, name: str, nbest: Path, matcher: str = "") -> None:
    targets = ("--targets", "0.99,0.95,0.9,0.8,0.7", "--curve", "--trials", 50)
    admit = ("--approximate-matcher", matcher, "--threshold", 0.5) if matcher else ()
    sets = ("conformal", nbest, *targets, "--candidates", 20, *admit)
    out = ("--out", project.folder / "conformal" / name)
    project.manage(f"conformal sets: {name}", "evaluate", *sets, *out)


def nbest_of(project: Project) -> Path:
    return project.folder / "nbest.jsonl"


def reproduce(project: Project, bems: Sequence[Path], matchers: Sequence[str]) -> Any:
    files = (
        project.release,
        f"nbest={nbest_of(project)}",
        *(f"{metric}={scores_of(project, metric)}" for metric in ELSEWHERE),
    )
    models = [word for folder in bems for word in ("--bem", folder)]
    more = [word for name in matchers for word in ("--matcher", name)]
    csv = ("--csv", project.folder / "figures.csv", "--latex", project.folder / "tables.tex")
    return project.manage(
        "figures of the paper", "evaluate", "reproduce", "bulian", *files, *models, *more, *csv
    )


def show(reproduced: Mapping[str, Any]) -> None:
    """Of each table how many figures it lists and we have, and why others are missing."""
    for row in reproduced["overview"]:
        made = f"{row['computed']} of {row['listed']}" if row["listed"] else row["command"]
        print(f"{row['table']:10} {row['title']:66} {made}")
    counts = reproduced["counts"]
    print(f"{counts['computed']} of {counts['listed']} figures of the paper computed")
    missing = [one for one in reproduced["figures"] if one["ours"]["value"] is None]
    reasons = dict.fromkeys((one["table"], one["ours"]["reason"]) for one in missing)
    for table, reason in reasons:
        print(f"  {table}: {reason}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    dev = Project.questions
    parser.add_argument("--train", type=Path, help="a SQuAD file to train on")
    parser.add_argument("--train-predictions", type=Path, metavar="FILE", help="answers to it")
    parser.add_argument("--questions", type=Path, default=dev, help="a SQuAD file for dev and test")
    for name, what in (("predictions", "its answers"), ("nbest", "its n-best answers")):
        parser.add_argument(
            f"--{name}", type=system_and_file, action="append", metavar="SYSTEM=FILE", help=what
        )
    parser.add_argument("--base", metavar="MODEL", help="what BEM is trained from; needs torch")
    parser.add_argument(
        "--matcher", action="append", default=[], help="compute this metric for the tables too"
    )
    parser.add_argument("--raters", type=int, default=3, help="default 3")
    parser.add_argument("--seed", type=int, default=0, help="of raters and scores; default 0")
    parser.add_argument("--data", type=Path, help="an empty folder to work in; default a new one")
    return parser.parse_args()


if __name__ == "__main__":
    main()
