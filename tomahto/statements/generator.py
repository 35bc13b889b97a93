"""A question and an answer as one declarative statement, by a T5 (CAP §4, App. C.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from tomahto.learning.files import question_of
from tomahto.pretrained.classifier import fit_sections, in_batches, pad
from tomahto.pretrained.files import ModelFilesError, digest_folder, model_folder
from tomahto.pretrained.runtime import (
    load_tokenizer,
    load_trained,
    require_torch,
    wide_range_precision,
)

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


MAX_INPUT_TOKENS = 512
_BATCH, _BATCH_TOKENS = 16, 4096
_IGNORED = -100  # torch's cross-entropy passes over such labels


class QuestionAnswer(NamedTuple):
    """The parts that a statement is made of."""

    question: str
    answer: str


class StatementMaker(Protocol):
    """Makes one statement of each question and answer, in order."""

    @property
    def signature(self) -> str: ...

    def statements(self, pairs: Sequence[QuestionAnswer]) -> list[str]: ...


class StatementGenerator:
    """A T5 or mT5 that reads `question: … answer: …` and writes a statement.

    It writes by beam search, so the same model and input give the same statement. Where question
    and answer together have more than 512 tokens, the longer is cut.
    """

    beams = 4
    max_tokens = 64

    def __init__(
        self, model: "PreTrainedModel", tokenizer: "PreTrainedTokenizerBase", *, digest: str
    ) -> None:
        if tokenizer.eos_token_id is None or tokenizer.pad_token_id is None:
            raise ModelFilesError("the statement model's tokenizer has no end or no padding token")
        self.model = model
        self.tokenizer = tokenizer
        self.signature = f"beams:{self.beams}|max:{self.max_tokens}|model:{digest}"

    def statements(self, pairs: Sequence[QuestionAnswer]) -> list[str]:
        """One statement per pair. Equal pairs are written once."""
        import torch

        distinct = list(dict.fromkeys(pairs))
        inputs = self.encode(distinct)
        lengths = [len(tokens) for tokens in inputs]
        with torch.inference_mode(), wide_range_precision(self._device):
            written = in_batches(
                inputs, self._write, lengths=lengths, size=_BATCH, tokens=_BATCH_TOKENS
            )
        statement_of = dict(zip(distinct, written, strict=True))
        return [statement_of[pair] for pair in pairs]

    def encode(self, pairs: Sequence[QuestionAnswer]) -> list[list[int]]:
        """The tokens that the model reads. What looks like a marker within a text is text."""
        questions = self._tokens([f"question: {pair.question}" for pair in pairs])
        answers = self._tokens([f"answer: {pair.answer}" for pair in pairs])
        end: int = self.tokenizer.eos_token_id
        return [
            [*question, *answer, end]
            for question, answer in (
                fit_sections(both, MAX_INPUT_TOKENS - 1)
                for both in zip(questions, answers, strict=True)
            )
        ]

    def loss(self, inputs: Sequence[Sequence[int]], statements: Sequence[str]) -> "torch.Tensor":
        """The mean cross-entropy of the statements' tokens, given one batch of inputs."""
        end: int = self.tokenizer.eos_token_id
        wanted = [[*row[: self.max_tokens - 1], end] for row in self._tokens(statements)]
        with wide_range_precision(self._device):
            output = self.model(
                **self._fields(inputs), labels=pad(wanted, _IGNORED).to(self._device)
            )
        loss: torch.Tensor = output.loss
        return loss.float()

    @property
    def _device(self) -> "torch.device":
        device: torch.device = next(self.model.parameters()).device
        return device

    def _tokens(self, texts: Sequence[str]) -> list[list[int]]:
        if not texts:
            return []
        encoded = self.tokenizer(list(texts), add_special_tokens=False, split_special_tokens=True)
        tokens: list[list[int]] = encoded["input_ids"]
        return tokens

    def _fields(self, inputs: Sequence[Sequence[int]]) -> "dict[str, torch.Tensor]":
        filler: int = self.tokenizer.pad_token_id
        mask = [[1] * len(row) for row in inputs]
        return {
            "input_ids": pad(inputs, filler).to(self._device),
            "attention_mask": pad(mask, 0).to(self._device),
        }

    def _write(self, inputs: Sequence[Sequence[int]]) -> list[str]:
        from transformers import GenerationConfig

        # a configuration of our own: a folder's generation_config.json could ask for chance
        config = GenerationConfig(
            num_beams=self.beams,
            max_new_tokens=self.max_tokens,
            do_sample=False,
            pad_token_id=self.tokenizer.pad_token_id,
            eos_token_id=self.tokenizer.eos_token_id,
            decoder_start_token_id=self.model.config.decoder_start_token_id,
        )
        model: Any = self.model  # its type does not know that it can write
        written = model.generate(**self._fields(inputs), generation_config=config)
        texts = self.tokenizer.batch_decode(written, skip_special_tokens=True)
        return [text.strip() for text in texts]


def load_statement_generator(location: str) -> StatementGenerator:
    """The generator in the folder or on the hub. Raises ModelError, and OSError from the hub."""
    require_torch()
    from transformers import AutoModelForSeq2SeqLM

    folder: Path = model_folder(location)
    model = load_trained(AutoModelForSeq2SeqLM, folder)
    return StatementGenerator(model, load_tokenizer(folder), digest=digest_folder(folder))


@dataclass(frozen=True, slots=True)
class Triple:
    """A question with its answer, and the statement wanted."""

    pair: QuestionAnswer
    statement: str


def hold_out(
    triples: Sequence[Triple], *, share: float, seed: int
) -> tuple[tuple[Triple, ...], tuple[Triple, ...]]:
    """(training, held out): a share of the questions, at least one, with all their triples.

    Raises ValueError if there is only one question.
    """
    questions = list(dict.fromkeys(question_of(triple) for triple in triples))
    count = max(1, round(share * len(questions)))
    if count == len(questions):
        raise ValueError("one question is too few to hold any out")
    chosen = np.random.default_rng(seed).permutation(len(questions))[:count]
    held_out = {questions[place] for place in chosen}
    parts: tuple[list[Triple], list[Triple]] = ([], [])
    for triple in triples:
        parts[question_of(triple) in held_out].append(triple)
    return tuple(parts[0]), tuple(parts[1])
