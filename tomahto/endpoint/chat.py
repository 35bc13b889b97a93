"""Asking a model over HTTP: any endpoint that speaks OpenAI's `/v1/chat/completions`.

The site hands keys and the cache's folder over once, when it starts; nothing here reads the
environment.
"""

import json
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from email.utils import parsedate_to_datetime
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final, Literal

from tomahto.endpoint.options import ApiKey, EndpointOptions
from tomahto.endpoint.reply import (
    EndpointRefused,
    EndpointUnavailable,
    MalformedReply,
    Reply,
    ReplyCache,
    RequestRefused,
    StrictJsonError,
    kept,
    read_json,
    read_reply,
)
from tomahto.outgoing.configuration import outgoing_client
from tomahto.outgoing.destination import AnswerTooLarge, OutgoingError
from tomahto.outgoing.messages import MEBIBYTE, Clock, Limits, Request, Response, SystemClock

if TYPE_CHECKING:
    from tomahto.outgoing.client import OutgoingClient


_MINUTE: Final = 60.0


class RequestRate:
    """Lets at most `per_minute` requests begin in any 60 seconds. Threads share one of these."""

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._clock = clock
        self._lock = Lock()
        self._begun: deque[float] = deque(maxlen=per_minute)

    def wait_turn(self) -> None:
        """Return when the next request may begin. Turns are given in the order they are asked."""
        with self._lock:
            now = self._clock.now()
            is_full = len(self._begun) == self._begun.maxlen
            turn = max(now, self._begun[0] + _MINUTE) if is_full else now
            self._begun.append(turn)
        if turn > now:
            self._clock.wait(turn - now)


LONGEST_WAIT: Final = 300.0
"""Seconds. Whoever asks to wait longer is asked again by the next attempt of the job."""

_FIRST_PAUSE: Final = 1.0
_LONGEST_PAUSE: Final = 60.0
_MESSAGE_CHARACTERS: Final = 300
_LONGEST_ERROR: Final = 64 * 1024
_REFUSES_THIS_REQUEST: Final = frozenset({400, 413, 422})
_MAY_PASS: Final = frozenset({408, 409, 425, 429})


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of the conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Parameters:
    """The parameters of the model's writing. None: the endpoint's own default."""

    max_tokens: int
    temperature: float
    top_p: float | None = None

    def as_json(self) -> dict[str, Any]:
        return {key: value for key, value in asdict(self).items() if value is not None}


class ChatEndpoint:
    """One model at one endpoint. Threads may share it, and its limit of requests per minute."""

    def __init__(
        self,
        options: EndpointOptions,
        *,
        client: "OutgoingClient",
        key: ApiKey | None = None,
        cache: ReplyCache | None = None,
        clock: Clock | None = None,
    ) -> None:
        self.options = options
        self._client = client
        self._key = key
        self._cache = cache
        self._clock = clock or SystemClock()
        self._rate = RequestRate(options.requests_per_minute, self._clock)

    def __repr__(self) -> str:
        return f"<ChatEndpoint {self.options.model!r} at {self.options.url}>"

    def complete(
        self, messages: Sequence[Message], parameters: Parameters, *, draw: int = 0
    ) -> Reply:
        """The model's reply; from the cache if the same was asked before.

        `draw` tells several replies to the same messages apart, where the temperature makes them
        differ. Raises EndpointRefused, RequestRefused (MalformedReply), and EndpointUnavailable
        once all retries have failed.
        """
        payload = {
            "model": self.options.model,
            "messages": [asdict(message) for message in messages],
            "stream": False,
            **parameters.as_json(),
        }
        request = {"url": self.options.completions_url, "draw": draw, "payload": payload}
        if self._cache and (known := self._cache.get(request)):
            return known
        body = self._body_of_reply(json.dumps(payload).encode())
        reply = read_reply(body)
        if self._without_key(reply.text) != reply.text:
            raise MalformedReply("the reply contains the endpoint's key")
        if self._cache:
            self._cache.put(request, body)
        return reply

    def _body_of_reply(self, payload: bytes) -> str:
        for attempt in range(self.options.retries + 1):
            self._rate.wait_turn()
            try:
                return self._ask(payload)
            except EndpointUnavailable as error:
                pause = error.retry_after
                if pause is None:  # 1, 2, 4 … seconds, at most a minute
                    pause = min(_FIRST_PAUSE * 2.0**attempt, _LONGEST_PAUSE)
                if attempt == self.options.retries or pause > LONGEST_WAIT:
                    raise
                self._clock.wait(pause)
        raise AssertionError("the last attempt returns or raises")

    def _ask(self, payload: bytes) -> str:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if self._key:
            headers["Authorization"] = f"Bearer {self._key.value}"
        try:
            request = Request("POST", self.options.completions_url, headers, payload)
            response = self._client.send(request, self._limits)
        except AnswerTooLarge as error:
            raise MalformedReply(str(error)) from error
        except OutgoingError as error:
            refusal = EndpointUnavailable if error.may_pass else EndpointRefused
            raise refusal(str(error)) from error
        if response.status != 200:
            raise self._refusal(response)
        return self._text_of(response)

    def _text_of(self, response: Response) -> str:
        try:
            text = response.body.decode()
        except UnicodeDecodeError:
            raise MalformedReply("the reply is not in UTF-8") from None
        text = self._without_key(text)
        kind = response.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise MalformedReply(f"the reply is {kept(kind, 60) or 'of no type'}, not JSON", text)
        return text

    @property
    def _limits(self) -> Limits:
        seconds = self.options.timeout_seconds
        return Limits(
            connect_seconds=min(10.0, seconds),
            read_seconds=seconds,
            total_seconds=seconds,
            answer_bytes=MEBIBYTE,
        )

    def _refusal(self, response: Response) -> Exception:
        status = response.status
        said = self._without_key(_error_message(response.body))
        message = f"{self.options.url} answered {status}{f': {said}' if said else ''}"
        if status in _MAY_PASS or status >= 500:
            return EndpointUnavailable(message, self._retry_after(response.headers))
        if status in _REFUSES_THIS_REQUEST:
            return RequestRefused(message)
        return EndpointRefused(message)

    def _without_key(self, text: str) -> str:
        """A server may repeat what it was sent, in errors mostly."""
        return self._key.hidden_in(text) if self._key else text

    def _retry_after(self, headers: Mapping[str, str]) -> float | None:
        """Seconds from a number of seconds or a date (RFC 9110, §10.2.3); None if it is neither."""
        value = headers.get("retry-after", "").strip()
        if value.isascii() and value.isdigit():
            return float(value)
        try:
            moment = parsedate_to_datetime(value).timestamp()
        except (ValueError, OverflowError):
            return None
        return max(0.0, moment - self._clock.wall())


def _error_message(body: bytes) -> str:
    """The message of an error as OpenAI writes it, or else the beginning of the body; one line."""
    said: Any = body[:_LONGEST_ERROR].decode("utf-8", "replace")
    with suppress(StrictJsonError):
        value = read_json(said)
        error = value.get("error", said) if isinstance(value, dict) else said
        said = error.get("message", said) if isinstance(error, dict) else error
    return kept(" ".join(str(said).split()), _MESSAGE_CHARACTERS)


def provenance_of(
    endpoint: ChatEndpoint, prompt_version: str, parameters: Parameters, reply: Reply
) -> dict[str, Any]:
    """JSON values only. `prompt_version` names the wording and its hash.

    The raw reply is shortened and free of what no database stores.
    """
    return {
        "endpoint": endpoint.options.url,
        "model": endpoint.options.model,
        "served_model": kept(reply.model, 200),
        "prompt": prompt_version,
        "parameters": parameters.as_json(),
        "prompt_tokens": reply.prompt_tokens,
        "completion_tokens": reply.completion_tokens,
        "raw_reply": kept(reply.body),
    }


_keys: dict[str, str] = {}
_caches: list[ReplyCache] = []


def configure_endpoints(*, keys: Mapping[str, str], cache_folder: Path | None) -> None:
    """Replace what is known. `keys` by the name of the variable; without a folder nothing is
    kept. To be called before an endpoint is asked for."""
    _keys.clear()
    _keys.update(keys)
    _caches[:] = [ReplyCache(cache_folder)] if cache_folder else []


def chat_endpoint(options: EndpointOptions) -> ChatEndpoint:
    """Ready to be asked. Raises EndpointRefused, naming the variable, without a usable key."""
    return ChatEndpoint(
        options,
        client=outgoing_client(),
        key=_key(options.key_variable) if options.key_variable else None,
        cache=_caches[0] if _caches else None,
    )


def _key(variable: str) -> ApiKey:
    if variable not in _keys:
        raise EndpointRefused(f"{variable} is not set; it holds the endpoint's key")
    try:
        return ApiKey(_keys[variable].strip())
    except ValueError as error:
        raise EndpointRefused(f"{variable} {error}") from None
