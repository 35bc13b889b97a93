"""CFMatch's project, from the rules of correctness to its tables (Li et al. 2024).

    python examples/matcher_rules.py [--per-rule 6] [--rounds 3] [--raters 3] [--data DIR]
        [--endpoint URL --model NAME [--key-variable NAME]] [--tiny-models BERT]
        [--nq-open FOLDER] [--jeopardy FILE --jeopardy-expanded FILE]

A language model writes pairs of answers by rule, in rounds that begin with seeds, and verifies them
(§3.2). An admin approves them, raters judge them by rule over the API of a site that is started for
them, agreement is measured, and a release is made and verified. CFM is trained on pairs with labels
of answer equivalence, CFM-Aug on these with the release's train split. Other names of entities come
from the expanded sets (§4.2). Metrics are then judged beside people and by rule, and the tables are
computed, §5.3 and 5.4 in-sample: a split of so small a release has no pair that both matchers judge
differently (docs/reproduce.md). With --tiny-models a BERT is trained on both sets too (footnote 5);
it needs torch.

Where no endpoint is named a stand-in writes (examples/stand_in.py). The raters are programs that
know what it meant and err now and then; of a real model's pairs they know nothing, and go by shared
words. Nothing of what comes out says anything about people, models or metrics. Texts of further
sets are small and invented (examples/data); the options take files of the published shape instead.

Run it with the Python that has Tomahto's packages installed; nothing else is needed.
"""

import argparse
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# The imports below need the path set above: a script's own path is its folder's.
from examples.checkout import Tomahto, working_folder
from examples.stand_in import MODEL, RuleWriter, writer
from tomahto.text.normalisation import token_overlap

CAMPAIGN, WRITER, ADMIN = "rules", "writer", "admin"
DATA = Path(__file__).parent / "data"
PUBLISHED = DATA / "cfmatch"
AE_TRAIN = DATA / "judged.jsonl"
# CFM as the paper has it (§3.3)
AS_PUBLISHED = ("--l2", 1, "--overlap-scale", 1, "--overlap-words", "tokens")
ERRORS = 0.08  # share of a rater's labels that are wrong
# the rules as the prompt calls them, and as raters choose them
RULES = {
    "another name of the same entity": "aliasing",
    "numbers, dates and units": "numerical",
    "fewer details": "fewer-details",
    "more details": "more-details",
    "meaning, not words": "semantic",
    "beside the point or false": "irrelevant",
    "another right answer": "other-answers",
}
Options = argparse.Namespace


def main() -> None:
    options = _options()
    data = working_folder(options.data, "matcher-rules")
    tomahto, model = Tomahto(data), RuleWriter(options.seed)
    tomahto.migrate()
    write_pairs(tomahto, options, model)
    approve(tomahto)
    people = (CAMPAIGN, options.raters, judge_of(model))
    tomahto.rate("pairs judged over the API", *people, seed=options.seed)
    tomahto.measure_agreement(CAMPAIGN)
    release = data / "release"
    # a generated pair's document is its question
    tomahto.release(CAMPAIGN, release, "--split", "document:train=70,dev=15,test=15:leaks=report")
    matchers = train(tomahto, options, release)
    use_other_names(tomahto, options, matchers)
    beside_people(tomahto, options, matchers, release)
    compute_tables(tomahto, options, matchers, release)
    tomahto.total()
    print(f"all of it is in {data}")


def write_pairs(tomahto: Tomahto, options: Options, model: RuleWriter) -> None:
    """Generation by rule, in rounds, each pair verified (§3.2)."""
    how = ("--protocol", "rules", "--overlap", options.raters)
    tomahto.step("campaign created", "create_campaign", CAMPAIGN, *how)
    per_minute = None if options.endpoint else 100_000
    with writer(tomahto, WRITER, options, model, per_minute=per_minute):
        ask = ("generate", CAMPAIGN, "--kind", "rules", "--endpoint", WRITER, "--wait")
        wanted = ("--per-class", options.per_rule, "--rounds", options.rounds)
        seeds = ("--seeds", options.seeds)
        made = tomahto.step("pairs written and verified", *ask, *wanted, *seeds)
    print("  {drafts} of {wanted} pairs wanted were verified".format(**made))


def approve(tomahto: Tomahto) -> None:
    """Verified pairs, and those whose second verdict is another one, which is then theirs."""
    tomahto.manage("create_member", ADMIN, "--campaign", CAMPAIGN, "--role", "admin")
    for verdict in ("same", "differs"):
        ask = ("review_generated", CAMPAIGN, "approve", "--by", ADMIN, "--second-verdict", verdict)
        done = tomahto.step(f"approved: second verdict {verdict}", *ask)
        print("  {texts} pairs, {items_created} items".format(**done))


def judge_of(writer: RuleWriter) -> Callable[..., dict[str, Any]]:
    """Raters who know what the stand-in meant; of other pairs they go by shared words."""

    def judge(item: Mapping[str, Any], _rater: str, draw: random.Random) -> dict[str, Any]:
        truth = writer.truths.get(item["question"])
        if truth is None:
            overlap = token_overlap(item["candidate"], item["references"][0])
            label = "correct" if overlap.f1 + draw.gauss(0, 0.15) >= 0.5 else "incorrect"
            return _form(label, "semantic")
        label = truth.label
        if draw.random() < ERRORS:
            label = "incorrect" if label == "correct" else "correct"
        return _form(label, RULES[truth.rule])

    return judge


def _form(label: str, rule: str) -> dict[str, Any]:
    """Two rules go with one label only."""
    only = {"irrelevant": "incorrect", "other-answers": "correct"}.get(rule, label)
    return {"label": label, "rules": [rule if only == label else "semantic"]}


def train(tomahto: Tomahto, options: Options, release: Path) -> dict[str, str]:
    """CFM on the original pairs, CFM-Aug on these, ROPES and the release; the names by which the
    tables know them, and those that commands take."""
    data = tomahto.data
    augmented = data / "augmented.jsonl"
    parts = (AE_TRAIN, PUBLISHED / "ropes.jsonl", release / "jsonl" / "items" / "train.jsonl")
    augmented.write_bytes(b"".join(part.read_bytes() for part in parts))
    files = {"cfm": AE_TRAIN, "cfmatch": augmented}
    matchers = {}
    for name, file in files.items():
        weights = data / f"{name}.json"
        ask = ("train_cfmatch", file, *AS_PUBLISHED, "--out", weights, "--test", f"{release}:test")
        report = tomahto.step(f"{name} trained", *ask)
        generated = report["examples"] - report["intended"].get("", 0)
        print(f"  {report['examples']} examples, {generated} of them generated")
        matchers[name] = f"cfmatch:{weights}"
    if options.tiny_models:
        for name, file in (("bert", AE_TRAIN), ("bert-aug", augmented)):
            folder = data / name
            start = ("train_bem", file, "--model", options.tiny_models, "--out", folder)
            how = ("--optimiser", "adamw", "--weight-decay", 0.01, "--batch-size", 32)
            rest = ("--epochs", 1, "--learning-rate", 1e-5, "--dev", f"{release}:dev")
            tomahto.step(f"{name} trained", *start, *how, *rest)
            matchers[name] = f"bem:{folder}"
    return matchers


def use_other_names(tomahto: Tomahto, options: Options, matchers: Mapping[str, str]) -> None:
    """A table of aliases from the expanded sets, and what it does to scores (§3.2, §4.2)."""
    table = tomahto.data / "aliases.jsonl"
    sets = [file for folder in _folders(options).values() for file in sorted(folder.iterdir())]
    files = [*sets, *filter(None, (options.jeopardy, options.jeopardy_expanded))]
    made = tomahto.step("other names gathered", "make_aliases", *files, "--out", table)
    print("  {entities} entities with {aliases} other names".format(**made))
    for name in ("em", "em+aliases", matchers["cfmatch"]):
        kind = name.partition(":")[0]
        out = tomahto.data / f"jeopardy-{kind}.jsonl"
        score = ("score_pairs", options.jeopardy, "--matcher", name, "--out", out)
        tomahto.timed(f"challenge set scored with {kind}", partial(tomahto.printed, *score))
        accepted = sum(json.loads(line)["accepted"] for line in out.read_text().splitlines())
        print(f"  {accepted} accepted")


def beside_people(
    tomahto: Tomahto, options: Options, matchers: Mapping[str, str], release: Path
) -> None:
    """The report by rule (§5.2 to 5.4), with and without other names, and costs (Tab. 3)."""
    names = ("em", "em+aliases", "f1", "f1+aliases", *matchers.values())
    chosen = [word for name in names for word in ("--matcher", name)]
    ask = ("evaluate", "report", release, "--section", "rules", *chosen)
    out = ("--out", tomahto.data / "report")
    tomahto.timed("report by rule written", partial(tomahto.printed, *ask, *out))
    chosen = [word for name in ("em", "f1", *matchers.values()) for word in ("--matcher", name)]
    for kind in ("original", "expanded"):
        pairs = _folders(options)["nq-open"] / f"{kind}-gpt-3.5.jsonl"
        ask = ("evaluate", "cost", "--runs", 1, "--pairs", pairs, *chosen, "--json")
        printed = tomahto.timed(f"cost measured, {kind} set", partial(tomahto.printed, *ask))
        (tomahto.data / f"cost-{kind}.json").write_text(printed)


def compute_tables(
    tomahto: Tomahto, options: Options, matchers: Mapping[str, str], release: Path
) -> None:
    """The paper's tables from all that is there, and what of them stays empty."""
    data = tomahto.data
    files = {
        **_folders(options),
        "jeopardy": options.jeopardy,
        "jeopardy-expanded": options.jeopardy_expanded,
        "ropes": PUBLISHED / "ropes.jsonl",
        "ae-train": AE_TRAIN,
        "cost": data / "cost-original.json",
        "cost-expanded": data / "cost-expanded.json",
    }
    given = [f"{name}={path}" for name, path in files.items() if path]
    named = [word for name, spec in matchers.items() for word in ("--matcher", f"{name}={spec}")]
    ask = ("evaluate", "reproduce", "cfmatch", release, *given, *named)
    how = ("--replicates", 200, "--csv", data / "figures.csv")
    made = tomahto.step("tables computed", *ask, *how)
    for table in made["overview"]:
        if table["listed"]:
            print("  {table:7} {computed:3} of {listed:3}  {title}".format(**table))
    print("  altogether {computed} of {listed} figures computed".format(**made["counts"]))
    for (table, why), count in missing(made["figures"]).items():
        print(f"  {count} missing in {table}: {why}")


def missing(figures: Iterable[Mapping[str, Any]]) -> Counter[tuple[str, str]]:
    """How many figures of which table could not be computed, and why; files are not told apart."""
    reasons = [
        (one["table"], one["ours"]["reason"]) for one in figures if one["ours"]["value"] is None
    ]
    return Counter((table, re.sub(r" of [\w.-]+(=|jsonl)", "", why)) for table, why in reasons)


def _folders(options: Options) -> dict[str, Path]:
    """Data sets with the answers of the paper's three models, by the tables' names."""
    return {
        "nq-open": options.nq_open,
        "narrative-qa": PUBLISHED / "narrative_qa",
        "hotpot-qa": PUBLISHED / "hotpot_qa",
    }


def _options() -> Options:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    whole: dict[str, Any] = {"type": int, "metavar": "N"}
    parser.add_argument(
        "--per-rule", default=6, help="pairs wanted of each rule; default 6", **whole
    )
    parser.add_argument("--rounds", default=3, help="of generation; default 3", **whole)
    parser.add_argument("--raters", default=3, help="default 3", **whole)
    parser.add_argument("--seed", default=0, help="of stand-in and raters; default 0", **whole)
    parser.add_argument("--data", type=Path, help="an empty folder to work in; default a new one")
    parser.add_argument(
        "--seeds", type=Path, default=PUBLISHED / "seeds.jsonl", help="examples to start from"
    )
    parser.add_argument("--endpoint", metavar="URL", help="a model over HTTP (docs/answerers.md)")
    parser.add_argument("--model", default=MODEL, help="that the endpoint serves")
    parser.add_argument("--key-variable", metavar="NAME", help="which holds the endpoint's key")
    parser.add_argument(
        "--tiny-models", metavar="BERT", help="train BERT and BERT-Aug too, from this model"
    )
    parser.add_argument(
        "--nq-open", type=Path, default=PUBLISHED / "nq_open", help="the published answers"
    )
    parser.add_argument("--jeopardy", type=Path, help="judged answers of the challenge set")
    parser.add_argument("--jeopardy-expanded", type=Path, help="the same with other names")
    options = parser.parse_args()
    if options.jeopardy_expanded and not options.jeopardy:
        parser.error("--jeopardy-expanded needs --jeopardy")
    if options.jeopardy is None:
        options.jeopardy = PUBLISHED / "jeopardy.jsonl"
        options.jeopardy_expanded = PUBLISHED / "jeopardy_expanded.jsonl"
    return options


if __name__ == "__main__":
    main()
