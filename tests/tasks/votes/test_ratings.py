"""The rule for ratings that are votes is written once; the source is read, so that no second rule
comes in."""

import re
from pathlib import Path
from typing import Final

TASKS: Final = Path(__file__).resolve().parents[3] / "tasks"
RULE: Final = re.compile(r"\bslot__isnull|slot_id IS (?:NOT )?NULL|COUNT\(r\.slot_id\)")

# who asks for a slot, and why that is no second rule
KNOWN: Final = {
    "votes/ratings.py": "the rule, once for the ORM and once in SQL; and slots that histories had",
    "models/rating.py": "a constraint: one first rating to a slot",
    "votes/workflow.py": "slots that histories had, which are to be given back",
    "campaigns/workflow/slots.py": "slots that histories had; and ratings that filled the last one",
    "adjudication/queries/queue.py": "late evidence, of ratings that are not set aside",
    "agreement/figures/raters_figures.py": "surplus: neither a vote nor set aside",
}


def test_which_ratings_are_votes_is_written_once() -> None:
    found = {
        str(path.relative_to(TASKS))
        for path in TASKS.rglob("*.py")
        if "migrations" not in path.parts and RULE.search(path.read_text())
    }
    assert found == KNOWN.keys()
