"""The published rules of the official SQuAD evaluations, written down again as plainly as possible.

Nothing of `measures` is used: every text is normalised whenever it is looked at, one character
after the other, and every question is gone through once for each value. Slow on purpose.
"""

import re
import string
from collections import Counter
from typing import Any

Gold = dict[str, list[str]]
"""The gold answers of each question, in the order of the data; none: unanswerable."""


def squad_v2_reference(
    gold: Gold,
    predictions: dict[str, str],
    na_probs: dict[str, float] | None = None,
    na_threshold: float = 1.0,
) -> dict[str, Any]:
    """The values that evaluate-v2.0.py prints."""
    raw_exact: dict[str, float] = {}
    raw_f1: dict[str, float] = {}
    for key, answers in gold.items():
        usable = [answer for answer in answers if normal_form(answer)] or [""]
        raw_exact[key] = max(same(answer, predictions[key]) for answer in usable)
        raw_f1[key] = max(overlap_v2(answer, predictions[key]) for answer in usable)
    silence = dict.fromkeys(gold, 0.0) if na_probs is None else na_probs
    exact = after_threshold(gold, raw_exact, silence, na_threshold)
    f1 = after_threshold(gold, raw_f1, silence, na_threshold)
    values = mean_values("", list(gold), exact, f1)
    for prefix, wanted in (("HasAns_", True), ("NoAns_", False)):
        keys = [key for key in gold if bool(gold[key]) is wanted]
        if keys:
            values |= mean_values(prefix, keys, exact, f1)
    if na_probs is not None:
        for name, raw in (("best_exact", raw_exact), ("best_f1", raw_f1)):
            score, threshold = search(gold, predictions, raw, na_probs)
            values |= {name: score, f"{name}_thresh": threshold}
    return values


def squad_v1_reference(gold: Gold, predictions: dict[str, str]) -> dict[str, Any]:
    """The values that evaluate-v1.1.py prints; a question without a prediction earns nothing."""
    exact, f1 = 0.0, 0.0
    for key, answers in gold.items():
        if key in predictions:
            exact += max(same(answer, predictions[key]) for answer in answers)
            f1 += max(overlap_v1(answer, predictions[key]) for answer in answers)
    return {"exact_match": 100.0 * exact / len(gold), "f1": 100.0 * f1 / len(gold)}


def normal_form(text: str) -> str:
    """Lower case, then no punctuation, then no articles, then single spaces."""
    punctuation = set(string.punctuation)
    bare = "".join(mark for mark in text.lower() if mark not in punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def same(answer: str, prediction: str) -> int:
    return int(normal_form(answer) == normal_form(prediction))


def overlap_v2(answer: str, prediction: str) -> float:
    """Two texts without words agree wholly; a text without words and another do not at all."""
    wanted, given = normal_form(answer).split(), normal_form(prediction).split()
    if not wanted or not given:
        return int(wanted == given)
    return harmonic(wanted, given)


def overlap_v1(answer: str, prediction: str) -> float:
    return harmonic(normal_form(answer).split(), normal_form(prediction).split())


def harmonic(wanted: list[str], given: list[str]) -> float:
    shared = sum((Counter(wanted) & Counter(given)).values())
    if shared == 0:
        return 0
    precision, recall = shared / len(given), shared / len(wanted)
    return (2 * precision * recall) / (precision + recall)


def after_threshold(
    gold: Gold, raw: dict[str, float], silence: dict[str, float], threshold: float
) -> dict[str, float]:
    """A system that is likelier silent than the threshold earns 1 if there is no answer, else
    nothing."""
    return {key: float(not gold[key]) if silence[key] > threshold else raw[key] for key in gold}


def mean_values(
    prefix: str, keys: list[str], exact: dict[str, float], f1: dict[str, float]
) -> dict[str, float]:
    return {
        f"{prefix}exact": 100.0 * sum(exact[key] for key in keys) / len(keys),
        f"{prefix}f1": 100.0 * sum(f1[key] for key in keys) / len(keys),
        f"{prefix}total": len(keys),
    }


def search(
    gold: Gold, predictions: dict[str, str], raw: dict[str, float], na_probs: dict[str, float]
) -> tuple[float, float]:
    """Go up the probabilities; the first point at which the score is highest is the best."""
    score: float = sum(1 for answers in gold.values() if not answers)
    best, threshold = score, 0.0
    for key in sorted(na_probs, key=lambda key: na_probs[key]):
        if key not in raw:
            continue
        if gold[key]:
            score += raw[key]
        elif predictions[key]:
            score -= 1
        if score > best:
            best, threshold = score, na_probs[key]
    return 100.0 * best / len(gold), threshold
