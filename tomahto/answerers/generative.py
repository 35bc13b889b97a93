"""Answers that a language model of the site's own writes, from the context or from memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from tomahto.answerers.interface import (
    Answer,
    Failure,
    Prompt,
    QuestionToAnswer,
    exam_prompt,
    exam_version,
)
from tomahto.options import require_least
from tomahto.pretrained.classifier import in_batches, pad
from tomahto.pretrained.files import ModelFilesError, digest_folder, model_folder
from tomahto.pretrained.runtime import (
    best_device,
    load_tokenizer,
    load_trained,
    require_torch,
    writing_type,
)

if TYPE_CHECKING:
    from transformers import GenerationConfig, PreTrainedModel, PreTrainedTokenizerBase


_BATCH_TOKENS = 8192


class Written(NamedTuple):
    """A text of a model. It `is_complete` if the model ended it before the limit did."""

    text: str
    is_complete: bool


class TextGenerator:
    """Continues prompts with the likeliest token each time, up to `max_new_tokens`.

    A model with a chat template is asked as its user would ask it. What looks like a marker within
    a prompt is text. Raises ModelFilesError for a model that does not say how its texts end.
    """

    def __init__(
        self,
        model: "PreTrainedModel",
        tokenizer: "PreTrainedTokenizerBase",
        *,
        max_new_tokens: int,
        batch_size: int,
    ) -> None:
        self.model = model
        self.tokenizer = tokenizer
        self.is_chat = bool(tokenizer.chat_template)
        self._is_encoder_decoder = bool(model.config.is_encoder_decoder)
        self._batch_size = batch_size
        self._config = _greedy(model, tokenizer, max_new_tokens)
        # what generate() is not told it takes from here, and a folder may ask for chance
        model.generation_config = self._config
        positions = getattr(model.config, "max_position_embeddings", None)
        # a decoder alone needs positions for what it writes, too
        taken = 0 if self._is_encoder_decoder else max_new_tokens
        self._room = None if positions is None else positions - taken

    def encode(self, prompt: str) -> list[int]:
        """The tokens that the model reads."""
        encoded: Any
        if self.is_chat:
            encoded = self.tokenizer.apply_chat_template(
                [{"role": "user", "content": prompt}],
                add_generation_prompt=True,
                sanitize_control_tokens=True,
            )
        else:
            encoded = self.tokenizer(prompt, split_special_tokens=True)
        tokens: list[int] = encoded["input_ids"]
        return tokens

    def fits(self, tokens: Sequence[int]) -> bool:
        """Whether the model can read the prompt and write as much as it may."""
        return self._room is None or len(tokens) <= self._room

    def write(self, prompts: Sequence[Sequence[int]]) -> list[Written]:
        """The continuation of each prompt, given as tokens, in order."""
        import torch

        lengths = [len(tokens) + (self._config.max_new_tokens or 0) for tokens in prompts]
        with torch.inference_mode():
            return in_batches(
                prompts, self._write, lengths=lengths, size=self._batch_size, tokens=_BATCH_TOKENS
            )

    def _write(self, prompts: Sequence[Sequence[int]]) -> list[Written]:
        device = next(self.model.parameters()).device
        filler: int = self._config.pad_token_id
        turn = 1 if self._is_encoder_decoder else -1  # a decoder goes on where the prompt ends
        tokens = pad([row[::turn] for row in prompts], filler)
        mask = pad([[1] * len(row) for row in prompts], 0)
        if turn < 0:
            tokens, mask = tokens.flip(1), mask.flip(1)
        model: Any = self.model  # its type does not know that it can write
        output = model.generate(input_ids=tokens.to(device), attention_mask=mask.to(device))
        begun = 1 if self._is_encoder_decoder else tokens.shape[1]
        return [self._read(row[begun:]) for row in output.tolist()]

    def _read(self, tokens: Sequence[int]) -> Written:
        ends: Any = self._config.eos_token_id
        end = next((place for place, token in enumerate(tokens) if token in ends), None)
        text = self.tokenizer.decode(list(tokens[:end]), skip_special_tokens=True)
        return Written(str(text), end is not None)


def load_text_generator(folder: Path, *, max_new_tokens: int, batch_size: int) -> TextGenerator:
    """The model in the folder, of either architecture, on the best device. Raises ModelError."""
    require_torch()
    from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM

    tokenizer = load_tokenizer(folder)
    auto_class = AutoModelForSeq2SeqLM if _has_encoder(folder) else AutoModelForCausalLM
    model = load_trained(auto_class, folder, dtype=writing_type(best_device()))
    return TextGenerator(model, tokenizer, max_new_tokens=max_new_tokens, batch_size=batch_size)


def _has_encoder(folder: Path) -> bool:
    from transformers import AutoConfig

    try:
        config = AutoConfig.from_pretrained(  # nosec B615 - a folder: nothing is downloaded
            folder, local_files_only=True, trust_remote_code=False
        )
    except (OSError, ValueError) as error:
        raise ModelFilesError(f"{folder}: has no readable config.json ({error})") from error
    return bool(config.is_encoder_decoder)


def _greedy(
    model: "PreTrainedModel", tokenizer: "PreTrainedTokenizerBase", max_new_tokens: int
) -> "GenerationConfig":
    """Of the model's own configuration only the tokens that begin and end a text."""
    from transformers import GenerationConfig

    own: Any = model.generation_config
    ends = own.eos_token_id if own.eos_token_id is not None else tokenizer.eos_token_id
    if ends is None:
        raise ModelFilesError("the model does not say which token ends a text")
    ends = list(ends) if isinstance(ends, (list, tuple)) else [ends]
    padding = tokenizer.pad_token_id
    return GenerationConfig(
        do_sample=False,
        num_beams=1,
        max_new_tokens=max_new_tokens,
        eos_token_id=ends,
        pad_token_id=ends[0] if padding is None else padding,
        bos_token_id=own.bos_token_id,
        decoder_start_token_id=own.decoder_start_token_id,
        forced_bos_token_id=own.forced_bos_token_id,
    )


# what decides a text beside what decides a score
_DECISIVE = ("generation_config.json", "chat_template.jinja", "chat_template.json")


@dataclass(frozen=True, slots=True)
class GenerativeOptions:
    """The settings of a language model. `model` is a folder or an id of the Hugging Face hub.

    An answer has at most `max_new_tokens` (256 as in CAP, App. C). `batch_size` decides how many
    are written at once, and no answer.
    """

    model: str
    max_new_tokens: int = 256
    batch_size: int = 8

    def __post_init__(self) -> None:
        require_least(self, {"max_new_tokens": 1, "batch_size": 1})


class GenerativeAnswerer:
    """Answers with what a model writes when it is asked as in an exam, greedily.

    A model without a chat template goes on writing after its answer: there the first line counts.
    A text that is empty, or not finished at the limit, is a failure, and so is a prompt that is
    longer than the model reads. There is no score.
    """

    def __init__(
        self, name: str, generator: TextGenerator, options: GenerativeOptions, *, digest: str
    ) -> None:
        self.name = name
        self._generator = generator
        self._options = options
        self._digest = digest
        self.version = (
            f"{name}|generative|greedy|tokens:{options.max_new_tokens}|prompt:{exam_version()}"
            f"|model:{digest}|v1"
        )

    def answer(self, questions: Sequence[QuestionToAnswer]) -> list[Answer | Failure]:
        """One answer or failure per question, in order."""
        prompts = [exam_prompt(question) for question in questions]
        tokens = [self._generator.encode(prompt.text) for prompt in prompts]
        written = iter(self._generator.write([one for one in tokens if self._generator.fits(one)]))
        return [
            self._answer(question, prompt, next(written))
            if self._generator.fits(read)
            else Failure(question.key, f"the prompt has {len(read)} tokens, too many for the model")
            for question, prompt, read in zip(questions, prompts, tokens, strict=True)
        ]

    def _answer(
        self, question: QuestionToAnswer, prompt: Prompt, written: Written
    ) -> Answer | Failure:
        text, is_complete = written.text.strip(), written.is_complete
        if not self._generator.is_chat:
            text, line_end, _ = text.partition("\n")
            is_complete = is_complete or bool(line_end)
        if not text:
            return Failure(question.key, "the model wrote nothing")
        if not is_complete:
            limit = self._options.max_new_tokens
            return Failure(question.key, f"the answer did not end within {limit} tokens")
        provenance = {
            "model": self._digest,
            "prompt": prompt.version,
            "parameters": {"decoding": "greedy", "max_new_tokens": self._options.max_new_tokens},
            "reply": written.text,
        }
        return Answer(question.key, text.strip(), None, provenance=provenance)


def load_generative(name: str, options: GenerativeOptions) -> GenerativeAnswerer:
    """The answerer of that name. Raises ModelError, and OSError if the hub cannot be reached."""
    require_torch()
    folder = model_folder(options.model)
    generator = load_text_generator(
        folder, max_new_tokens=options.max_new_tokens, batch_size=options.batch_size
    )
    return GenerativeAnswerer(
        name, generator, options, digest=digest_folder(folder, more=_DECISIVE)
    )
