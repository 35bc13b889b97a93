"""A language model at an endpoint answers, zero-shot, as in an exam (CAP §7.4, App. C.2)."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from inference.answerers.interface import Answer, Answerer, Failure, QuestionToAnswer
from inference.endpoint.chat import ChatEndpoint, Parameters
from inference.endpoint.configuration import chat_endpoint
from inference.endpoint.errors import RequestRefused
from inference.endpoint.options import endpoint_options
from inference.endpoint.prompt import read_prompt
from inference.endpoint.provenance import provenance_of
from inference.endpoint.reply import Reply
from inference.endpoint.text import KEPT_CHARACTERS, is_clean, kept

EXAM: Final = read_prompt(Path(__file__).parent / "prompts" / "exam.toml")
"""The one instruction for every model."""

_DECLINES: Final = "no answer"
_AT_ONCE: Final = 4
_REASON_CHARACTERS: Final = 300


class EndpointAnswerer:
    """Asks the same of every model and takes what it says as the answer, word for word.

    What is not plainly an answer (a refusal, a reply that was cut off, control characters, an
    overlong text, no completion at all) is a failure of that question. The text itself is never
    acted upon: it is a candidate that people judge. There is no score: models do not say how sure
    they are.
    """

    def __init__(self, name: str, endpoint: ChatEndpoint) -> None:
        self.name = name
        self.endpoint = endpoint
        self._parameters = Parameters(
            max_tokens=endpoint.options.max_tokens, temperature=endpoint.options.temperature
        )

    @property
    def version(self) -> str:
        options = self.endpoint.options
        return (
            f"{self.name}|url:{options.url}|model:{options.model}|prompt:{EXAM.version}"
            f"|temperature:{options.temperature}|max_tokens:{options.max_tokens}"
        )

    def answer(self, questions: Sequence[QuestionToAnswer]) -> list[Answer | Failure]:
        """One answer or failure per question, in order. Several are asked at once.

        Raises EndpointRefused, and EndpointUnavailable once all retries have failed.
        """
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix=self.name) as threads:
            return list(threads.map(self._answer, questions))

    def _answer(self, question: QuestionToAnswer) -> Answer | Failure:
        passage = f"\nPassage:\n{question.context}" if question.context.strip() else ""
        messages = EXAM.messages({"question": question.question, "passage": passage})
        try:
            reply = self.endpoint.complete(messages, self._parameters)
        except RequestRefused as error:
            return Failure(question.key, str(error))
        if reason := _why_no_answer(reply):
            return Failure(question.key, reason)
        return Answer(
            question.key,
            reply.text.strip(),
            None,
            provenance=provenance_of(self.endpoint, EXAM, self._parameters, reply),
        )


def _why_no_answer(reply: Reply) -> str:
    text = reply.text.strip()
    if reply.refusal:
        return f"the model declined: {kept(reply.refusal, _REASON_CHARACTERS)}"
    if not reply.is_complete:
        return f"the reply did not come to its end ({kept(reply.finish_reason, 60) or 'no reason'})"
    if not text:
        return "the reply is empty"
    if text.strip(" .!\"'*").lower() == _DECLINES:
        return "the model has no answer"
    if len(text) > KEPT_CHARACTERS:
        return f"the reply has more than {KEPT_CHARACTERS:,} characters"
    if not is_clean(text):
        return "the reply holds control characters or halves of characters"
    return ""


def endpoint_kind(name: str, values: Mapping[str, Any]) -> Callable[[], Answerer]:
    """What loads the answerer of that name. Raises OptionError."""
    options = endpoint_options(values)

    def load() -> Answerer:
        return EndpointAnswerer(name, chat_endpoint(options))

    return load
