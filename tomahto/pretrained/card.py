"""`card.json` beside the weights: what a model was made of, and how it is to be used."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tomahto.pretrained.errors import ModelFilesError

CARD = "card.json"


def write_card(folder: Path, card: Mapping[str, Any]) -> None:
    text = json.dumps(card, ensure_ascii=False, indent=1, allow_nan=False)
    (folder / CARD).write_text(f"{text}\n", encoding="utf-8")


def read_options(folder: Path) -> dict[str, Any]:
    """The card's options; none where there is no card. Raises ModelFilesError."""
    path = folder / CARD
    if not path.is_file():
        return {}
    try:
        card = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as error:
        raise ModelFilesError(f"{path}: not JSON ({error})") from error
    options = card.get("options", {}) if isinstance(card, dict) else None
    if not isinstance(options, dict):
        raise ModelFilesError(f"{path}, field options: not a JSON object")
    return options
