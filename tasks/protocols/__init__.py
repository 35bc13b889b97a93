"""The protocols. Every module of this package that defines PROTOCOL is one; none is listed here."""

import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pathlib import Path

from tasks.protocols.definition import AnnotationProtocol


class UnknownProtocol(LookupError):
    """There is no protocol of that name."""


@cache
def protocols() -> Mapping[str, AnnotationProtocol]:
    modules = (import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
    found = [module.PROTOCOL for module in modules if hasattr(module, "PROTOCOL")]
    return {protocol.name: protocol for protocol in found}


def get_protocol(name: str) -> AnnotationProtocol:
    """Raises UnknownProtocol, naming those there are."""
    try:
        return protocols()[name]
    except KeyError:
        raise UnknownProtocol(f"no protocol {name!r}; known: {', '.join(protocols())}") from None


def default_guidelines(name: str) -> str:
    """The Markdown guidelines that a new campaign of this protocol starts with."""
    path = Path(__file__).parent / "guidelines" / f"{name}.md"
    return path.read_text(encoding="utf-8") if path.exists() else ""
