"""Stand-ins for a language model at an endpoint, so that examples generate without one.

The endpoint speaks as much of OpenAI's chat completions as Tomahto asks for; its replies are up to
a function of the system's and the user's message. For classes of answers it writes patched
references, for statements sentences of made-up words, for rules patterns filled with made-up names:
now and then a pair of the other verdict than it was asked for, so that there is something to
verify. The texts have the form of what a model writes, not its sense.
"""

import json
import random
import re
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any, NamedTuple

from examples.checkout import Tomahto

MODEL = "stand-in"
Reply = Callable[[str, str], str]


@contextmanager
def stand_in(reply: Reply) -> Iterator[str]:
    """The address of the endpoint on a free port of this machine, which is closed afterwards."""

    class Endpoint(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            system, user = (message["content"] for message in asked["messages"])
            body = json.dumps(_completion(reply(system, user))).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Endpoint) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def writer(
    tomahto: Tomahto, name: str, options: Namespace, reply: Reply, *, per_minute: int | None
) -> Iterator[None]:
    """The endpoint of the options, or else a stand-in, is known under this name while it lasts."""
    if options.endpoint:
        given = (options.endpoint, options.model, options.key_variable)
        tomahto.name_endpoint(name, *given, per_minute)
        yield
        return
    with stand_in(reply) as url:
        tomahto.name_endpoint(name, url, MODEL, None, per_minute)
        yield


def _completion(text: str) -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    return {
        "id": "stand-in",
        "object": "chat.completion",
        "created": 0,
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
    }


_SYLLABLES = ("ba", "den", "fi", "gor", "ka", "lum", "mi", "nel", "po", "ras", "su", "tir", "vo")


def reply(system: str, user: str, seed: int) -> str:
    """What the model writes: a JSON array of answers, or of statements."""
    label = _first_group(r"^Class: (.+)$", system)
    if label:
        return json.dumps([written(label, item["reference"], seed) for item in json.loads(user)])
    subject, kind, series = (
        _first_group(f"^{name}: (.+)$", user) for name in ("Subject", "Type of question", "series")
    )
    wanted = int(_first_group(r"Write (\d+) triples", user) or 1)
    draw = random.Random(f"{seed} {subject} {kind} {series} {user}")  # noqa: S311 - no secret
    return json.dumps([_triple(kind, draw) for _ in range(wanted)])


def written(label: str, reference: str, seed: int) -> str:
    """An answer of the class, made from the reference alone."""
    draw = random.Random(f"{seed} {label} {reference}")  # noqa: S311 - as above
    text, words = reference.rstrip("."), reference.rstrip(".").split()
    other = " ".join(_word(draw) for _ in range(4))
    match label:
        case "exact":
            return reference
        case "equivalent":
            return f"In short: {text}."
        case "alternative-correct":
            return f"Also right: {' '.join(words[:1])} {other}."
        case "overinclusive-valid":
            return f"{text}, as many a textbook explains at length."
        case "partial":
            return f"{' '.join(words[: (len(words) + 1) // 2])}."
        case "overinclusive-invalid":
            return f"{text}, but falsely also {other}."
        case "contradictory":
            return f"On the contrary, never: {' '.join(words[:2])}."
    return f"{other.capitalize()}."


def _triple(kind: str, draw: random.Random) -> dict[str, str]:
    """A question of the type, its answer, and the statement of both; now and then a poor one."""
    thing, place, answer = (_word(draw) for _ in range(3))
    adjective = _word(draw)
    questions = {
        "short-question": f"What keeps the {thing} of {place} {adjective}?",
        "sentence-to-complete": f"The {thing} of {place} is kept {adjective} by",
        "long-question": f"In {place} there is a {thing}. It has been {adjective} for as long as"
        " anybody can say. What keeps it so?",
        "blank-spaces-task": f"The {thing} of {place} is kept {adjective} by _____.",
    }
    statement = f"The {thing} of {place} is kept {adjective} by the {answer}."
    if draw.random() < 0.1:
        statement = f"The {thing} {place} {answer}."  # words are missing
    return {"question": questions[kind], "answer": f"the {answer}", "statement": statement}


def _word(draw: random.Random) -> str:
    return "".join(draw.choice(_SYLLABLES) for _ in range(3))


SLIPS = 0.12  # share of pairs that are of the other verdict
ERRORS = 0.05  # share of wrong second verdicts

# question, reference, a correct candidate, an incorrect one
_PATTERNS = {
    "another name of the same entity": (
        "Which society was founded in {a}?", "the {b} Society", "the Society of {b}",
        "the Society of {c}",
    ),
    "numbers, dates and units": (
        "How long is the river {a}, to the kilometre?", "{n} kilometres", "{n},000 metres",
        "more than {m} kilometres",
    ),
    "fewer details": (
        "Who built the bridge of {a}?", "the engineer {b} {c}", "{b} {c}", "the engineer",
    ),
    "more details": (
        "What is the capital of {a}?", "{b}", "{b}, a town by the sea", "{b} and {c}",
    ),
    "meaning, not words": (
        "Why did {a} lose its mill, the pride of {b}?", "the water rose in {c}",
        "because of a flood in {c}", "the water fell in {c}",
    ),
    "beside the point or false": (
        "Who wrote the song of {a}?", "{b} {c}", "{c}, whose first name is {b}",
        "songs are sung in {c}",
    ),
    "another right answer": (
        "Name a village by the lake of {a}.", "{b}", "{c}, on the lake's other shore",
        "the river {c}",
    ),
}  # fmt: skip


class Truth(NamedTuple):
    """What a pair is, whatever the model says of it. `rule` is the title that the prompt has."""

    rule: str
    label: str


class RuleWriter:
    """A model that remembers what it wrote; `truths` are by question. Equal seeds and requests make
    equal texts."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.truths: dict[str, Truth] = {}

    def __call__(self, system: str, user: str) -> str:
        """The reply, a JSON array of pairs or of verdicts."""
        if system.startswith("You judge"):
            return json.dumps([self._verdict(item["question"]) for item in json.loads(user)])
        rule, label = (
            _first_group(r"^Rule: (.+)$", system),
            _first_group(r"the candidate is (\w+)$", system),
        )
        draw = random.Random(f"{self._seed} {rule} {label} {user}")  # noqa: S311 - no secret
        count = int(_first_group(r"^Write (\d+)", user))
        return json.dumps([self._pair(rule, label, draw) for _ in range(count)])

    def _pair(self, rule: str, label: str, draw: random.Random) -> dict[str, str]:
        if draw.random() < SLIPS:
            label = "incorrect" if label == "correct" else "correct"
        low = draw.randint(20, 400)
        names = {name: _word(draw).capitalize() for name in "abc"} | {"n": low * 3, "m": low * 2}
        question, reference, right, wrong = (text.format(**names) for text in _PATTERNS[rule])
        self.truths[question] = Truth(rule, label)
        candidate = right if label == "correct" else wrong
        return {"question": question, "reference": reference, "candidate": candidate}

    def _verdict(self, question: str) -> str:
        label = self.truths[question].label
        draw = random.Random(f"{self._seed} {question}")  # noqa: S311 - as above
        if draw.random() < ERRORS:
            return "incorrect" if label == "correct" else "correct"
        return label


def _first_group(pattern: str, text: str) -> str:
    """Of the first line that fits; "" if none does."""
    found = re.search(pattern, text, re.MULTILINE)
    return found[1].strip() if found else ""
