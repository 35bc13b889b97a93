"""A language model at an endpoint answers, zero-shot, as in an exam (CAP §7.4, App. C.2)."""

import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from tomahto.answerers.interface import Answer, Failure, QuestionToAnswer, exam_prompt, exam_version
from tomahto.endpoint.chat import ChatEndpoint, Message, Parameters, chat_endpoint, provenance_of
from tomahto.endpoint.options import EndpointOptions
from tomahto.endpoint.reply import KEPT_CHARACTERS, Reply, RequestRefused, is_clean, kept

# what models say in place of an answer, where the endpoint has no other way to tell
_DECLINES: Final = re.compile(
    r"no answer\W*"
    r"|as an ai\b.*"
    r"|(?:i['’]?m|i am) (?:very )?sorry\b.*\b(?:can['’]?t|cannot|can not|unable|not able)\b.*"
    r"|(?:sorry, )?i (?:can['’]?t|cannot|am unable to|am not able to) (?:answer|assist|help)\b.*",
    re.IGNORECASE | re.DOTALL,
)
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
            f"{self.name}|url:{options.url}|model:{options.model}|prompt:{exam_version()}"
            f"|temperature:{options.temperature}|max_tokens:{options.max_tokens}"
        )

    def answer(self, questions: Sequence[QuestionToAnswer]) -> list[Answer | Failure]:
        """One answer or failure per question, in order. Several are asked at once.

        Raises EndpointRefused, and EndpointUnavailable once all retries have failed.
        """
        with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix=self.name) as threads:
            return list(threads.map(self._answer, questions))

    def _answer(self, question: QuestionToAnswer) -> Answer | Failure:
        prompt = exam_prompt(question)
        messages = [Message("user", prompt.text)]
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
            provenance=provenance_of(self.endpoint, prompt.version, self._parameters, reply),
        )


def _why_no_answer(reply: Reply) -> str:
    text = reply.text.strip()
    if reply.refusal:
        return f"the model declined: {kept(reply.refusal, _REASON_CHARACTERS)}"
    if not reply.is_complete:
        return f"the reply did not come to its end ({kept(reply.finish_reason, 60) or 'no reason'})"
    if not text:
        return "the reply is empty"
    if _DECLINES.fullmatch(text):
        return f"the model declined: {kept(text, _REASON_CHARACTERS)}"
    if len(text) > KEPT_CHARACTERS:
        return f"the reply has more than {KEPT_CHARACTERS:,} characters"
    if not is_clean(text):
        return "the reply holds control characters or halves of characters"
    return ""


def load_endpoint_answerer(name: str, options: EndpointOptions) -> EndpointAnswerer:
    """The answerer of that name. Raises EndpointRefused without a usable key."""
    return EndpointAnswerer(name, chat_endpoint(options))
