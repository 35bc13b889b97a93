"""Model folders: where they lie, found or fetched, free of pickles, known by their content.

A location is a folder, or the id of a model on the Hugging Face hub, with `@REVISION` if wanted;
variables of the environment name it, or the site, once, when it starts. Weights come from
safetensors files alone. The older formats (`pytorch_model.bin`, `.pt`) are pickles, which run
whatever their author wrote into them.
"""

import hashlib
import os
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path


class ModelError(ValueError):
    """A model that cannot be used as things are; the message says what to do about it."""


class ModelNotSetError(ModelError):
    """Nobody said where the model lies; the message names the variable that does."""


class ModelFilesError(ModelError):
    """Files that are not what is needed; the message names the folder."""


class TorchMissingError(ModelError):
    """The optional package torch is not installed."""


@dataclass(frozen=True, slots=True)
class ModelVariable:
    """A variable of the environment that names a model's location; `advice` says which to name,
    `default` is taken where it is not set."""

    name: str
    advice: str
    default: str = ""


_configured: dict[str, str] | None = None


def configure_models(locations: Mapping[str, str] | None) -> None:
    """Replace what the environment says, by the names of variables; an empty location is none. With
    None the environment says it again. What is loaded from elsewhere is loaded anew."""
    global _configured
    _configured = None if locations is None else dict(locations)


def is_configured(variable: ModelVariable) -> bool:
    return bool(_location(variable))


def model_location(variable: ModelVariable) -> str:
    """Raises ModelNotSetError, naming the variable and what the paper uses."""
    location = _location(variable)
    if not location:
        raise ModelNotSetError(f"{variable.name} is not set: it names {variable.advice}")
    return location


def _location(variable: ModelVariable) -> str:
    if _configured is not None:
        return _configured.get(variable.name, "")
    return os.environ.get(variable.name) or variable.default


_WEIGHTS = "*.safetensors"
_WANTED = (_WEIGHTS, "*.json", "*.txt", "*.model", "*.jinja")
_PICKLES = {".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".msgpack", ".h5"}
# what decides a score beside the weights; cards and readmes do not
_DECISIVE = (
    "config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "vocab.txt",
    "merges.txt",
    "spiece.model",
    "spm.model",
    "sentencepiece.bpe.model",
)
_HUB_ID = re.compile(r"\w[\w.-]*(?:/\w[\w.-]*)?(?:@[\w./-]+)?")
_CHUNK = 1 << 20


def model_folder(location: str) -> Path:
    """The folder itself, or the hub's model fetched into the local cache.

    Raises ModelFilesError if there are no safetensors in it, OSError if it cannot be fetched.
    """
    folder = Path(location).expanduser()
    if not folder.is_dir():
        folder = _fetch(location)
    if not any(folder.glob(_WEIGHTS)):
        pickles = sorted(path.name for path in folder.iterdir() if path.suffix in _PICKLES)
        found = f" but {', '.join(pickles)}" if pickles else ""
        raise ModelFilesError(
            f"{location}: holds no *.safetensors file{found}; other formats are not loaded, since "
            "reading a pickle can run anything. Take a revision with safetensors (ID@REVISION) or "
            "convert the model (docs/matchers-neural.md)"
        )
    return folder


def digest_folder(folder: Path, *, more: Collection[str] = ()) -> str:
    """The first 12 hexadecimal digits of the SHA-256 over weights, configuration and tokenizer.

    `more` are names of other files that count where they are there. Equal files give equal
    digests, wherever they lie.
    """
    digest = hashlib.sha256()
    for path in decisive_files(folder, more=more):
        digest.update(f"{path.name} {digest_file(path)}\n".encode())
    return digest.hexdigest()[:12]


def decisive_files(folder: Path, *, more: Collection[str] = ()) -> list[Path]:
    """Weights, configuration and tokenizer, and of the names `more` those that are there, by
    name."""
    names = {path.name for path in folder.glob(_WEIGHTS)}
    names.update(name for name in (*_DECISIVE, *more) if (folder / name).is_file())
    return [folder / name for name in sorted(names)]


def digest_file(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()


def _fetch(location: str) -> Path:
    if not _HUB_ID.fullmatch(location):
        raise ModelFilesError(f"{location}: no such folder")
    from huggingface_hub import snapshot_download

    name, _, revision = location.partition("@")
    try:
        return Path(
            snapshot_download(name, revision=revision or None, allow_patterns=list(_WANTED))
        )
    except (OSError, ValueError) as error:
        reason = " ".join(str(error).split()).split(". ")[0]
        raise OSError(
            f"{location}: no such folder, and no model available from the hub ({reason})"
        ) from error
