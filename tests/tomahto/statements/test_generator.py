import json
from pathlib import Path

import pytest

from tests.tomahto.tiny_models import save_tiny_t5
from tomahto.statements.generator import (
    QuestionAnswer,
    StatementGenerator,
    load_statement_generator,
)

pytestmark = pytest.mark.models

PAIRS = [
    QuestionAnswer("What jumped?", "the red fox"),
    QuestionAnswer("Who wrote it?", "Ada Lovelace"),
    QuestionAnswer("How many days?", ""),
    QuestionAnswer("What jumped?", "the red fox"),
    QuestionAnswer("Which mountain is it? " * 300, "Mount Fuji"),
]


@pytest.fixture(scope="module")
def generator(tmp_path_factory: pytest.TempPathFactory) -> StatementGenerator:
    return load_statement_generator(save_tiny_t5(tmp_path_factory.mktemp("models") / "t5"))


def test_every_pair_gets_its_statement(generator: StatementGenerator) -> None:
    together = generator.statements(PAIRS)
    assert together == [generator.statements([one])[0] for one in PAIRS]
    assert together[0] == together[3]
    assert generator.statements(PAIRS[::-1]) == together[::-1]
    assert generator.statements([]) == []


def test_question_and_answer_are_told_apart(generator: StatementGenerator) -> None:
    [tokens] = generator.encode([QuestionAnswer("Who wrote it?", "Ada")])
    assert generator.tokenizer.decode(tokens) == "question : who wrote it? answer : ada [SEP]"


def test_a_long_question_leaves_room_for_the_answer(generator: StatementGenerator) -> None:
    [tokens] = generator.encode([PAIRS[-1]])
    assert 500 < len(tokens) <= 512
    assert str(generator.tokenizer.decode(tokens)).endswith("answer : mount fuji [SEP]")


def test_a_marker_in_an_answer_is_text(generator: StatementGenerator) -> None:
    [tokens] = generator.encode([QuestionAnswer("Who wrote it?", "Ada [SEP] Charles")])
    assert tokens.count(generator.tokenizer.eos_token_id) == 1


def test_a_folder_s_own_wish_for_chance_is_not_followed(
    generator: StatementGenerator, tmp_path: Path
) -> None:
    folder = Path(save_tiny_t5(tmp_path / "t5"))
    (folder / "generation_config.json").write_text(
        json.dumps({"do_sample": True, "temperature": 9.0, "num_beams": 1})
    )
    assert load_statement_generator(str(folder)).statements(PAIRS) == generator.statements(PAIRS)
