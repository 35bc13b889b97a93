"""Examples of the rules of correctness that a model is to write more of."""

from collections.abc import Collection
from pathlib import Path

from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.row import Row
from tomahto.interchange.reading.rows import at_least_one, json_rows

_TEXTS = ("rule", "question", "reference", "candidate", "label")


def read_rule_seeds(path: Path, targets: Collection[str]) -> list[dict[str, str]]:
    """From JSON lines of {"rule", "question", "reference", "candidate", "label"}, as they stand.

    Raises InputError with file, line and field for a line that lacks one of them, a rule and label
    that are none of the `RULE/LABEL` of `targets`, and a file without a line.
    """
    file = InputFile.at(path)
    return [_seed(row, targets) for row in at_least_one(json_rows(file), file)]


def _seed(row: Row, targets: Collection[str]) -> dict[str, str]:
    seed = {name: row.text(name) for name in _TEXTS}
    target = f"{seed['rule']}/{seed['label']}"
    if target not in targets:
        raise row.error(f"{target!r:.60} is not one of {', '.join(targets)}", "rule")
    return seed
