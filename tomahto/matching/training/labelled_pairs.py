"""Pairs that people have labelled, and the JSON lines they come in."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tomahto.matching.human_labels import (
    PERHAPS_A_MATCHERS,
    HumanLabelError,
    MatcherVerdicts,
    is_right,
    was_drawn,
)
from tomahto.matching.interface import Pair


class LabelledPairsError(ValueError):
    """A wrong line; the message names file, line and field."""


@dataclass(frozen=True, slots=True)
class LabelledPair:
    """A pair and the human judgement of its candidate."""

    pair: Pair
    correct: bool


def read_labelled_pairs(path: Path, lines: range | None = None) -> list[LabelledPair]:
    """One example per line of JSON; empty lines are passed over.

    Only `lines` are read, if they are given, the first being 1.

    A line is `{"question", "reference" | "references", "candidate", "label"[, "context"]}`, the
    label as `is_right` reads it; other fields are ignored. Raises LabelledPairsError at the first
    wrong line, for labels that may be those of a matcher, and for a file without examples. Items of
    a release whose label was drawn in a tie are left out.
    """
    examples, verdicts = [], MatcherVerdicts()
    for number, line in _lines(path):
        if lines is None or number in lines:
            fields = _fields(line, f"{path}, line {number}")
            if was_drawn(fields):
                continue
            examples.append(_example(fields, f"{path}, line {number}"))
            verdicts.add(number, fields)
    if not examples:
        place = f"{path}, lines {lines.start} to {lines.stop - 1}" if lines else f"{path}"
        raise LabelledPairsError(f"{place}: no examples")
    if verdicts.line is not None:
        place = f"{path}, line {verdicts.line}, field label"
        raise LabelledPairsError(f"{place}: {PERHAPS_A_MATCHERS}")
    return examples


def require_both_labels(examples: Sequence[LabelledPair], place: Path | None = None) -> None:
    """Raises LabelledPairsError, naming the place, if all labels are alike."""
    if len({example.correct for example in examples}) < 2:
        which = "correct" if examples and examples[0].correct else "incorrect"
        fault = f"all {len(examples):,} examples are {which}: there is nothing to learn"
        raise LabelledPairsError(f"{place}: {fault}" if place else fault)


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    with path.open("rb") as file:
        for number, raw in enumerate(file, start=1):
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                raise LabelledPairsError(f"{path}, line {number}: not UTF-8") from error
            if line.strip():
                yield number, line


def _fields(line: str, place: str) -> dict[str, Any]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise LabelledPairsError(f"{place}: not JSON ({error})") from error
    if not isinstance(fields, dict):
        raise LabelledPairsError(f"{place}: not a JSON object")
    return fields


def _example(fields: Mapping[str, Any], place: str) -> LabelledPair:
    pair = Pair(
        question=_text(fields.get("question"), f"{place}, field question"),
        context=_text(fields.get("context", ""), f"{place}, field context"),
        references=_references(fields, place),
        candidate=_text(fields.get("candidate"), f"{place}, field candidate"),
    )
    return LabelledPair(pair, _label(fields.get("label"), f"{place}, field label"))


def _references(fields: Mapping[str, Any], place: str) -> tuple[str, ...]:
    if ("reference" in fields) == ("references" in fields):
        raise LabelledPairsError(f"{place}, field references: give either reference or references")
    if "reference" in fields:
        return (_text(fields["reference"], f"{place}, field reference"),)
    references = fields["references"]
    if not isinstance(references, list) or not references:
        raise LabelledPairsError(f"{place}, field references: not a list of at least one text")
    return tuple(_text(reference, f"{place}, field references") for reference in references)


def _text(value: object, place: str) -> str:
    if not isinstance(value, str):
        raise LabelledPairsError(f"{place}: {value!r} is not a text")
    return value


def _label(value: object, place: str) -> bool:
    try:
        return is_right(value)
    except HumanLabelError as error:
        raise LabelledPairsError(f"{place}: {error}") from error
