"""Answers of one class of correctness each, for questions whose answer is known (CAP App. B.4)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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
    usable_text,
)
from tomahto.text.normalisation import ExactRule, is_exact

BATCH: Final = 10
_PROMPT: Final = prompt_named("candidate")
# the paper names no temperature for candidates; this is the one it names for statements
_PARAMETERS: Final = Parameters(max_tokens=4096, temperature=1.0, top_p=0.95)

CLASSES: Final = tuple(_PROMPT.parts)
"""The eight classes, in the order of their rank (CAP §3)."""


@dataclass(frozen=True, slots=True)
class SourceQuestion:
    """A question with at least one reference; the first one is what the answers are made from."""

    key: str
    question: str
    context: str
    references: tuple[str, ...]


def generate_candidates(
    endpoint: ChatEndpoint, label: str, sources: Sequence[SourceQuestion], *, draw: int = 0
) -> list[Draft | Fault]:
    """One answer of the class for each question, in order; a reply that is no array of so many
    texts is one fault for all of them."""
    items = [
        {"question": source.question, "reference": source.references[0]}
        | ({"passage": source.context} if source.context.strip() else {})
        for source in sources
    ]
    values = {"label": label, "items": json_text(items), **_PROMPT.parts[label]}
    try:
        answers, provenance = ask_for_array(
            endpoint, _PROMPT, values, _PARAMETERS, draw=draw, length=len(sources)
        )
    except UnusableReply as error:
        return [Fault(label, str(error), error.provenance, texts=len(sources))]
    return [
        _checked(label, source, answer, provenance)
        for source, answer in zip(sources, answers, strict=True)
    ]


def _checked(
    label: str, source: SourceQuestion, answer: Any, provenance: Mapping[str, Any]
) -> Draft | Fault:
    try:
        text = usable_text(answer, "the answer")
        _require_class(label, text, source.references)
    except UnusableText as error:
        return Fault(label, str(error), provenance, source.key)
    return Draft(
        target=label,
        question=source.question,
        reference=source.references[0],
        candidate=text,
        provenance=provenance,
        question_key=source.key,
    )


def _require_class(label: str, text: str, references: Sequence[str]) -> None:
    """Raises UnusableText if a text cannot be of a class, as far as that takes no judgement.

    `-5` may contradict `5`, so texts are not the same by the normal form of scoring.
    """
    if label == "exact":
        if text != references[0].strip():
            raise UnusableText("the answer is not the reference, as the class exact demands")
    elif is_exact(text, references, ExactRule.STRICT):
        raise UnusableText(f"the answer matches a reference exactly, which is not {label}")


def sources_of_class(
    sources: Sequence[SourceQuestion], label: str, per_class: int
) -> Iterator[SourceQuestion]:
    """All questions in the order in which the class takes them.

    Every class begins where the one before it has taken its share, going round. So each question
    is used equally often, give or take one, and by no class twice.
    """
    if not sources:
        return
    start = CLASSES.index(label) * per_class % len(sources)
    yield from sources[start:]
    yield from sources[:start]
