"""torch, where it is installed: on which device it computes and how precisely, how models are
loaded from their folders, and the parts that trainings share."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from tomahto.extras import is_installed
from tomahto.learning.files import Examples
from tomahto.pretrained.files import ModelFilesError, TorchMissingError

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


def has_torch() -> bool:
    """Whether torch is there, with transformers, which loads what it computes."""
    return is_installed("torch") and is_installed("transformers")


def require_torch() -> None:
    """Raises TorchMissingError if they are not installed."""
    if not has_torch():
        raise TorchMissingError(
            "this needs torch and transformers, which are not installed: call ./run with --models, "
            "or install Tomahto's extra `neural` (docs/library.md)"
        )


def best_device() -> "torch.device":
    """The first CUDA device, or else the processor."""
    import torch

    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def scoring_precision(device: "torch.device") -> AbstractContextManager[object]:
    """Half precision on CUDA (CAP App. C.2), full precision elsewhere."""
    import torch

    if device.type == "cuda":
        return torch.autocast("cuda", dtype=torch.float16)
    return nullcontext()


def wide_range_precision(device: "torch.device") -> AbstractContextManager[object]:
    """Half precision with the range of full precision, where CUDA has it.

    Training needs it for its gradients, and T5's activations overflow float16.
    """
    import torch

    if device.type == "cuda" and torch.cuda.is_bf16_supported():
        return torch.autocast("cuda", dtype=torch.bfloat16)
    return nullcontext()


def writing_type(device: "torch.device") -> "torch.dtype":
    """The type of weights to write texts with: what does not fit is read from memory for every
    token, so half precision saves half the time where CUDA has it in full range."""
    import torch

    is_wide = device.type == "cuda" and torch.cuda.is_bf16_supported()
    return torch.bfloat16 if is_wide else torch.float32


Progress: TypeAlias = Callable[[str], None]
_PROGRESS_STEPS = 20


@dataclass(frozen=True, slots=True)
class EpochOptions:
    """The settings that decide the weights of every such training, given base model and examples.

    The optimiser is AdamW with a constant learning rate, unless it is said otherwise.
    """

    epochs: int = 1
    batch_size: int = 16
    learning_rate: float = 5e-5
    seed: int = 0


def silent(_line: str) -> None:
    """No progress is told."""


@contextmanager
def seeded(seed: int) -> Iterator["torch.Generator"]:
    """torch's own generator and a second one, for the order of examples, begin at the seed.

    On a processor the same seed then gives the same weights; CUDA may add in another order. The
    state of torch's generator before is restored.
    """
    import torch

    with torch.random.fork_rng():
        torch.manual_seed(seed)
        yield torch.Generator().manual_seed(seed)


def run_epochs(
    model: "PreTrainedModel",
    examples: int,
    loss_of: Callable[[Sequence[int]], "torch.Tensor"],
    optimiser: "torch.optim.Optimizer",
    options: EpochOptions,
    progress: Progress,
) -> Iterator[tuple[int, float]]:
    """The number of each epoch, from 1, and the mean loss over all examples.

    `loss_of` gives the mean loss of a batch of places, of 0 … examples - 1. The model is ready to
    be used after each epoch.
    """
    import torch

    with seeded(options.seed) as generator:
        for epoch in range(1, options.epochs + 1):
            order = torch.randperm(examples, generator=generator)
            batches = [batch.tolist() for batch in order.split(options.batch_size)]
            model.train()
            total = 0.0
            for step, batch in enumerate(batches, start=1):
                optimiser.zero_grad()
                loss = loss_of(batch)
                loss.backward()
                optimiser.step()
                value = loss.item()
                total += value * len(batch)
                if step % _PROGRESS_STEPS == 0 or step == len(batches):
                    progress(f"epoch {epoch}, step {step} of {len(batches)}: loss {value:.4f}")
            model.eval()
            yield epoch, total / examples


def copy_weights(model: "PreTrainedModel") -> "dict[str, torch.Tensor]":
    """The weights as they are now, in main memory."""
    return {name: value.detach().cpu().clone() for name, value in model.state_dict().items()}


def provenance(sets: Mapping[str, Examples[Any] | None]) -> dict[str, Any]:
    """The source of the examples and the libraries that a training depends on."""
    return {
        "data": {name: dict(examples.source) for name, examples in sets.items() if examples},
        "libraries": {name: version(name) for name in ("torch", "transformers", "tokenizers")},
    }


def load_tokenizer(folder: Path) -> "PreTrainedTokenizerBase":
    """Raises ModelFilesError."""
    from transformers import AutoTokenizer

    with _named(folder):
        tokenizer: PreTrainedTokenizerBase = AutoTokenizer.from_pretrained(  # nosec B615 - a folder
            folder, local_files_only=True, trust_remote_code=False
        )
    return tokenizer


def load_trained(
    auto_class: type[Any], folder: Path, *, dtype: "torch.dtype | None" = None
) -> "PreTrainedModel":
    """A model whose every weight is in the folder, ready to compute; in full precision by default.

    A folder that lacks weights, such as a plain encoder without a head for classes, would load
    with random numbers in their place; it raises ModelFilesError.
    """
    model, report = _load(auto_class, folder, dtype=dtype)
    if missing := sorted(report["missing_keys"]):
        raise ModelFilesError(f"{folder}: is not trained for this, it lacks {', '.join(missing)}")
    model.eval()
    return model


def load_for_training(
    auto_class: type[Any], folder: Path, *, seed: int, **config: Any
) -> "PreTrainedModel":
    """A model to train further; what it lacks, such as a head, is drawn by the seed.

    Raises ModelFilesError.
    """
    with seeded(seed):
        model, _ = _load(auto_class, folder, ignore_mismatched_sizes=True, **config)
    return model


def _load(
    auto_class: type[Any], folder: Path, *, dtype: "torch.dtype | None" = None, **options: Any
) -> "tuple[PreTrainedModel, dict[str, Any]]":
    import torch
    from transformers.utils import logging

    logging.set_verbosity_error()
    logging.disable_progress_bar()
    with _named(folder):
        model, report = auto_class.from_pretrained(
            folder,
            use_safetensors=True,
            local_files_only=True,
            trust_remote_code=False,
            dtype=dtype or torch.float32,
            output_loading_info=True,
            **options,
        )
    return model.to(best_device()), report


@contextmanager
def _named(folder: Path) -> Iterator[None]:
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, ValueError, KeyError, ImportError, RuntimeError, SafetensorError) as error:
        reason = " ".join(str(error).split())[:300]
        raise ModelFilesError(f"{folder}: cannot be loaded ({reason})") from error
