"""Answers that are spans of the context, found by a transformer with a head for spans."""

from collections.abc import Sequence
from dataclasses import dataclass

from tomahto.answerers.extractive.reader import (
    QuestionTooLongError,
    SpanReader,
    Window,
    WindowLogits,
    best_spans,
    load_span_reader,
    null_score,
)
from tomahto.answerers.interface import Answer, Failure, QuestionToAnswer, ScoredText
from tomahto.options import OptionError, require_least
from tomahto.pretrained.files import ModelFilesError, digest_folder, model_folder
from tomahto.pretrained.runtime import require_torch


@dataclass(frozen=True, slots=True)
class ExtractiveOptions:
    """The settings of a model for spans. `model` is a folder or an id of the Hugging Face hub.

    Long contexts are read in windows of `max_length` tokens, question and markers included;
    neighbours share `stride` tokens. An answer has at most `max_answer_tokens`. The `top_k` best
    are kept (20 as in Bulian et al. 2022, App. C). A model trained on questions without answers
    `can_abstain`: it does where the score of "no answer" is higher than that of the best answer by
    more than `threshold`.
    `batch_size` decides how many windows are computed at once, and no answer.
    """

    model: str
    max_length: int = 384
    stride: int = 128
    top_k: int = 20
    max_answer_tokens: int = 30
    can_abstain: bool = False
    threshold: float = 0.0
    batch_size: int = 32

    def __post_init__(self) -> None:
        require_least(
            self,
            {"max_length": 8, "stride": 0, "top_k": 1, "max_answer_tokens": 1, "batch_size": 1},
        )
        if self.stride >= self.max_length:
            raise OptionError("stride", f"must be less than max_length, {self.max_length}")

    @property
    def signature(self) -> str:
        """The settings that decide the answers beside the weights, as part of a version."""
        parts = [
            f"window:{self.max_length}/{self.stride}",
            f"top:{self.top_k}",
            f"tokens:{self.max_answer_tokens}",
        ]
        return "|".join(parts + [f"abstain:{self.threshold:g}"] * self.can_abstain)


class ExtractiveAnswerer:
    """Answers with the span of the highest score, the sum of its first and last token's logits.

    The alternatives are the next best spans of other texts. Where it can abstain, the empty answer
    stands among them with the lowest "no answer" score of all windows less the threshold, so that
    it is the answer where that is highest. A question without context has the empty answer and no
    score; one that leaves no room for an answer fails.
    """

    def __init__(
        self, name: str, reader: SpanReader, options: ExtractiveOptions, *, digest: str
    ) -> None:
        if options.can_abstain and reader.tokenizer.cls_token_id is None:
            raise ModelFilesError("the model has no token for `no answer`: it cannot abstain")
        self.name = name
        self.version = f"{name}|extractive|{options.signature}|model:{digest}|v1"
        self._reader = reader
        self._options = options

    def answer(self, questions: Sequence[QuestionToAnswer]) -> list[Answer | Failure]:
        """One answer or failure per question, in order; it does not depend on the others."""
        windows = [self._windows(question) for question in questions]
        logits = iter(
            self._reader.read([one for many in windows if isinstance(many, list) for one in many])
        )
        return [
            Failure(question.key, found)
            if isinstance(found, str)
            else self._decode(question, [next(logits) for _ in found])
            for question, found in zip(questions, windows, strict=True)
        ]

    def _windows(self, question: QuestionToAnswer) -> list[Window] | str:
        """The windows of a question, none without a context, or why it cannot be read."""
        if not question.context.strip():
            return []
        try:
            return self._reader.windows(
                question.question, question.context, room=self._options.max_answer_tokens
            )
        except QuestionTooLongError as error:
            return str(error)

    def _decode(self, question: QuestionToAnswer, windows: Sequence[WindowLogits]) -> Answer:
        spans = best_spans(
            question.context,
            windows,
            longest=self._options.max_answer_tokens,
            count=self._options.top_k,
        )
        found = [ScoredText(question.context[s.start : s.end], s.score) for s in spans]
        null = null_score(windows) if self._options.can_abstain else None
        if null is not None:
            found.append(ScoredText("", null - self._options.threshold))
            found.sort(key=lambda one: -one.score)
        if not found:
            return Answer(question.key, "", None)
        best, *others = found[: self._options.top_k]
        place = {"start": spans[0].start} if best.text else {}
        return Answer(question.key, best.text, best.score, tuple(others), place)


def load_extractive(name: str, options: ExtractiveOptions) -> ExtractiveAnswerer:
    """The answerer of that name. Raises ModelError, and OSError if the hub cannot be reached."""
    require_torch()
    folder = model_folder(options.model)
    reader = load_span_reader(
        folder,
        max_length=options.max_length,
        stride=options.stride,
        batch_size=options.batch_size,
    )
    return ExtractiveAnswerer(name, reader, options, digest=digest_folder(folder))
