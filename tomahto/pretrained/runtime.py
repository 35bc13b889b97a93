"""torch, where it is installed: on which device it computes, and how precisely."""

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from tomahto.extras import is_installed
from tomahto.pretrained.errors import TorchMissingError

if TYPE_CHECKING:
    import torch


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
