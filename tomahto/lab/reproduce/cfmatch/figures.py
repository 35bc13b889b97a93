"""CFMatch again: what metrics take for right, how far they are as people, and the order they put
systems in."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, product
from typing import NamedTuple

import numpy as np

from tomahto.charts.rows import Shown, count, percent, table_of, text
from tomahto.charts.table import PaperTable
from tomahto.estimates.bootstrap import (
    ONE_QUESTION,
    Bootstrap,
    drawn_weights,
    percentile_estimate,
    ratio,
)
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.lab.reproduce.cfmatch.answers import (
    METRICS,
    Answers,
    RuledItems,
    annotated,
    augmented_sizes,
    differences,
)
from tomahto.lab.reproduce.comparison import Cells, Needed, OurFigures, computed, size
from tomahto.types import Flags, Floats

DATASETS = {"nq-open": "NQ-OPEN", "narrative-qa": "NQA", "hotpot-qa": "Hotpot QA"}
MODELS = {"gpt-3.5": "GPT-3.5-TURBO", "llama": "LLaMA 2 7B", "t5-xl": "Flan-T5 xl"}
SETS = {"original": "O", "expanded": "E"}
"""The sets as they are, and with other names of references and answers (§3.2)."""
ROPES = "ropes"
AE_TRAIN = "ae-train"
JEOPARDY = {"O": "jeopardy", "E": "jeopardy-expanded"}

_EXAMPLES = 10_210  # of the three data sets together, which Tab. 3 says its times are of
_TIMES = {"O": "cost", "E": "cost-expanded"}
_GPU = ("bem-gpu",)
_UNNAMED = ("em", "f1", "bem")  # measured under the names of the table
_MATCHERS_OF_COST = {
    "EM": ("em",),
    "F1": ("f1",),
    "CFM": ("cfm",),
    "CFM-Aug": ("cfmatch",),
    "BERT (GPU)": _GPU,
    "BERT (CPU)": ("bem", "bert"),
}
_MODELS_OF_BERT = ("BERT (GPU)", "BERT (CPU)")


@dataclass(frozen=True, slots=True)
class MeasuredCost:
    """Of a matcher: median seconds of the processor per 1,000 pairs, and bytes on disk."""

    seconds: float
    disk_bytes: int


@dataclass(frozen=True)
class CfmatchInput:
    """Judged answers by the name of their file, those of `JEOPARDY` among them; answers of models
    by data set, set and model; costs by the name of their file and the matcher; and the items of
    releases whose raters named rules, and of splits of such releases."""

    files: Mapping[str, Answers]
    bootstrap: Bootstrap
    models: Mapping[tuple[str, str, str], Answers] = field(default_factory=dict)
    costs: Mapping[str, Mapping[str, MeasuredCost]] = field(default_factory=dict)
    ruled: RuledItems = field(default_factory=RuledItems)
    ruled_splits: RuledItems = field(default_factory=RuledItems)

    @property
    def sized(self) -> RuledItems:
        """Of whose sizes and labels §3.2 and 5.2 are: whole releases, where there are any."""
        return self.ruled if len(self.ruled) else self.ruled_splits

    @property
    def compared(self) -> RuledItems:
        """On which §5.3 and 5.4 compare metrics: splits, where there are any, as a metric may have
        learned from the others."""
        return self.ruled_splits if len(self.ruled_splits) else self.ruled


def cfmatch_figures(given: CfmatchInput) -> OurFigures:
    return computed(
        chain(
            _sizes(given),
            augmented_sizes(given.sized),
            _challenge(given),
            _costs(given),
            _by_metric(given),
            annotated(given.sized, given.bootstrap),
            differences(given.compared, given.bootstrap),
        )
    )


def file_of(kind: str, model: str) -> str:
    """The name of a model's file in the folder of a data set."""
    return f"{kind}-{model}.jsonl"


def _sizes(given: CfmatchInput) -> Cells:
    """Tab. 2, where a data set is as large as the answers of any of its models are many, and what
    generated pairs are added to (§3.2)."""
    for place, name, needed in (
        (("tab2", "ROPES", "Pairs"), ROPES, "needs the judged answers to ROPES"),
        (("sec32", "AE train", "Examples"), AE_TRAIN, "needs the judged answers"),
        (("sec32", "ROPES dev", "Examples"), ROPES, "needs the judged answers"),
    ):
        n = len(given.files[name].answers) if name in given.files else 0
        yield place, partial(size, n, f"{needed} ({name}=FILE)")
    for dataset, title in DATASETS.items():
        models = [one for (name, *_), one in given.models.items() if name == dataset]
        n = len(models[0].answers) if models else 0
        yield (
            ("tab2", title, "Pairs"),
            partial(size, n, f"needs a model's answers ({dataset}=FOLDER)"),
        )


def _challenge(given: CfmatchInput) -> Cells:
    """§5: the Jeopardy! set."""

    def share(is_right: bool) -> Estimate:
        answers = _jeopardy(given, "O")
        return answers.share(answers.right == is_right, given.bootstrap)

    table, row = "sec51", "Jeopardy!"
    yield (table, row, "Examples"), lambda: size(len(_jeopardy(given, "O").answers), "")
    yield (table, row, "Correct"), partial(share, is_right=True)
    yield (table, row, "Incorrect"), partial(share, is_right=False)


def _costs(given: CfmatchInput) -> Cells:
    """Tab. 3, of the machine at hand."""

    def runtime(kind: str, matchers: Sequence[str], scale: float) -> Estimate:
        return Estimate(value=_cost(given, kind, matchers).seconds * scale, n=_EXAMPLES)

    def disk(matchers: Sequence[str], scale: float) -> Estimate:
        return Estimate(value=_cost(given, "O", matchers).disk_bytes / scale, n=1)

    for row, matchers in _MATCHERS_OF_COST.items():
        (time, seconds), (space, bytes_) = (("s", 1), ("KB", 1e3))
        if row in _MODELS_OF_BERT:
            (time, seconds), (space, bytes_) = (("min", 60), ("MB", 1e6))
        for kind in _TIMES:
            of_examples = partial(runtime, kind, matchers, _EXAMPLES / 1000 / seconds)
            yield ("tab3", row, f"{kind} runtime ({time})"), of_examples
        yield ("tab3", row, f"Disk space ({space})"), partial(disk, matchers, bytes_)


def _cost(given: CfmatchInput, kind: str, matchers: Sequence[str]) -> MeasuredCost:
    name = _TIMES[kind]
    if name not in given.costs:
        more = " --pairs FILE of pairs with expanded references" if kind == "E" else ""
        raise Needed(f"needs {name}=FILE, what evaluate cost --json{more} printed")
    measured = given.costs[name]
    if found := next((measured[matcher] for matcher in matchers if matcher in measured), None):
        return found
    if matchers == _GPU:
        raise Needed(
            f"evaluate cost measures no GPU; {name}= may tell of one as the matcher bem-gpu"
        )
    weights = f", or the name of its weights by --matcher {matchers[0]}=MATCHER"
    raise Needed(
        f"needs the matcher {matchers[0]} among those that {name}= measured"
        + ("" if matchers[0] in _UNNAMED else weights)
    )


def _by_metric(given: CfmatchInput) -> Cells:
    """Tab. 4, shares that each metric takes for right, which needs nobody's judgement; and Tab. 5,
    shares that it judges as people did."""

    def of_jeopardy(kind: str, metric: str, *, as_people: bool) -> Estimate:
        answers = _jeopardy(given, kind)
        accepted = _accepted(answers, metric, f"{JEOPARDY[kind]}=")
        return answers.share(accepted == answers.right if as_people else accepted, given.bootstrap)

    def of_model(dataset: str, set_name: str, model: str, metric: str) -> Estimate:
        answers, file = given.models.get((dataset, set_name, model)), file_of(set_name, model)
        if answers is None:
            raise Needed(f"needs {file} (in {dataset}=FOLDER)")
        return answers.share(_accepted(answers, metric, file), given.bootstrap)

    for kind, metric in product(JEOPARDY, METRICS):
        share = partial(of_jeopardy, kind, metric)
        yield ("tab4", "Jeopardy!", f"{metric} {kind}"), partial(share, as_people=False)
        yield ("tab5", metric, f"Jeopardy! {kind}"), partial(share, as_people=True)
    for dataset, set_name, model, metric in product(DATASETS, SETS, MODELS, METRICS):
        yield (
            ("tab4", f"{DATASETS[dataset]}, {MODELS[model]}", f"{metric} {SETS[set_name]}"),
            partial(of_model, dataset, set_name, model, metric),
        )


def _accepted(answers: Answers, metric: str, file: str) -> Flags:
    """The answers that a metric of the paper takes for right."""
    name = METRICS[metric]
    if name not in answers.accepted:
        raise Needed(answers.why_not(name, file))
    return answers.accepted[name]


def _jeopardy(given: CfmatchInput, kind: str) -> Answers:
    name = JEOPARDY[kind]
    if name not in given.files:
        raise Needed(f"needs the Jeopardy! set ({name}=FILE)")
    return given.files[name]


_RESERVED = "Questions that are reserved for evaluation may be missing from a file"


class _Row(NamedTuple):
    """The verdicts of a metric on the answers of a file, or of one of its systems."""

    file: str
    metric: str
    system: str
    n: int
    share: Estimate
    other: Estimate


_COLUMNS: tuple[Shown[_Row], ...] = (
    text("file", "File", lambda row: row.file),
    text("metric", "Metric", lambda row: row.metric),
    text("system", "System", lambda row: row.system),
    count("n", "n", lambda row: row.n),
)


def cfmatch_tables(given: CfmatchInput, source: str) -> Iterator[PaperTable]:
    if given.files:
        yield table_of(
            "quality",
            "Metrics beside people, by system",
            _quality_rows(given),
            *_COLUMNS,
            percent("accuracy", "Accuracy", lambda row: row.share),
            percent("f1", "F1 of right answers", lambda row: row.other),
            notes=("n are answers; intervals resample questions", _RESERVED),
            source=source,
        )
    models: dict[str, list[Answers]] = {}
    for (dataset, kind, _), answers in given.models.items():
        models.setdefault(f"{dataset}, {kind}", []).append(answers)
    files = {**given.files, **{name: Answers.joined(parts) for name, parts in models.items()}}
    compared = {name: answers for name, answers in files.items() if len(answers.systems) > 1}
    if compared:
        yield table_of(
            "ranks",
            "Systems under each metric, and their rank",
            (
                row
                for name, answers in compared.items()
                for row in _rank_rows(name, answers, given.bootstrap)
            ),
            *_COLUMNS,
            percent("right", "Right", lambda row: row.share),
            count("rank", "Rank", lambda row: row.other),
            notes=(
                (
                    "Right: the share of the system's answers that the metric, or people, take for"
                    " right"
                ),
                "Rank 1 has the highest share; its interval is over resampled questions",
                _RESERVED,
            ),
            source=source,
        )


def _quality_rows(given: CfmatchInput) -> Iterator[_Row]:
    bootstrap = given.bootstrap
    for name, answers in given.files.items():
        parts = {"all": np.ones(len(answers.answers), np.bool_)}
        parts |= {system: answers.of_system(system) for system in answers.systems if system}
        for metric, accepted in answers.accepted.items():
            for title, part in parts.items():
                share = answers.share(accepted == answers.right, bootstrap, part)
                f1 = _f1(answers, accepted, part, bootstrap)
                yield _Row(name, metric, title, int(part.sum()), share, f1)


def _rank_rows(name: str, answers: Answers, bootstrap: Bootstrap) -> Iterator[_Row]:
    people = {"human": answers.right} if answers.is_judged else {}
    for judge, rights in {**people, **answers.accepted}.items():
        ranks = _ranks(answers, rights, bootstrap)
        for system, rank in zip(answers.systems, ranks, strict=True):
            part = answers.of_system(system)
            share = answers.share(rights, bootstrap, part)
            yield _Row(name, judge, system or "(none)", int(part.sum()), share, rank)


def _ranks(answers: Answers, rights: Flags, bootstrap: Bootstrap) -> list[Estimate]:
    """The rank of each system; equal shares have the same, better rank."""
    questions, places = np.unique(answers.questions, return_inverse=True)
    systems = np.searchsorted(answers.systems, [answer.system for answer in answers.answers])
    shape = (len(questions), len(answers.systems))
    right, given = np.zeros(shape), np.zeros(shape)
    np.add.at(right, (places, systems), rights)
    np.add.at(given, (places, systems), 1)
    ranks = _ranked(right.sum(axis=0, keepdims=True) / given.sum(axis=0, keepdims=True))[0]
    if len(questions) == 1:
        return [Estimate(value=float(rank), n=1, reason=ONE_QUESTION) for rank in ranks]
    drawn = np.concatenate(
        [
            _ranked(ratio(weights @ right, weights @ given))
            for weights in drawn_weights(len(questions), len(answers.systems), bootstrap)
        ]
    )
    n, plain = len(questions), bootstrap._replace(is_widened=False)  # ranks are whole numbers
    return [
        percentile_estimate(float(rank), drawn[:, place], n=n, clusters=n, bootstrap=plain)
        for place, rank in enumerate(ranks)
    ]


def _ranked(shares: Floats) -> Floats:
    """The place of each share within its row, from 1; NaN where a row has a system without answers
    in it."""
    better = (shares[:, np.newaxis, :] > shares[:, :, np.newaxis]).sum(axis=2)
    return np.where(np.isnan(shares).any(axis=1, keepdims=True), np.nan, better + 1.0)


def _f1(answers: Answers, accepted: Flags, part: Flags, bootstrap: Bootstrap) -> Estimate:
    """Of the answers of a part that are taken for right: 2 TP / (2 TP + FP + FN)."""
    names, places = np.unique(np.array(answers.questions)[part], return_inverse=True)
    rights, said = answers.right[part].astype(np.float64), accepted[part].astype(np.float64)
    twice, sums = (np.bincount(places, weights=each) for each in (2 * rights * said, rights + said))
    n = len(places)
    if not sums.sum():
        return undefined("nobody takes any answer for right", n=n, seed=bootstrap.seed)
    value = float(twice.sum() / sums.sum())
    if len(names) == 1:
        return Estimate(value=value, n=n, reason=ONE_QUESTION)
    drawn = np.concatenate(
        [
            ratio(weights @ twice, weights @ sums)
            for weights in drawn_weights(len(names), 1, bootstrap)
        ]
    )
    return percentile_estimate(value, drawn, n=n, clusters=len(names), bootstrap=bootstrap)
