"""Pairs of answers that one rule of correctness decides, looked at twice (CFMatch §3.2)."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Final

from tomahto.endpoint.chat import ChatEndpoint, Parameters
from tomahto.generation.drafts import (
    Draft,
    Fault,
    UnusableReply,
    UnusableText,
    ask_for_array,
    json_text,
    prompt_named,
    usable_fields,
)
from tomahto.text.normalisation import ExactRule, is_exact

_GUIDELINES: Final = Path(__file__).with_name("rule_seeds.toml")


@dataclass(frozen=True, slots=True)
class Seed:
    """A pair that the rule decides, with its verdict. `name` is what provenance calls it."""

    name: str
    rule: str
    question: str
    reference: str
    candidate: str
    label: str

    @property
    def shown(self) -> dict[str, str]:
        """As a model is shown it."""
        values = asdict(self)
        return {key: values[key] for key in ("question", "reference", "candidate", "label")}


def seeds_from(rows: Iterable[Mapping[str, Any]]) -> tuple[Seed, ...]:
    """From objects with the fields of a seed but its name, which is its place from 1."""
    return tuple(Seed(name=f"seed {place}", **row) for place, row in enumerate(rows, start=1))


GUIDELINE_SEEDS: Final = seeds_from(tomllib.loads(_GUIDELINES.read_text("utf-8"))["seeds"])
"""The worked examples of the guidelines of the protocol `rules`."""

BATCH: Final = 10
_PROMPT: Final = prompt_named("rule")
_VERIFY: Final = prompt_named("verify_rule")
# the paper adds a frequency penalty, which many endpoints do not know
_PARAMETERS: Final = Parameters(max_tokens=4096, temperature=0.9)
_VERDICTS: Final = Parameters(max_tokens=1024, temperature=0.0)
_FIELDS: Final = ("question", "reference", "candidate")
_SAID: Final = ("correct", "incorrect", "invalid")
_ONE_LABEL: Final[Mapping[str, str]] = {"irrelevant": "incorrect", "other-answers": "correct"}

WRITTEN_FOR: Final = "written_for"
"""The field of provenance that only drafts have whose two verdicts differ."""
RULES: Final = tuple(_PROMPT.parts)
TARGETS: Final = tuple(
    f"{rule}/{label}"
    for rule in RULES
    for label in ("correct", "incorrect")
    if _ONE_LABEL.get(rule, label) == label
)
"""`RULE/LABEL`: both labels for the five rules that can go either way, one for the others."""


def target_counts(per_rule: int) -> dict[str, int]:
    """The number of pairs for each target, so that every rule has as many; halves where a rule has
    two labels, the odd one being correct."""
    counts = {}
    for target in TARGETS:
        rule, label = target.split("/")
        half = (per_rule + 1) // 2 if label == "correct" else per_rule // 2
        counts[target] = per_rule if rule in _ONE_LABEL else half
    return counts


def generate_rule_pairs(
    endpoint: ChatEndpoint,
    target: str,
    count: int,
    *,
    draw: int = 0,
    seeds: Sequence[Seed] = (),
    round_number: int = 1,
) -> list[Draft | Fault]:
    """Up to so many pairs like the seeds. The model is asked for the verdict of each again, without
    the first, and the second counts, as in the paper: a draft whose second verdict differs has that
    in its target, and what it was `written_for` in its provenance. One that the rule cannot have
    is a fault, as is what makes no sense. Provenance has the rule, the round and the seeds' names.
    """
    rule, label = target.split("/")
    values = {"label": label, "count": str(count), "series": str(draw + 1), **_PROMPT.parts[rule]}
    values["seeds"] = json_text([seed.shown for seed in seeds])
    origin = {"rule": rule, "round": round_number, "seeds": [seed.name for seed in seeds]}
    try:
        pairs, said = ask_for_array(endpoint, _PROMPT, values, _PARAMETERS, draw=draw)
    except UnusableReply as error:
        return [Fault(target, str(error), {**error.provenance, **origin}, texts=count)]
    checked = [_checked(target, pair, {**said, **origin}) for pair in pairs[:count]]
    drafts = [draft for draft in checked if isinstance(draft, Draft)]
    faults = [fault for fault in checked if isinstance(fault, Fault)]
    return [*faults, *(_verified(endpoint, rule, drafts, draw) if drafts else [])]


def _checked(target: str, pair: Any, provenance: Mapping[str, Any]) -> Draft | Fault:
    try:
        question, reference, candidate = usable_fields(pair, _FIELDS)
    except UnusableText as error:
        return Fault(target, str(error), provenance)
    if is_exact(candidate, [reference], ExactRule.STRICT):
        return Fault(target, "the candidate matches the reference exactly", provenance)
    return Draft(target, question, reference, candidate, provenance)


def _verified(
    endpoint: ChatEndpoint, rule: str, drafts: Sequence[Draft], draw: int
) -> list[Draft | Fault]:
    items = [
        {"question": d.question, "reference": d.reference, "candidate": d.candidate} for d in drafts
    ]
    values = {"items": json_text(items), **_PROMPT.parts[rule]}
    try:
        verdicts, provenance = ask_for_array(
            endpoint, _VERIFY, values, _VERDICTS, draw=draw, length=len(drafts)
        )
    except UnusableReply as error:
        both = {**drafts[0].provenance, "verification": dict(error.provenance)}
        reason = f"in the verification, {error}"
        return [Fault(drafts[0].target, reason, both, texts=len(drafts))]
    return [
        _judged(draft, rule, verdict if verdict in _SAID else "no verdict", provenance)
        for draft, verdict in zip(drafts, verdicts, strict=True)
    ]


def _judged(draft: Draft, rule: str, verdict: str, said: Mapping[str, Any]) -> Draft | Fault:
    target = f"{rule}/{verdict}"
    provenance = {**draft.provenance, "verification": {**said, "verdict": verdict}}
    if target not in TARGETS:
        label = draft.target.partition("/")[2]
        return Fault(draft.target, f"the verification says {verdict}, not {label}", provenance)
    if target != draft.target:
        provenance[WRITTEN_FOR] = draft.target
    return replace(draft, target=target, provenance=provenance)
