"""The options of an endpoint: its address, its model, its limits, and the key that stays hidden."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from tomahto.options import OptionError, require_least
from tomahto.outgoing.destination import DestinationRefused, read_destination

SUFFIX: Final = "_API_KEY"
"""Of every variable that may hold a key: a configuration cannot send other secrets away."""

_VARIABLE = re.compile(rf"[A-Z][A-Z0-9_]*{SUFFIX}")
_USABLE = re.compile(r"[!-~]+")


def is_key_variable(name: str) -> bool:
    return _VARIABLE.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class ApiKey:
    """A key that no message and no repr shows. Raises ValueError, without it, if it is empty or
    holds a character that a header cannot carry."""

    value: str = field(repr=False)

    def __post_init__(self) -> None:
        if not _USABLE.fullmatch(self.value):
            raise ValueError("is empty or contains a character that is not allowed in a key")

    def hidden_in(self, text: str) -> str:
        """The text with … wherever it shows the key."""
        return text.replace(self.value, "…")


MAX_NAME: Final = 200
_LARGEST: Final[Mapping[str, float]] = {
    "requests_per_minute": 100_000,
    "timeout_seconds": 3600,
    "retries": 10,
    "temperature": 2,
    "max_tokens": 32_768,
}


@dataclass(frozen=True, slots=True)
class EndpointOptions:
    """`url` is the address before `/chat/completions`, such as https://api.example.org/v1.

    `key_variable` names the environment variable that holds the key; None: no key is sent.
    `timeout_seconds` bounds a whole request. `temperature` and `max_tokens` hold for answers;
    generation brings its own (CAP App. B.5).
    """

    url: str
    model: str
    key_variable: str | None = None
    requests_per_minute: int = 60
    timeout_seconds: float = 120.0
    retries: int = 4
    temperature: float = 0.0
    max_tokens: int = 256

    def __post_init__(self) -> None:
        try:
            destination = read_destination(self.url)
        except DestinationRefused as error:
            raise OptionError("url", str(error)) from None
        if "?" in destination.target:
            raise OptionError("url", "takes no query")
        if destination.target.rstrip("/").endswith("/chat/completions"):
            raise OptionError("url", "is the address before /chat/completions")
        if len(self.model) > MAX_NAME:
            raise OptionError("model", f"has more than {MAX_NAME} characters")
        if self.key_variable is not None and not is_key_variable(self.key_variable):
            raise OptionError(
                "key_variable",
                f"names a variable in capitals that ends in {SUFFIX}, not {self.key_variable!r}",
            )
        require_least(
            self,
            {"requests_per_minute": 1, "timeout_seconds": 1, "retries": 0, "temperature": 0,
             "max_tokens": 1},
        )  # fmt: skip
        for key, limit in _LARGEST.items():
            if (value := getattr(self, key)) > limit:
                raise OptionError(key, f"must be at most {limit}, not {value}")

    @property
    def completions_url(self) -> str:
        return f"{self.url.rstrip('/')}/chat/completions"
