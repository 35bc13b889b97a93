"""Files for `evaluate reproduce` in the layouts of the papers, and its result by cells."""

from collections.abc import Mapping
from typing import Any

Lines = list[dict[str, object]]
Figures = Mapping[tuple[str, str, str], Mapping[str, Any]]
FEW = ("--replicates", "50")  # replicates of the bootstrap


def ae_lines(qid: str, reference: str, candidate: str, ratings: str) -> Lines:
    """A line for each rating, + for equivalent and - for a completely different answer."""
    return [
        {
            "qid": qid,
            "context": "A passage.",
            "question": f"What is {qid}?",
            "reference": reference,
            "candidate": candidate,
            "gold_index": 0,
            "score": ratings.count("+") / len(ratings),
            "question_1": "no" if rating == "+" else "yes",
            "question_2": "yes" if rating == "+" else "undefined",
            "question_3": "undefined",
            "question_4": "undefined",
        }
        for rating in ratings
    ]


# Token F1: x of "x y" 2/3, x of "x y z w" 2/5, all others 0.
TRAIN = [
    *ae_lines("t1", "x y", "x", "+"),
    *ae_lines("t2", "x y z w", "x", "+"),
    *ae_lines("t3", "x", "y", "-"),
]
DEV = [
    *ae_lines("d1", "x y", "x", "++"),
    *ae_lines("d2", "k", "l", "+"),
    *ae_lines("d2", "m", "l", "-"),
]
TEST = [
    *ae_lines("e1", "x y z w", "x", "+-+"),
    *ae_lines("e2", "p", "q", "+-"),
    *ae_lines("e3", "p", "r", "----"),
]
BIDAF = [
    *ae_lines("s1", "x y", "x", "+"),
    *ae_lines("s1", "x y z w", "x", "-"),
    *ae_lines("s2", "p", "q", "-"),
]
GOLD: Lines = [
    {"id": "s1", "answers": {"text": ["x y", "x y z w"]}},
    {"id": "s2", "answers": {"text": ["p"]}},
    {"id": "s3", "answers": {"text": ["k"]}},
    {"id": "s4", "answers": {"text": ["m"]}},
]


def figures(result: Mapping[str, Any]) -> Figures:
    return {(one["table"], one["row"], one["column"]): one for one in result["figures"]}


def ours(found: Figures, table: str, row: str, column: str) -> Any:
    return found[table, row, column]["ours"]["value"]


def why(found: Figures, table: str, row: str, column: str) -> Any:
    one = found[table, row, column]
    assert (one["ours"]["value"], one["difference"]) == (None, None)
    return one["ours"]["reason"]


def judged(question: str, candidate: str, label: str, system: str = "") -> dict[str, Any]:
    named = {"system": system} if system else {}
    return {
        "question": question,
        "reference": "the Seine",
        "candidate": candidate,
        "label": label,
        **named,
    }
