"""CAP from first file to last table: classes of correctness, statements, and the paper's figures.

    python examples/correctness_classes.py [--questions FILE] [--raters 3] [--data DIR]

A campaign of the eight classes gets questions. A model at an endpoint writes answers of each class
to them (--endpoint URL --model NAME; without, a stand-in on this machine), and an admin approves in
bulk; answers of language models are imported beside them. Raters that are programs judge all of it
over the API, an adjudicator settles their ties, and a release keeps for which class an answer was
written beside what people said. A second campaign has statements judged and released as train,
validation and test. At the end every figure of the paper is computed again of both releases.

With --statements-model and --nli-model (hub ids or folders; needs torch) a generator of statements
is trained on the release, writes statements of the test set that are imported to be judged, and is
part of CAP. Without them the scores of all metrics are invented, so that the tables can be seen.

--correctness FILE (JSON lines as CAP-Correctness) and --statements FILE (as CAP-Statements) take
the place of what is generated; --answers SYSTEM=FILE, as often as needed, that of the language
models' answers, which are stand-ins too, named after the paper's models to fill their rows.

Draw no conclusions from the figures. The same seed makes the same texts, ratings and scores of the
same questions. Nothing is needed but the Python that has Tomahto's packages installed.
"""

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

# The imports below need the path set above: a script's own path is its folder's.
from examples.checkout import ROOT, Tomahto, system_and_file, working_folder
from examples.stand_in import reply, writer, written
from tomahto.text.normalisation import token_overlap, tokens

CLASSES, STATEMENTS = "cap", "cap-statements"
WRITER, EDITOR, ADJUDICATOR = "writer", "editor", "adjudicator"
SYSTEMS = ("stand-in-gpt-4o", "stand-in-gemini-flash", "stand-in-qwen-3")
ANSWERED = ("exact", "partial", "overinclusive-invalid", "contradictory", "equivalent", "invalid")
METRICS = ("bleu-nltk", "rouge-l", "meteor", "bertscore", "comet")
SLIP = 0.3  # how often a rater takes another class for right
LEVELS = {
    "exact": 0.97,
    "equivalent": 0.85,
    "alternative-correct": 0.4,
    "overinclusive-valid": 0.6,
    "partial": 0.7,
    "overinclusive-invalid": 0.4,
    "invalid": 0.15,
    "contradictory": 0.05,
}
"""About what CAP's inference says of each class, for invented scores."""
Row = dict[str, Any]


def main() -> None:
    options = _options()
    data = working_folder(options.data, "cap")
    tomahto = Tomahto(data)
    tomahto.migrate()
    model = partial(reply, seed=options.seed)
    with writer(tomahto, WRITER, options, model, per_minute=6000):
        collect_answers(tomahto, options)
        collect_statements(tomahto, options)
    judge_answers(tomahto, options)
    answers = release(tomahto, CLASSES, "document:test=100", "adjudicated")
    people = (STATEMENTS, options.raters, judge_statement)
    tomahto.rate("statements judged over the API", *people, seed=options.seed)
    splits = "document:train=80,validation=10,test=10"
    statements = release(tomahto, STATEMENTS, splits, "majority")
    trained = train(tomahto, statements, options) if options.statements_model else []
    scored = score(tomahto, answers, options)
    made = reproduce(tomahto, [answers, statements, f"scores={scored}", *trained], options)
    measure(tomahto, answers, scored)
    tomahto.total()
    tell(made, answers, statements)
    print(f"all of it is in {data}")


def collect_answers(tomahto: Tomahto, options: argparse.Namespace) -> None:
    """Answers written for a class, approved in bulk, and answers of language models."""
    how = ("--protocol", "cap", "--overlap", options.raters)
    tomahto.step("campaign of classes created", "create_campaign", CLASSES, *how)
    editor = ("create_member", EDITOR, "--campaign", CLASSES, "--role", "admin")
    if options.correctness:
        file = options.correctness
        found = tomahto.step("CAP-Correctness imported", "import_items", CLASSES, file)
        print("  {items_created} items".format(**found))
    else:
        file = options.questions
        taken = tomahto.step("questions imported", "import_questions", CLASSES, file)
        print("  {questions} questions from {documents} sources".format(**taken))
        per_class = ("--per-class", options.per_class)
        generate(tomahto, CLASSES, "candidates", per_class, editor)
    for system, path in _answers(tomahto, options).items():
        given = ("import_predictions", CLASSES, path, "--system", system, "--rate-exact")
        tomahto.step(f"answers of {system} imported", *given)


def _answers(tomahto: Tomahto, options: argparse.Namespace) -> dict[str, Path]:
    """By system the file of its answers; without any, stand-ins to two of three questions."""
    if options.answers or options.correctness:
        return dict(options.answers)
    files, questions = {}, read_lines(options.questions)
    for place, system in enumerate(SYSTEMS):
        asked = [row for number, row in enumerate(questions) if (number + place) % 3]
        answers = {
            row["id"]: written(ANSWERED[turn % len(ANSWERED)], row["references"][0], options.seed)
            for turn, row in enumerate(asked, start=place)
        }
        files[system] = tomahto.data / f"{system}.json"
        files[system].write_text(json.dumps(answers, ensure_ascii=False), encoding="utf-8")
    return files


def collect_statements(tomahto: Tomahto, options: argparse.Namespace) -> None:
    """Statements by subject and type of question, each to be judged once, as in the paper."""
    how = ("--protocol", "statement", "--overlap", 1)
    tomahto.step("campaign of statements created", "create_campaign", STATEMENTS, *how)
    if options.statements:
        file = options.statements
        found = tomahto.step("CAP-Statements imported", "import_items", STATEMENTS, file)
        print("  {items_created} items".format(**found))
        return
    editor = ("create_member", EDITOR, "--campaign", STATEMENTS, "--role", "admin")
    total = ("--total", options.triples)
    generate(tomahto, STATEMENTS, "statements", total, editor)


def generate(
    tomahto: Tomahto, campaign: str, kind: str, number: Sequence[object], editor: Sequence[str]
) -> None:
    """Drafts of the model at the endpoint, all of them approved."""
    asked = ("generate", campaign, "--kind", kind, "--endpoint", WRITER, *number, "--wait")
    drafted = tomahto.step(f"{kind} written by the model", *asked)
    print("  {drafts} of {wanted} drafts".format(**drafted))
    tomahto.manage(*editor)
    review = ("review_generated", campaign, "approve", "--by", EDITOR)
    approved = tomahto.step(f"{kind} approved in bulk", *review)
    print(f"  {approved['texts']} texts")


def judge_answers(tomahto: Tomahto, options: argparse.Namespace) -> None:
    """People judge all answers, and somebody else settles the items that they leave tied."""
    people = (CLASSES, options.raters, judge_answer)
    tomahto.rate("answers judged over the API", *people, seed=options.seed)
    ratings, decisions = tomahto.data / "ratings.jsonl", tomahto.data / "adjudications.jsonl"
    tomahto.manage("export_ratings", CLASSES, "--out", ratings)
    ties = list(_decisions(read_lines(ratings), options.seed))
    if ties:
        write_lines(decisions, ties)
        tomahto.step("ties adjudicated", "import_adjudications", CLASSES, decisions)
    print(f"  {len(ties)} ties")
    report = tomahto.step("agreement measured", "agreement", CLASSES)
    print(f"  Krippendorff's alpha {report['alpha']['value']}")


def _decisions(ratings: Iterable[Row], seed: int) -> Iterator[Row]:
    """What the adjudicator says of each item with a tie, who slips as raters do."""
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    items: dict[str, Row] = {}
    for rating in ratings:
        labels[rating["id"]][rating["label"]] += 1
        items[rating["id"]] = rating
    for item, votes in labels.items():
        first, *others = sorted(votes.values(), reverse=True)
        if others and others[0] == first:
            draw = random.Random(f"{seed} {ADJUDICATOR} {item}")  # noqa: S311 - no secret
            said = judge_answer(items[item], ADJUDICATOR, draw)
            yield {"id": item, "adjudicator": ADJUDICATOR, **said, "reason": "a tie"}


def judge_answer(item: Mapping[str, Any], rater: str, draw: random.Random) -> dict[str, str]:
    """What the words say, but for slips; some raters slip more often than others."""
    own = random.Random(rater).uniform(0.5, 1.5) * SLIP  # noqa: S311 - no secret
    slips = draw.random() < own
    return {"label": draw.choice(list(LEVELS)) if slips else class_by_words(item)}


def class_by_words(item: Mapping[str, Any]) -> str:
    """The class that the words of an answer beside those of its reference suggest."""
    reference, said = item["references"][0], tokens(item["candidate"])
    overlap = token_overlap(item["candidate"], reference)
    if {"never", "not", "no"} & set(said) - set(tokens(reference)):
        return "contradictory"
    if overlap.f1 == 1:
        return "exact"
    if overlap.recall == 1:
        if {"falsely", "but"} & set(said):
            return "overinclusive-invalid"
        few = 3  # words: a phrase around the answer, no further content
        more = len(said) - len(tokens(reference))
        return "equivalent" if more <= few else "overinclusive-valid"
    if said[:2] == ["also", "right"]:
        return "alternative-correct"
    return "partial" if overlap.precision > 0.5 else "invalid"


def judge_statement(item: Mapping[str, Any], _rater: str, draw: random.Random) -> dict[str, str]:
    """A statement that lacks words of its answer or most of its question is faulty; so are some
    others, more often of long questions."""
    said = set(tokens(item["candidate"]))
    asked, answer = set(tokens(item["question"])), set(tokens(item["references"][0]))
    if not answer <= said:
        return {"label": "semantic"}
    is_long = len(asked) > 10
    if not is_long and len(asked & said) < len(asked) / 2:
        return {"label": "wrong"}
    slip = draw.random()
    if slip < (0.3 if is_long else 0.03):
        return {"label": draw.choice(("wrong", "semantic", "syntactic"))}
    return {"label": "correct"}


def release(tomahto: Tomahto, campaign: str, split: str, labels: str) -> Path:
    folder = tomahto.data / f"{campaign}-1.0.0"
    options = ("--split", split, "--labels", labels)
    tomahto.release(campaign, folder, *options, name=f"{campaign} released")
    return folder


def train(tomahto: Tomahto, statements: Path, options: argparse.Namespace) -> list[str]:
    """The generator of statements; those that it writes wait to be judged. What it said of itself,
    as `evaluate reproduce` reads it."""
    folder = statements.parent
    generator, said = folder / "generator", folder / "generator.json"
    held_out = ("--dev", f"{statements}:validation", "--test", f"{statements}:test")
    base = ("--model", options.statements_model, "--out", generator)
    how = (*base, *held_out, "--epochs", options.epochs)
    report = tomahto.step("statement generator trained", "train_statements", statements, *how)
    said.write_text(json.dumps(report), encoding="utf-8")
    print("  BLEU {bleu:.3f}, exact {exact:.3f} of {n}".format(**report["test"]))
    out = folder / "written.jsonl"
    write = ("write_statements", f"{statements}:test", "--model", generator, "--out", out)
    tomahto.step("statements written", *write)
    taken = tomahto.step("statements imported to be judged", "import_items", STATEMENTS, out)
    print("  {items_created} new items".format(**taken))
    return [f"generator={said}"]


def score(tomahto: Tomahto, answers: Path, options: argparse.Namespace) -> Path:
    """CAP's scores of the release's items with what they come from; invented without models."""
    scored = answers.parent / "scored.jsonl"
    if not options.statements_model:
        items = read_lines(answers / "jsonl/items/test.jsonl")
        rows = [invented(item, options.seed) for item in items]
        tomahto.timed("scores invented", lambda: write_lines(scored, rows))
        return scored
    tomahto.variables["TOMAHTO_CAP_STATEMENTS_MODEL"] = str(answers.parent / "generator")
    tomahto.variables["TOMAHTO_CAP_NLI_MODEL"] = options.nli_model
    asked = ("--matcher", "cap", "--explain", "--out", scored)
    tomahto.step("answers scored by CAP", "score_pairs", f"{answers}:test", *asked)
    return scored


def invented(item: Row, seed: int) -> Row:
    """The item with inferences about as CAP's are of its label, and with scores of the others."""
    draw = random.Random(f"{seed} {item['id']}")  # noqa: S311 - no secret
    forward, backward = (_inference(LEVELS[item["label"]], draw) for _ in range(2))
    directed = [one["entailment"] + 0.3 * one["neutral"] for one in (forward, backward)]
    value = 0.85 * directed[0] + 0.15 * directed[1]
    scores = {name: min(max(draw.gauss(0.5, 0.2), 0), 1) for name in METRICS}
    explanation = {"score": value, "forward": forward, "backward": backward}
    return {
        **_plain(item),
        "scores": {"cap": value, **scores},
        "explanation": explanation,
    }


def _inference(level: float, draw: random.Random) -> dict[str, float]:
    entailment = min(max(draw.gauss(level, 0.15), 0.01), 0.98)
    neutral = draw.random() * (1 - entailment)
    return {
        "entailment": entailment,
        "neutral": neutral,
        "contradiction": 1 - entailment - neutral,
    }


def reproduce(tomahto: Tomahto, files: Sequence[object], options: argparse.Namespace) -> Row:
    """The paper's figures of these files; the tables are in `reproduced.csv` too."""
    out = tomahto.data / "reproduced"
    matchers = [f"--matcher={name}" for name in options.matcher]
    made = tomahto.step(
        "published figures computed again",
        *("evaluate", "reproduce", "cap", *files, *matchers, "--replicates", options.replicates),
        *("--csv", out.with_suffix(".csv"), "--latex", out.with_suffix(".tex")),
    )
    out.with_suffix(".json").write_text(json.dumps(made), encoding="utf-8")
    return dict(made)


def measure(tomahto: Tomahto, answers: Path, scored: Path) -> None:
    """What else the lab says of scores on lines: Fig. 3, the order of the classes, the weights of
    CAP, and classes from scores."""
    rows = read_lines(scored)
    own, single = (answers.parent / name for name in ("cap_scores.jsonl", "cap_classes.jsonl"))
    write_lines(own, ({**_plain(row), "scores": {"cap": _cap(row)}} for row in rows))
    write_lines(single, ({"label": row["label"], "score": _cap(row)} for row in rows))
    quick = ("--replicates", 200)
    commands = (
        ("report", own, "--matcher", "f1", "--section", "order", *quick,
         "--out", answers.parent / "report"),
        ("monotonicity", own, *quick),
        ("cap_sweep", scored, "--alphas", "0.5,0.85,1", "--lambdas", "0,0.3", *quick),
        ("class_thresholds", single),
    )  # fmt: skip

    def all_of_them() -> None:
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(lambda command: tomahto.manage("evaluate", *command), commands))

    tomahto.timed("order, weights and classes measured", all_of_them)


def _cap(row: Row) -> float:
    return float(row["explanation"]["score"])


def _plain(row: Row) -> Row:
    """What a report reads of a line."""
    keep = ("id", "question_id", "question", "references", "candidate", "label")
    return {name: row[name] for name in keep}


def tell(made: Row, answers: Path, statements: Path) -> None:
    """Table by table how many of the paper's numbers were computed, and why others were not."""
    print(f"\n{'table':10} {'computed':>8} {'listed':>6}  made by")
    for row in made["overview"]:
        if row["listed"]:
            name, command = row["table"], row["command"]
            print(f"{name:10} {row['computed']:8} {row['listed']:6}  {command}: {row['title']}")
    counts = made["counts"]
    print(f"{'all':10} {counts['computed']:8} {counts['listed']:6}")
    print(f"Fig. 3 is in {answers.parent / 'report'}: tables/class_means")
    print(f"Fig. 4 and 5 are in reproduced.json: labels, sources; Fig. 6 in {statements}/tables")
    missing: dict[str, list[str]] = defaultdict(list)
    for figure in made["figures"]:
        if figure["ours"]["value"] is None:
            place = " ".join(figure[part] for part in ("table", "row", "column"))
            missing[figure["ours"]["reason"]].append(place)
    for reason, places in missing.items():
        print(f"missing, {reason}: {', '.join(places)}")


def read_lines(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write_lines(path: Path, rows: Iterable[Row]) -> None:
    lines = (json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    path.write_text("".join(lines), encoding="utf-8")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    questions = ROOT / "examples/data/open_questions.jsonl"
    add("--questions", type=Path, default=questions, help="JSON lines; default the example's")
    add("--correctness", type=Path, metavar="FILE", help="JSON lines as CAP-Correctness")
    add("--statements", type=Path, metavar="FILE", help="JSON lines as CAP-Statements")
    add("--answers", type=system_and_file, action="append", default=[], metavar="SYSTEM=FILE")
    add("--endpoint", metavar="URL", help="of a model that writes; default a stand-in")
    add("--model", default="gpt-4o-mini", help="its name there; default gpt-4o-mini")
    add("--key-variable", metavar="NAME", help="the environment variable with the endpoint's key")
    add("--per-class", type=int, default=10, help="answers to write of each class; default 10")
    add("--triples", type=int, default=96, help="statements to write; default 96")
    add("--raters", type=int, default=3, help="default 3")
    add("--statements-model", metavar="ID_OR_PATH", help="what to train, as google/mt5-base")
    add("--nli-model", metavar="ID_OR_PATH", help="as cross-encoder/nli-deberta-v3-large")
    add("--epochs", type=int, default=10, help="of the generator of statements; default 10")
    add("--matcher", action="append", default=[], metavar="NAME", help="compute this metric too")
    add("--replicates", type=int, default=200, help="of the bootstrap; default 200")
    add("--seed", type=int, default=0, help="of texts, raters and scores; default 0")
    add("--data", type=Path, help="an empty folder to work in; default a new one")
    options = parser.parse_args()
    if bool(options.statements_model) != bool(options.nli_model):
        parser.error("--statements-model and --nli-model go together")
    return options


if __name__ == "__main__":
    main()
