"""Tokenizers and weights from a model folder, on the best device; what cannot be loaded says which
folder it is."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tomahto.pretrained.errors import ModelFilesError
from tomahto.pretrained.runtime import best_device
from tomahto.pretrained.training import seeded

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


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
