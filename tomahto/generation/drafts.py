"""Drafts that a model writes: how it is asked, what every text has to pass, and which came before.

Prompts are files of their own, each with a version: what a model was told can be told later.
"""

import hashlib
import json
import math
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from string import Template
from typing import Any, ClassVar, Final

from tomahto.endpoint.chat import ChatEndpoint, Message, Parameters, provenance_of
from tomahto.endpoint.reply import (
    MalformedReply,
    RequestRefused,
    StrictJsonError,
    is_clean,
    kept,
    read_json,
)
from tomahto.text.same_question import THRESHOLD, are_near, question_tokens


@dataclass(frozen=True, slots=True)
class Prompt:
    """Two texts with `$name` where something is filled in. `digest` is of the file.

    `parts` are what is filled in for one target or another, by its name.
    """

    name: str
    number: int
    digest: str
    system: str
    user: str
    parts: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    @property
    def version(self) -> str:
        """`NAME-NUMBER:DIGEST`: a changed file has another version even if its number was left."""
        return f"{self.name}-{self.number}:{self.digest}"

    def messages(self, values: Mapping[str, str]) -> list[Message]:
        """The conversation to send. What is filled in is never looked at for `$name` again.

        Raises KeyError if a value is missing.
        """
        return [
            Message("system", Template(self.system).substitute(values).strip()),
            Message("user", Template(self.user).substitute(values).strip()),
        ]


@cache
def read_prompt(path: Path) -> Prompt:
    """From a TOML file with `version`, `system`, `user` and tables below `parts`.

    The file's name is the prompt's.
    """
    content = path.read_bytes()
    table = tomllib.loads(content.decode())
    digest = hashlib.sha256(content).hexdigest()[:8]
    return Prompt(
        name=path.stem,
        number=table["version"],
        digest=digest,
        system=table["system"],
        user=table["user"],
        parts=table.get("parts", {}),
    )


@dataclass(frozen=True, slots=True)
class Draft:
    """A generated text that nobody has approved.

    `target` is what it was asked to be: a class, a cell `SUBJECT/TYPE`, or `RULE/LABEL`.
    `question_key` names the question it belongs to, where that is the campaign's.
    """

    target: str
    question: str
    reference: str
    candidate: str
    provenance: Mapping[str, Any]
    question_key: str = ""
    question_type: str = ""
    texts: ClassVar[int] = 1


@dataclass(frozen=True, slots=True)
class Fault:
    """A reply, or a part of one, that makes no draft. The raw reply is in the provenance.

    `texts` is how many of those that were asked for are lost with it.
    """

    target: str
    reason: str
    provenance: Mapping[str, Any] = field(default_factory=dict)
    question_key: str = ""
    texts: int = 1


MAX_TEXT: Final = 2_000
"""Characters of one generated text. A reference answer is a phrase; this is far above."""

_PROMPTS: Final = Path(__file__).parent / "prompts"


class UnusableReply(Exception):
    """A reply that is not what was asked for, with what is known of how it came about."""

    def __init__(self, reason: str, provenance: Mapping[str, Any]) -> None:
        super().__init__(reason)
        self.provenance = provenance


class UnusableText(ValueError):
    """One generated text that cannot be taken; the message says why."""


def json_text(rows: Sequence[Mapping[str, str]]) -> str:
    """As a model is shown them."""
    return json.dumps(rows, ensure_ascii=False, indent=1)


def prompt_named(name: str) -> Prompt:
    return read_prompt(_PROMPTS / f"{name}.toml")


def ask_for_array(
    endpoint: ChatEndpoint,
    prompt: Prompt,
    values: Mapping[str, str],
    parameters: Parameters,
    *,
    draw: int = 0,
    length: int | None = None,
) -> tuple[list[Any], dict[str, Any]]:
    """The array the model replied with, never empty, of that length where one is wanted, and its
    provenance.

    Raises UnusableReply; EndpointRefused and EndpointUnavailable as the endpoint does.
    """
    try:
        reply = endpoint.complete(prompt.messages(values), parameters, draw=draw)
    except RequestRefused as error:
        without_reply = {
            "endpoint": endpoint.options.url,
            "model": endpoint.options.model,
            "prompt": prompt.version,
            "parameters": parameters.as_json(),
            "raw_reply": error.raw if isinstance(error, MalformedReply) else "",
        }
        raise UnusableReply(str(error), without_reply) from None
    provenance = provenance_of(endpoint, prompt.version, parameters, reply)
    if not reply.is_complete:
        ending = kept(reply.refusal or reply.finish_reason, 200)
        raise UnusableReply(f"the reply did not come to its end ({ending})", provenance)
    try:
        value = read_json(reply.text.strip())
    except StrictJsonError as error:
        raise UnusableReply(f"the reply {error}", provenance) from None
    if not isinstance(value, list):
        raise UnusableReply("the reply is JSON, but not an array", provenance)
    if length is not None and len(value) != length:
        raise UnusableReply(f"the reply has {len(value)} elements, not {length}", provenance)
    if not value:
        raise UnusableReply("the reply is an empty array", provenance)
    return value, provenance


def usable_text(value: Any, name: str) -> str:
    """The text without blanks around it. Raises UnusableText, which names it."""
    if not isinstance(value, str):
        raise UnusableText(f"{name} is not a text")
    text = value.strip()
    if not text:
        raise UnusableText(f"{name} is empty")
    if len(text) > MAX_TEXT:
        raise UnusableText(f"{name} has more than {MAX_TEXT:,} characters")
    if not is_clean(text):
        raise UnusableText(f"{name} holds control characters or halves of characters")
    return text


def usable_fields(value: Any, names: Sequence[str]) -> list[str]:
    """The texts of an object that has exactly these fields, in their order.

    Raises UnusableText.
    """
    if not isinstance(value, dict) or set(value) != set(names):
        raise UnusableText(f"is not an object with the fields {', '.join(names)} alone")
    return [usable_text(value[name], f"the {name}") for name in names]


class NearDuplicates:
    """Remembers questions as sets of tokens (tomahto.text.same_question).

    Two are near-duplicates if their sets' Jaccard similarity |A ∩ B| / |A ∪ B| is at least
    `threshold`. Only sets of similar size can be: that is how few are looked at.
    """

    def __init__(self, texts: Iterable[str] = (), *, threshold: float = THRESHOLD) -> None:
        self._threshold = threshold
        self._by_size: defaultdict[int, list[frozenset[str]]] = defaultdict(list)
        for text in texts:
            self.add(text)

    def add(self, text: str) -> bool:
        """Remember the text. False, and nothing is remembered, if it is a near-duplicate."""
        found = question_tokens(text)
        smallest = math.ceil(self._threshold * len(found))
        largest = math.floor(len(found) / self._threshold)
        if any(
            are_near(found, other, self._threshold)
            for size in range(smallest, largest + 1)
            for other in self._by_size.get(size, ())
        ):
            return False
        self._by_size[len(found)].append(found)
        return True
