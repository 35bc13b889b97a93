"""CFMatch again: what metrics take for right, and how far they are as people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.estimate import Estimate, undefined
from tomahto.lab.reproduce.cfmatch.answers import (
    METRICS,
    Answers,
    RuledItems,
    annotated,
    augmented_sizes,
    differences,
)
from tomahto.lab.reproduce.comparison import Cells, Found, Place, counted, judged_share

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


def cfmatch_found(given: CfmatchInput) -> Found:
    return {
        **dict(_sizes(given)),
        **dict(_challenge(given)),
        **dict(_costs(given)),
        **dict(_systems(given)),
        **dict(_alignment(given)),
        **dict(_augmented(given)),
        **dict(annotated(given.sized, given.bootstrap)),
        **dict(differences(given.compared.decided, given.bootstrap)),
    }


def file_of(kind: str, model: str) -> str:
    """The name of a model's file in the folder of a data set."""
    return f"{kind}-{model}.jsonl"


def agreement(answers: Answers, metric: str, bootstrap: Bootstrap) -> Estimate:
    """Share of the answers judged as people did."""
    judged = zip(answers.questions, answers.answers, answers.accepted[metric], strict=True)
    return judged_share(
        [(question, accepted == answer.is_right) for question, answer, accepted in judged],
        bootstrap,
    )


def _sizes(given: CfmatchInput) -> Cells:
    """Tab. 2: a data set is as large as the answers of any of its models are many."""
    ropes = given.files.get(ROPES)
    yield _pairs("ROPES", ropes, f"the judged answers to ROPES ({ROPES}=FILE)")
    for dataset, title in DATASETS.items():
        models = [one for (name, *_), one in given.models.items() if name == dataset]
        yield _pairs(title, next(iter(models), None), f"a model's answers ({dataset}=FOLDER)")


def _pairs(row: str, answers: Answers | None, needed: str) -> tuple[Place, Estimate]:
    n = len(answers.answers) if answers else 0
    return ("tab2", row, "Pairs"), counted(n, n) if n else undefined(f"needs {needed}", n=0)


def _challenge(given: CfmatchInput) -> Cells:
    """§5: the Jeopardy! set."""
    table, row, name = "sec51", "Jeopardy!", JEOPARDY["O"]
    answers = given.files.get(name)
    if answers is None:
        for column in ("Examples", "Correct", "Incorrect"):
            yield (table, row, column), _no_jeopardy(name)
        return
    n = len(answers.answers)
    yield (table, row, "Examples"), counted(n, n)
    for column, wanted in (("Correct", True), ("Incorrect", False)):
        judged = zip(answers.questions, answers.answers, strict=True)
        rows = [(question, one.is_right is wanted) for question, one in judged]
        yield (table, row, column), judged_share(rows, given.bootstrap)


def _costs(given: CfmatchInput) -> Cells:
    """Tab. 3, of the machine at hand."""
    for row, matchers in _MATCHERS_OF_COST.items():
        unit, size = ("min", "MB") if row in _MODELS_OF_BERT else ("s", "KB")
        for kind, name in _TIMES.items():
            cost = _cost(given, name, matchers)
            scale = _EXAMPLES / 1000 / (60 if unit == "min" else 1)
            yield (
                ("tab3", row, f"{kind} runtime ({unit})"),
                Estimate(value=cost.seconds * scale, n=_EXAMPLES)
                if isinstance(cost, MeasuredCost)
                else undefined(cost, n=0),
            )
        cost = _cost(given, _TIMES["O"], matchers)
        yield (
            ("tab3", row, f"Disk space ({size})"),
            Estimate(value=cost.disk_bytes / (1e6 if size == "MB" else 1e3), n=1)
            if isinstance(cost, MeasuredCost)
            else undefined(cost, n=0),
        )


def _cost(given: CfmatchInput, name: str, matchers: Sequence[str]) -> MeasuredCost | str:
    if name not in given.costs:
        more = " --pairs FILE of pairs with expanded references" if name == _TIMES["E"] else ""
        return f"needs {name}=FILE, what evaluate cost --json{more} printed"
    measured = given.costs[name]
    found = next((measured[matcher] for matcher in matchers if matcher in measured), None)
    if found:
        return found
    if matchers == _GPU:
        return f"evaluate cost measures no GPU; {name}= may tell of one as the matcher bem-gpu"
    needed = f"needs the matcher {matchers[0]} among those that {name}= measured"
    weights = f", or the name of its weights by --matcher {matchers[0]}=MATCHER"
    return needed + ("" if matchers[0] in _UNNAMED else weights)


def _alignment(given: CfmatchInput) -> Cells:
    """Tab. 5."""
    for kind, name in JEOPARDY.items():
        answers = given.files.get(name)
        for row, metric in METRICS.items():
            place = ("tab5", row, f"Jeopardy! {kind}")
            if answers is None:
                yield place, _no_jeopardy(name)
            elif metric in answers.accepted:
                yield place, agreement(answers, metric, given.bootstrap)
            else:
                yield place, undefined(answers.why_not(metric, f"{name}="), n=0)


def _systems(given: CfmatchInput) -> Cells:
    """Tab. 4: shares that each metric takes for right. It needs nobody's judgement."""
    for kind, name in JEOPARDY.items():
        answers = given.files.get(name)
        for metric in METRICS:
            missing = _no_jeopardy(name)
            yield (
                ("tab4", "Jeopardy!", f"{metric} {kind}"),
                _share(given, answers, metric, f"{name}=") if answers else missing,
            )
    for dataset, title in DATASETS.items():
        for set_name, kind in SETS.items():
            for model, model_title in MODELS.items():
                file, answers = (
                    file_of(set_name, model),
                    given.models.get((dataset, set_name, model)),
                )
                missing = undefined(f"needs {file} (in {dataset}=FOLDER)", n=0)
                for metric in METRICS:
                    yield (
                        ("tab4", f"{title}, {model_title}", f"{metric} {kind}"),
                        _share(given, answers, metric, file) if answers else missing,
                    )


def _share(given: CfmatchInput, answers: Answers, metric: str, file: str) -> Estimate:
    """Of the answers that the metric takes for right."""
    if METRICS[metric] not in answers.accepted:
        return undefined(answers.why_not(METRICS[metric], file), n=0)
    accepted = zip(answers.questions, answers.accepted[METRICS[metric]], strict=True)
    return judged_share([*accepted], given.bootstrap)


def _augmented(given: CfmatchInput) -> Cells:
    """§3.2: the generated pairs, and what they are added to."""
    for row, estimate in augmented_sizes(given.sized):
        yield ("sec32", row, "Examples"), estimate
    for row, name in {"AE train": AE_TRAIN, "ROPES dev": ROPES}.items():
        answers = given.files.get(name)
        n = len(answers.answers) if answers else 0
        missing = undefined(f"needs the judged answers ({name}=FILE)", n=0)
        yield ("sec32", row, "Examples"), counted(n, n) if n else missing


def _no_jeopardy(name: str) -> Estimate:
    return undefined(f"needs the Jeopardy! set ({name}=FILE)", n=0)
