"""Cases nobody needs to be asked about, which feather learns beside the labelled ones.

Labelled answers hardly ever are empty, and labels have slips; these cases pin down what every
reader expects: the reference itself is right; no answer, a refusal, and the reference with
another number are wrong.
"""

import re
from collections.abc import Iterator, Sequence

from tomahto.learning.token_rows import Row
from tomahto.matching.references import closest_reference
from tomahto.matching.training.labelled_pairs import LabelledPair

_EVERY = 16  # of so many examples one gives its plain cases
_REFUSALS = (
    "I don't know.",
    "I'm sorry, but I do not have enough information to answer this question.",
    "The answer is not mentioned in the passage.",
    "It is unclear.",
    "I am not sure.",
    "There is no information available about this.",
    "Unknown",
    "I cannot determine that from what is given.",
)
_NUMBER = re.compile(r"\d+")


def plain_cases(examples: Sequence[LabelledPair]) -> Iterator[tuple[Row, bool]]:
    """Rows made of every sixteenth example's question and closest reference, and their labels."""
    for place, example in enumerate(examples[::_EVERY]):
        pair = example.pair
        reference = closest_reference(pair)
        yield Row(reference, reference, pair.question), True
        yield Row("", reference, pair.question), False
        yield Row(_REFUSALS[place % len(_REFUSALS)], reference, pair.question), False
        changed = _with_another_number(reference, 1 + place % 9)
        if changed != reference:
            yield Row(changed, reference, pair.question), False


def _with_another_number(text: str, difference: int) -> str:
    """The text with its last number changed."""
    numbers = list(_NUMBER.finditer(text))
    if not numbers or len(numbers[-1][0]) > 9:
        return text
    last = numbers[-1]
    return f"{text[: last.start()]}{int(last[0]) + difference}{text[last.end() :]}"
