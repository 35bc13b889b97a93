"""Parts that trainings share: one seed for all that is drawn, and shuffled batches."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TypeAlias

from tomahto.learning.examples import Examples

if TYPE_CHECKING:
    import torch
    from transformers import PreTrainedModel

Progress: TypeAlias = Callable[[str], None]
_PROGRESS_STEPS = 20


@dataclass(frozen=True, slots=True)
class EpochOptions:
    """What decides the weights of every such training, given base model and examples.

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


def shuffled_batches(count: int, size: int, generator: "torch.Generator") -> list[list[int]]:
    """The positions 0 … count - 1 in a new order, in batches of `size`."""
    import torch

    order: list[int] = torch.randperm(count, generator=generator).tolist()
    return [order[start : start + size] for start in range(0, count, size)]


def run_epoch(
    model: "PreTrainedModel",
    batches: Sequence[Sequence[int]],
    loss_of: Callable[[Sequence[int]], "torch.Tensor"],
    optimiser: "torch.optim.Optimizer",
    *,
    epoch: int,
    progress: Progress,
) -> float:
    """Goes through the batches of places once; the mean loss over all examples.

    `loss_of` gives the mean loss of a batch. The model is left ready to be used.
    """
    model.train()
    total = 0.0
    for step, batch in enumerate(batches, start=1):
        optimiser.zero_grad()
        loss = loss_of(batch)
        loss.backward()
        optimiser.step()
        value = loss.item()
        total += value * len(batch)
        _tell_step(progress, epoch=epoch, step=step, steps=len(batches), loss=value)
    model.eval()
    return total / sum(map(len, batches))


def _tell_step(progress: Progress, *, epoch: int, step: int, steps: int, loss: float) -> None:
    """A line every few steps and at the end of an epoch."""
    if step % _PROGRESS_STEPS == 0 or step == steps:
        progress(f"epoch {epoch}, step {step} of {steps}: loss {loss:.4f}")


def copy_weights(model: "PreTrainedModel") -> "dict[str, torch.Tensor]":
    """The weights as they are now, in main memory."""
    return {name: value.detach().cpu().clone() for name, value in model.state_dict().items()}


def provenance(sets: Mapping[str, Examples[Any] | None]) -> dict[str, Any]:
    """Where the examples are from and the libraries that a training depends on."""
    return {
        "data": {name: dict(examples.source) for name, examples in sets.items() if examples},
        "libraries": {name: version(name) for name in ("torch", "transformers", "tokenizers")},
    }
