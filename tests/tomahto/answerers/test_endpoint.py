"""A model at an endpoint as an answerer: what it is asked, and what counts as an answer."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.chat_server import completion, endpoint, fails, says, says_of
from tests.http_server import Act, LocalServer, answers
from tests.injections import INJECTIONS
from tomahto.answerers.endpoint import EndpointAnswerer
from tomahto.answerers.interface import Answer, Failure, QuestionToAnswer, exam_prompt, exam_version
from tomahto.answerers.registry import AnswerersFileError, read_answerers
from tomahto.endpoint.reply import EndpointRefused, EndpointUnavailable

RHINE = QuestionToAnswer("q1", "Where does the Rhine rise?", "The Rhine rises in the Alps.")


def answerer(server: LocalServer, **changes: Any) -> EndpointAnswerer:
    return EndpointAnswerer("finch", endpoint(server, **changes))


def test_an_answer_says_how_it_came_about(server: LocalServer) -> None:
    server.script.append(says(" in the Alps\n"))
    finch = answerer(server)
    [answer] = finch.answer([RHINE])
    assert isinstance(answer, Answer)
    wording = exam_prompt(RHINE).version
    assert answer == Answer(
        "q1",
        "in the Alps",
        None,
        provenance={
            "endpoint": f"{server.url}/v1",
            "model": "finch-7b",
            "served_model": "finch-7b-2026",
            "prompt": wording,
            "parameters": {"max_tokens": 256, "temperature": 0.0},
            "prompt_tokens": 21,
            "completion_tokens": 4,
            "raw_reply": json.dumps(completion(" in the Alps\n")),
        },
    )
    assert finch.version == (
        f"finch|url:{server.url}/v1|model:finch-7b|prompt:{exam_version()}|temperature:0.0|max_tokens:256"
    )


def test_answers_come_in_the_order_of_the_questions(server: LocalServer) -> None:
    server.otherwise = says_of(
        lambda system, user: user.partition("Question: ")[2].partition("\n")[0]
    )
    asked = [QuestionToAnswer(f"q{n}", f"number {n}", "") for n in range(20)]
    found = answerer(server).answer(asked)
    assert [(answer.key, answer.text) for answer in found if isinstance(answer, Answer)] == [
        (f"q{n}", f"number {n}") for n in range(20)
    ]


FAILURES: dict[str, tuple[Act, str]] = {
    "refusal": (says(None, refusal="I cannot help."), "the model declined: I cannot help."),
    "cut": (says("in the", finish_reason="length"), "did not come to its end (length)"),
    "filtered": (says("", finish_reason="content_filter"), "its end (content_filter)"),
    "no reason": (says("x", finish_reason=None), "its end (no reason)"),
    "nothing": (says(None), "the reply is empty"),
    "blanks": (says(" \n "), "the reply is empty"),
    "no answer": (says("No answer."), "the model declined: No answer."),
    "sorry": (says("I'm sorry, but I can’t help with that."), "the model declined: I'm sorry"),
    "as an AI": (says("As an AI, I have no opinion."), "the model declined: As an AI"),
    "long": (says("x" * 20_001), "the reply has more than 20,000 characters"),
    "NUL": (says("in\x00the Alps"), "the reply holds control characters"),
    "escape": (says("\x1b[31min the Alps"), "the reply holds control characters"),
    "half a pair": (says("\ud800"), "the reply holds control characters or halves"),
    "no completion": (answers({"answer": "x"}), "not a chat completion"),
    "too long": (fails(400, "context length exceeded"), "answered 400: context length exceeded"),
}


@pytest.mark.parametrize(("act", "reason"), FAILURES.values(), ids=FAILURES)
def test_what_is_not_plainly_an_answer_is_a_failure_of_that_question(
    server: LocalServer, act: Act, reason: str
) -> None:
    other = QuestionToAnswer("q2", "And the Rhone?", "")
    plain = says("there")
    server.otherwise = lambda request: plain if "Rhone" in request.body.decode() else act
    failure, answer = answerer(server).answer([RHINE, other])
    assert isinstance(failure, Failure)
    assert failure.key == "q1"
    assert reason in failure.reason
    assert isinstance(answer, Answer)
    assert answer.text == "there"


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (fails(401), EndpointRefused),
        (fails(404), EndpointRefused),
        (fails(503), EndpointUnavailable),
    ],
)
def test_what_concerns_all_questions_is_raised(
    server: LocalServer, act: Act, error: type[Exception]
) -> None:
    server.otherwise = lambda _: act
    with pytest.raises(error):
        answerer(server).answer([RHINE] * 6)


def test_there_are_fifty_injections() -> None:
    assert len(set(INJECTIONS)) == 50


@pytest.mark.parametrize("text", INJECTIONS)
def test_an_injection_is_sent_as_material_and_comes_back_as_text(
    server: LocalServer, text: str
) -> None:
    """A model that obeys: whatever it says is a text with its provenance, or a failure."""
    server.otherwise = says_of(lambda system, user: text)
    [found] = answerer(server).answer([QuestionToAnswer("q1", text, text)])
    [received] = server.received
    [message] = received.json["messages"]
    assert message == {
        "role": "user",
        "content": exam_prompt(QuestionToAnswer("q1", text, text)).text,
    }
    assert sorted(received.json) == ["max_tokens", "messages", "model", "stream", "temperature"]
    assert isinstance(found, Answer)
    assert (found.key, found.text) == ("q1", text.strip())
    assert found.provenance["model"] == "finch-7b"


Read = Callable[[str], dict[str, Any]]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def read(content: str) -> dict[str, Any]:
        path = tmp_path / "answerers.toml"
        path.write_text(content)
        return dict(read_answerers(path, taken=()))

    return read


def test_a_table_of_the_file_makes_an_answerer(read: Read) -> None:
    loaders = read('[finch]\nkind = "endpoint"\nurl = "http://a.example/v1"\nmodel = "finch-7b"\n')
    finch = loaders["finch"]()
    assert (finch.name, finch.endpoint.options.model) == ("finch", "finch-7b")


def test_a_wrong_option_is_named_with_file_table_and_key(read: Read) -> None:
    with pytest.raises(AnswerersFileError, match=r"table \[finch\], key url: file: only http"):
        read('[finch]\nkind = "endpoint"\nurl = "file:///etc/passwd"\nmodel = "finch-7b"\n')
