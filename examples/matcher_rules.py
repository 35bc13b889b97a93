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
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# The imports below need the path set above: a script's own path is its folder's.
from examples.checkout import Step, Tomahto, working_folder
from examples.stand_in import MODEL, RuleWriter, stand_in
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
    tomahto, step, writer = Tomahto(data), Step(), RuleWriter(options.seed)
    step("database made", tomahto.migrate)
    write_pairs(tomahto, step, options, writer, data)
    approve(tomahto, step)
    rate(tomahto, step, options, writer)
    release = publish(tomahto, step, data / "release")
    matchers = train(tomahto, step, options, release, data)
    use_other_names(tomahto, step, options, matchers, data)
    beside_people(tomahto, step, options, matchers, release, data)
    compute_tables(tomahto, step, options, matchers, release, data)
    step.total()
    print(f"all of it is in {data}")


def write_pairs(
    tomahto: Tomahto, step: Step, options: Options, writer: RuleWriter, data: Path
) -> None:
    """Generation by rule, in rounds, each pair verified (§3.2)."""
    create = ("create_campaign", CAMPAIGN, "--protocol", "rules", "--overlap", options.raters)
    step("campaign created", lambda: tomahto.manage(*create))
    with _endpoint(options, writer) as address:
        (data / "answerers.toml").write_text(_answerer(options, address))
        if not options.endpoint:
            allowed = address.removeprefix("http://").removesuffix("/v1")
            tomahto.variables["TOMAHTO_OUTGOING_ALLOWED"] = allowed
        ask = ("generate", CAMPAIGN, "--kind", "rules", "--endpoint", WRITER, "--wait")
        how = (
            "--per-class",
            options.per_rule,
            "--rounds",
            options.rounds,
            "--seeds",
            options.seeds,
        )
        made = step("pairs written and verified", lambda: tomahto.manage(*ask, *how))
    print("  {drafts} of {wanted} pairs wanted were verified".format(**made))


@contextmanager
def _endpoint(options: Options, writer: RuleWriter) -> Iterator[str]:
    if options.endpoint:
        yield options.endpoint
        return
    with stand_in(writer) as address:
        yield address


def _answerer(options: Options, address: str) -> str:
    lines = [f"[{WRITER}]", 'kind = "endpoint"', f'url = "{address}"', f'model = "{options.model}"']
    if options.key_variable:
        lines.append(f'key_variable = "{options.key_variable}"')
    if not options.endpoint:
        lines.append("requests_per_minute = 100000")
    return "\n".join(lines) + "\n"


def approve(tomahto: Tomahto, step: Step) -> None:
    """Verified pairs, and those whose second verdict is another one, which is then theirs."""
    tomahto.manage("create_member", ADMIN, "--campaign", CAMPAIGN, "--role", "admin")
    for verdict in ("same", "differs"):
        ask = ("review_generated", CAMPAIGN, "approve", "--by", ADMIN, "--second-verdict", verdict)
        done = step(f"approved: second verdict {verdict}", partial(tomahto.manage, *ask))
        print("  {texts} pairs, {items_created} items".format(**done))


def rate(tomahto: Tomahto, step: Step, options: Options, writer: RuleWriter) -> None:
    ratings = step(
        "pairs judged over the API",
        lambda: tomahto.rate(CAMPAIGN, options.raters, judge_of(writer), seed=options.seed),
    )
    print(f"  {ratings} ratings by {options.raters} raters")


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


def publish(tomahto: Tomahto, step: Step, folder: Path) -> Path:
    """Measure, release, verify. A generated pair's document is its question."""
    manage = tomahto.manage
    alpha = step("agreement measured", lambda: manage("agreement", CAMPAIGN))["alpha"]
    if alpha["value"] is None:
        print(f"  Krippendorff's alpha is undefined: {alpha['reason']}")
    else:
        print("  Krippendorff's alpha {value:.3f} [{low:.3f}, {high:.3f}]".format(**alpha))
    how = ("--version", "1.0.0", "--split", "document:train=70,dev=15,test=15:leaks=report")
    done = step("released", lambda: manage("release", CAMPAIGN, *how, "--out", folder))
    print("  {items} items, {ratings} ratings, digest {digest}".format(**done))
    step("release verified", lambda: manage("verify_release", folder))
    return folder


def train(
    tomahto: Tomahto, step: Step, options: Options, release: Path, data: Path
) -> dict[str, str]:
    """CFM on the original pairs, CFM-Aug on these, ROPES and the release; the names by which the
    tables know them, and those that commands take."""
    augmented = data / "augmented.jsonl"
    parts = (AE_TRAIN, PUBLISHED / "ropes.jsonl", release / "jsonl" / "items" / "train.jsonl")
    augmented.write_bytes(b"".join(part.read_bytes() for part in parts))
    files = {"cfm": AE_TRAIN, "cfmatch": augmented}
    matchers = {}
    for name, file in files.items():
        weights = data / f"{name}.json"
        ask = ("train_cfmatch", file, *AS_PUBLISHED, "--out", weights, "--test", f"{release}:test")
        report = step(f"{name} trained", partial(tomahto.manage, *ask))
        generated = report["examples"] - report["intended"].get("", 0)
        print(f"  {report['examples']} examples, {generated} of them generated")
        matchers[name] = f"cfmatch:{weights}"
    if options.tiny_models:
        for name, file in (("bert", AE_TRAIN), ("bert-aug", augmented)):
            folder = data / name
            start = ("train_bem", file, "--model", options.tiny_models, "--out", folder)
            how = ("--optimiser", "adamw", "--weight-decay", 0.01, "--batch-size", 32)
            rest = ("--epochs", 1, "--learning-rate", 1e-5, "--dev", f"{release}:dev")
            step(f"{name} trained", partial(tomahto.manage, *start, *how, *rest))
            matchers[name] = f"bem:{folder}"
    return matchers


def use_other_names(
    tomahto: Tomahto, step: Step, options: Options, matchers: Mapping[str, str], data: Path
) -> None:
    """A table of aliases from the expanded sets, and what it does to scores (§3.2, §4.2)."""
    table = data / "aliases.jsonl"
    sets = [file for folder in _folders(options).values() for file in sorted(folder.iterdir())]
    files = [*sets, *filter(None, (options.jeopardy, options.jeopardy_expanded))]
    made = step(
        "other names gathered", lambda: tomahto.manage("make_aliases", *files, "--out", table)
    )
    print("  {entities} entities with {aliases} other names".format(**made))
    for name in ("em", "em+aliases", matchers["cfmatch"]):
        kind = name.partition(":")[0]
        out = data / f"jeopardy-{kind}.jsonl"
        score = ("score_pairs", options.jeopardy, "--matcher", name, "--out", out)
        step(f"challenge set scored with {kind}", partial(tomahto.printed, *score))
        accepted = sum(json.loads(line)["accepted"] for line in out.read_text().splitlines())
        print(f"  {accepted} accepted")


def beside_people(
    tomahto: Tomahto,
    step: Step,
    options: Options,
    matchers: Mapping[str, str],
    release: Path,
    data: Path,
) -> None:
    """The report by rule (§5.2 to 5.4), with and without other names, and costs (Tab. 3)."""
    names = ("em", "em+aliases", "f1", "f1+aliases", *matchers.values())
    chosen = [word for name in names for word in ("--matcher", name)]
    ask = ("evaluate", "report", release, "--section", "rules", *chosen)
    step("report by rule written", lambda: tomahto.printed(*ask, "--out", data / "report"))
    chosen = [word for name in ("em", "f1", *matchers.values()) for word in ("--matcher", name)]
    for kind in ("original", "expanded"):
        pairs = _folders(options)["nq-open"] / f"{kind}-gpt-3.5.jsonl"
        ask = ("evaluate", "cost", "--runs", 1, "--pairs", pairs, *chosen, "--json")
        printed = step(f"cost measured, {kind} set", partial(tomahto.printed, *ask))
        (data / f"cost-{kind}.json").write_text(printed)


def compute_tables(
    tomahto: Tomahto,
    step: Step,
    options: Options,
    matchers: Mapping[str, str],
    release: Path,
    data: Path,
) -> None:
    """The paper's tables from all that is there, and what of them stays empty."""
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
    made = step(
        "tables computed",
        lambda: tomahto.manage(*ask, "--replicates", 200, "--csv", data / "figures.csv"),
    )
    for table in made["overview"]:
        if table["listed"]:
            print("  {table:7} {computed:3} of {listed:3}  {title}".format(**table))
    print("  altogether {computed} of {listed} figures computed".format(**made["counts"]))
    for (table, why), count in missing(made["figures"]).items():
        print(f"  {count} missing in {table}: {why}")


def missing(figures: Iterable[Mapping[str, Any]]) -> Counter[tuple[str, str]]:
    """How many figures of which table could not be computed, and why; files are not told apart."""
    reasons = [(one["table"], one["ours"]["reason"]) for one in figures if _is_missing(one)]
    return Counter((table, re.sub(r" of [\w.-]+(=|jsonl)", "", why)) for table, why in reasons)


def _is_missing(figure: Mapping[str, Any]) -> bool:
    return figure["ours"]["value"] is None


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
