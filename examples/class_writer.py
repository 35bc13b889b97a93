"""What a model might write to the prompts for classes of answers and for statements.

By rule and seed: to a class of answers patched references, to statements sentences of made-up
words. The texts have the form of what a model writes, not its sense.
"""

import json
import random
import re

_SYLLABLES = ("ba", "den", "fi", "gor", "ka", "lum", "mi", "nel", "po", "ras", "su", "tir", "vo")


def reply(system: str, user: str, seed: int) -> str:
    """What the model writes: a JSON array of answers, or of statements."""
    label = _line(system, "Class")
    if label:
        return json.dumps([written(label, item["reference"], seed) for item in json.loads(user)])
    subject, kind, series = (
        _line(user, name) for name in ("Subject", "Type of question", "series")
    )
    wanted = re.search(r"Write (\d+) triples", user)
    draw = random.Random(f"{seed} {subject} {kind} {series} {user}")  # noqa: S311 - no secret
    return json.dumps([_triple(kind, draw) for _ in range(int(wanted[1]) if wanted else 1)])


def written(label: str, reference: str, seed: int) -> str:
    """An answer of the class, made from the reference alone."""
    draw = random.Random(f"{seed} {label} {reference}")  # noqa: S311 - as above
    text, words = reference.rstrip("."), reference.rstrip(".").split()
    other = " ".join(_word(draw) for _ in range(4))
    match label:
        case "exact":
            return reference
        case "equivalent":
            return f"In short: {text}."
        case "alternative-correct":
            return f"Also right: {' '.join(words[:1])} {other}."
        case "overinclusive-valid":
            return f"{text}, as many a textbook explains at length."
        case "partial":
            return f"{' '.join(words[: (len(words) + 1) // 2])}."
        case "overinclusive-invalid":
            return f"{text}, but falsely also {other}."
        case "contradictory":
            return f"On the contrary, never: {' '.join(words[:2])}."
    return f"{other.capitalize()}."


def _triple(kind: str, draw: random.Random) -> dict[str, str]:
    """A question of the type, its answer, and the statement of both; now and then a poor one."""
    thing, place, answer = (_word(draw) for _ in range(3))
    adjective = _word(draw)
    questions = {
        "short-question": f"What keeps the {thing} of {place} {adjective}?",
        "sentence-to-complete": f"The {thing} of {place} is kept {adjective} by",
        "long-question": f"In {place} there is a {thing}. It has been {adjective} for as long as"
        " anybody can say. What keeps it so?",
        "blank-spaces-task": f"The {thing} of {place} is kept {adjective} by _____.",
    }
    statement = f"The {thing} of {place} is kept {adjective} by the {answer}."
    if draw.random() < 0.1:
        statement = f"The {thing} {place} {answer}."  # words are missing
    return {"question": questions[kind], "answer": f"the {answer}", "statement": statement}


def _word(draw: random.Random) -> str:
    return "".join(draw.choice(_SYLLABLES) for _ in range(3))


def _line(text: str, name: str) -> str:
    """What follows the name and a colon, up to the end of the line; "" if it is not there."""
    found = re.search(rf"^{name}: (.+)$", text, re.MULTILINE)
    return found[1].strip() if found else ""
