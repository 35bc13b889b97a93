"""What stands in for the model that writes pairs by rule: patterns filled with made-up names.

Now and then it writes a pair of the other verdict than it was asked for, and judges wrongly, so
that there is something to verify. Its texts have the form of such pairs, not their sense.
"""

import json
import random
import re
from typing import NamedTuple

SLIPS = 0.12  # share of pairs that are of the other verdict
ERRORS = 0.05  # share of wrong second verdicts
_SYLLABLES = ("ba", "den", "fi", "gor", "ka", "lum", "mi", "nel", "po", "ras", "su", "tir", "vo")
# question, reference, a correct candidate, an incorrect one
_PATTERNS = {
    "another name of the same entity": (
        "Which society was founded in {a}?", "the {b} Society", "the Society of {b}",
        "the Society of {c}",
    ),
    "numbers, dates and units": (
        "How long is the river {a}, to the kilometre?", "{n} kilometres", "{n},000 metres",
        "more than {m} kilometres",
    ),
    "fewer details": (
        "Who built the bridge of {a}?", "the engineer {b} {c}", "{b} {c}", "the engineer",
    ),
    "more details": (
        "What is the capital of {a}?", "{b}", "{b}, a town by the sea", "{b} and {c}",
    ),
    "meaning, not words": (
        "Why did {a} lose its mill, the pride of {b}?", "the water rose in {c}",
        "because of a flood in {c}", "the water fell in {c}",
    ),
    "beside the point or false": (
        "Who wrote the song of {a}?", "{b} {c}", "{c}, whose first name is {b}",
        "songs are sung in {c}",
    ),
    "another right answer": (
        "Name a village by the lake of {a}.", "{b}", "{c}, on the lake's other shore",
        "the river {c}",
    ),
}  # fmt: skip


class Truth(NamedTuple):
    """What a pair is, whatever the model says of it. `rule` is the title that the prompt has."""

    rule: str
    label: str


class RuleWriter:
    """A model that remembers what it wrote; `truths` are by question. Equal seeds and requests make
    equal texts."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.truths: dict[str, Truth] = {}

    def __call__(self, system: str, user: str) -> str:
        """The reply, a JSON array of pairs or of verdicts."""
        if system.startswith("You judge"):
            return json.dumps([self._verdict(item["question"]) for item in json.loads(user)])
        rule, label = _said(r"^Rule: (.+)$", system), _said(r"the candidate is (\w+)$", system)
        draw = random.Random(f"{self._seed} {rule} {label} {user}")  # noqa: S311 - no secret
        count = int(_said(r"^Write (\d+)", user))
        return json.dumps([self._pair(rule, label, draw) for _ in range(count)])

    def _pair(self, rule: str, label: str, draw: random.Random) -> dict[str, str]:
        if draw.random() < SLIPS:
            label = "incorrect" if label == "correct" else "correct"
        low = draw.randint(20, 400)
        names = {name: _name(draw) for name in "abc"} | {"n": low * 3, "m": low * 2}
        question, reference, right, wrong = (text.format(**names) for text in _PATTERNS[rule])
        self.truths[question] = Truth(rule, label)
        candidate = right if label == "correct" else wrong
        return {"question": question, "reference": reference, "candidate": candidate}

    def _verdict(self, question: str) -> str:
        label = self.truths[question].label
        draw = random.Random(f"{self._seed} {question}")  # noqa: S311 - as above
        if draw.random() < ERRORS:
            return "incorrect" if label == "correct" else "correct"
        return label


def _name(draw: random.Random) -> str:
    return "".join(draw.choice(_SYLLABLES) for _ in range(3)).capitalize()


def _said(pattern: str, text: str) -> str:
    found = re.search(pattern, text, re.MULTILINE)
    return found[1] if found else ""
