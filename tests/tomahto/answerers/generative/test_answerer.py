import json
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.tomahto.tiny_models import save_tiny_gpt, save_tiny_reader, save_tiny_t5
from tomahto.answerers.generative import (
    GenerativeAnswerer,
    GenerativeOptions,
    TextGenerator,
    Written,
    load_generative,
    load_text_generator,
)
from tomahto.answerers.interface import Answer, Failure, QuestionToAnswer, exam_prompt
from tomahto.answerers.registry import read_answerers
from tomahto.pretrained.files import ModelFilesError

pytestmark = pytest.mark.models

CHAT = (
    "{% for message in messages %}[CLS]{{ message.role }} {{ message.content }}[SEP]{% endfor %}"
    "{% if add_generation_prompt %}[CLS]assistant{% endif %}"
)
SAVERS: Mapping[str, Callable[[Path], str]] = {
    "seq2seq": save_tiny_t5,
    "causal": save_tiny_gpt,
    "chat": lambda folder: save_tiny_gpt(folder, chat_template=CHAT),
}
QUESTIONS = [
    QuestionToAnswer("fox", "What jumped?", "The red fox jumped."),
    QuestionToAnswer("none", "Why?", ""),
    QuestionToAnswer("wolf", "Who speaks [SEP] without an end?", "The wolf " * 8),
]
LIMIT = 6
TAUGHT = {"fox": ["red", "fox", "[SEP]"], "none": ["[SEP]"], "wolf": ["wolf"] * LIMIT}


def teach(generator: TextGenerator) -> None:
    """Let the model write what TAUGHT says; it learns each prompt alone, without padding."""
    import torch

    model: Any = generator.model
    adam = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(60):
        for question in QUESTIONS:
            prompt = generator.encode(exam_prompt(question).text)
            wanted: Any = generator.tokenizer.convert_tokens_to_ids(TAUGHT[question.key])
            before = [] if model.config.is_encoder_decoder else prompt
            tokens = prompt if model.config.is_encoder_decoder else [*prompt, *wanted]
            labels = [*([-100] * len(before)), *wanted]
            adam.zero_grad()
            model(input_ids=torch.tensor([tokens]), labels=torch.tensor([labels])).loss.backward()
            adam.step()


@pytest.fixture(scope="module", params=SAVERS)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place: Path = tmp_path_factory.mktemp("models") / request.param
    SAVERS[request.param](place)
    generator = load_text_generator(place, max_new_tokens=LIMIT, batch_size=8)
    teach(generator)
    generator.model.save_pretrained(place)
    return place


@pytest.fixture(scope="module")
def answerer(folder: Path) -> GenerativeAnswerer:
    return load_generative("writer", GenerativeOptions(str(folder), max_new_tokens=LIMIT))


def test_a_model_answers_with_what_it_has_learned_and_bad_output_fails(
    answerer: GenerativeAnswerer,
) -> None:
    fox, none, wolf = answerer.answer(QUESTIONS)
    assert isinstance(fox, Answer)
    assert fox == Answer("fox", "red fox", None, provenance=fox.provenance)
    assert none == Failure("none", "the model wrote nothing")
    assert wolf == Failure("wolf", "the answer did not end within 6 tokens")
    assert fox.provenance == {
        "model": answerer.version.split("|model:")[1].removesuffix("|v1"),
        "prompt": exam_prompt(QUESTIONS[0]).version,
        "parameters": {"decoding": "greedy", "max_new_tokens": LIMIT},
        "reply": "red fox",
    }
    assert json.loads(json.dumps(fox.provenance)) == fox.provenance


def test_answers_do_not_depend_on_the_batch(folder: Path, answerer: GenerativeAnswerer) -> None:
    options = GenerativeOptions(str(folder), max_new_tokens=LIMIT, batch_size=1)
    alone = load_generative("writer", options)
    assert alone.answer(QUESTIONS) == answerer.answer(QUESTIONS)
    assert alone.version == answerer.version
    assert answerer.answer(QUESTIONS[::-1]) == answerer.answer(QUESTIONS)[::-1]
    assert answerer.answer([]) == []


def test_a_folder_that_asks_for_chance_gets_none(
    folder: Path, answerer: GenerativeAnswerer, tmp_path: Path
) -> None:
    shutil.copytree(folder, tmp_path / "chance")
    path = tmp_path / "chance" / "generation_config.json"
    asked = {"do_sample": True, "temperature": 50.0, "repetition_penalty": 9.0, "num_beams": 3}
    path.write_text(json.dumps({**json.loads(path.read_text()), **asked}))
    options = GenerativeOptions(str(tmp_path / "chance"), max_new_tokens=LIMIT)
    other = load_generative("writer", options)
    assert [a.key for a in other.answer(QUESTIONS)] == ["fox", "none", "wolf"]
    texts = [a.text if isinstance(a, Answer) else a.reason for a in other.answer(QUESTIONS)]
    assert texts == ["red fox", "the model wrote nothing", "the answer did not end within 6 tokens"]
    assert other.version != answerer.version


@pytest.mark.parametrize("folder", ["causal", "chat"], indirect=True)
def test_a_prompt_that_the_model_cannot_read_fails_alone(answerer: GenerativeAnswerer) -> None:
    long = QuestionToAnswer("long", "What jumped?", "fox " * 300)
    failed, fox = answerer.answer([long, QUESTIONS[0]])
    assert isinstance(failed, Failure)
    assert failed.key == "long"
    assert failed.reason.endswith("tokens, too many for the model")
    assert isinstance(fox, Answer)


@pytest.mark.parametrize("folder", ["chat"], indirect=True)
def test_a_chat_is_asked_as_its_template_says_and_markers_in_it_are_text(
    answerer: GenerativeAnswerer,
) -> None:
    generator = answerer._generator
    tokens = generator.tokenizer.convert_ids_to_tokens(generator.encode("the red [SEP] fox"))
    assert [token for token in tokens if token in {"[CLS]", "[SEP]"}] == ["[CLS]", "[SEP]", "[CLS]"]
    assert tokens[0] == "[CLS]"
    assert tokens[-1] == generator.tokenizer.tokenize("assistant")[-1]


class Scripted(TextGenerator):
    """A generator that writes what it is told to, whatever it is asked."""

    def __init__(self, written: Written, *, is_chat: bool) -> None:
        self.is_chat = is_chat
        self._written = written

    def encode(self, prompt: str) -> list[int]:
        return [len(prompt)]

    def fits(self, tokens: Sequence[int]) -> bool:
        return True

    def write(self, prompts: Sequence[Sequence[int]]) -> list[Written]:
        return [self._written for _ in prompts]


@pytest.mark.parametrize(
    ("is_chat", "is_complete", "outcome"),
    [
        (False, False, "red"),  # the line has ended, whatever comes behind it
        (False, True, "red"),
        (True, True, "red\nfox"),
        (True, False, "the answer did not end within 6 tokens"),
    ],
)
def test_of_a_model_without_a_chat_template_the_first_line_counts(
    is_chat: bool, is_complete: bool, outcome: str
) -> None:
    generator = Scripted(Written(" red\nfox ", is_complete), is_chat=is_chat)
    options = GenerativeOptions("somewhere", max_new_tokens=LIMIT)
    answerer = GenerativeAnswerer("writer", generator, options, digest="0")
    [answer] = answerer.answer(QUESTIONS[:1])
    assert (answer.text if isinstance(answer, Answer) else answer.reason) == outcome


def test_a_version_names_what_decides_the_answers(folder: Path) -> None:
    options = GenerativeOptions(str(folder), max_new_tokens=LIMIT)
    version = load_generative("writer", options).version
    assert version.startswith("writer|generative|greedy|tokens:6|prompt:exam-passage-1:")
    assert load_generative("writer", replace(options, max_new_tokens=5)).version != version


def test_a_model_that_writes_nothing_is_refused(tmp_path: Path) -> None:
    location = save_tiny_reader(tmp_path / "reader")
    with pytest.raises(ModelFilesError, match="is not trained for this, it lacks cls"):
        load_generative("writer", GenerativeOptions(location))


def test_a_table_of_the_file_makes_one(tmp_path: Path) -> None:
    location = save_tiny_t5(tmp_path / "t5")
    file = tmp_path / "answerers.toml"
    file.write_text(f'[t5]\nkind = "generative"\nmodel = "{location}"\nmax_new_tokens = 4\n')
    answerer = read_answerers(file, taken=())["t5"]()
    assert (answerer.name, "|tokens:4|" in answerer.version) == ("t5", True)
