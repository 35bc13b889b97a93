from dataclasses import replace
from pathlib import Path

import pytest

from tests.tomahto.answerers.extractive.planted import SMALL, planted_questions
from tests.tomahto.tiny_models import save_tiny_encoder, save_tiny_reader
from tomahto.answerers.extractive.reader import SpanReader, load_span_reader
from tomahto.answerers.extractive.training import (
    LabelledQuestion,
    SpanTrainingOptions,
    fit_reader,
    training_windows,
    untrained_reader,
)
from tomahto.options import OptionError

pytestmark = pytest.mark.models

CONTEXT = "the red fox jumped. " * 8 + "Élan met Ada; 😀 Ada left. " + "the red fox jumped. " * 8
QUESTION = LabelledQuestion("q", "who left?", CONTEXT, ("Ada",), (CONTEXT.index("Ada left"),))


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> SpanReader:
    folder = tmp_path_factory.mktemp("models") / "reader"
    save_tiny_reader(folder)
    return load_span_reader(folder, max_length=32, stride=12, batch_size=8)


def test_windows_are_marked_where_the_answer_is_whole_and_else_at_no_answer(
    reader: SpanReader,
) -> None:
    place = QUESTION.place()
    assert place is not None
    found = training_windows(reader, [QUESTION])
    windows = reader.windows(QUESTION.question, CONTEXT)
    assert (found.without_place, found.too_long, len(found.windows)) == (0, 0, len(windows))
    texts = []
    for window, marked in zip(windows, found.windows, strict=True):
        assert marked.encoded == window.encoded
        if (marked.first, marked.last) == (0, 0):
            assert not (window.offsets[0][0] <= place[0] and window.offsets[-1][1] >= place[1])
            continue
        first, last = marked.first - window.first, marked.last - window.first
        assert (window.offsets[first][0], window.offsets[last][1]) == place
        texts.append(CONTEXT[place[0] : place[1]])
    assert texts
    assert set(texts) == {"Ada"}


def test_an_answer_of_several_tokens_is_marked_from_its_first_to_its_last(
    reader: SpanReader,
) -> None:
    question = replace(QUESTION, context="red Élan 😀 met", references=("Élan 😀",), starts=(4,))
    [marked] = training_windows(reader, [question]).windows
    tokens = reader.tokenizer.convert_ids_to_tokens(list(marked.encoded.tokens))
    assert tokens[marked.first : marked.last + 1] == ["e", "##l", "##a", "##n", "[UNK]"]


def test_questions_without_an_answer_teach_that_there_is_none(reader: SpanReader) -> None:
    question = replace(QUESTION, references=(), starts=())
    found = training_windows(reader, [question]).windows
    assert {(marked.first, marked.last) for marked in found} == {(0, 0)}


def test_questions_that_cannot_be_trained_on_are_counted(reader: SpanReader) -> None:
    elsewhere = replace(QUESTION, references=("Bob",), starts=(None,))
    long = replace(QUESTION, question="who " * 40)
    found = training_windows(reader, [elsewhere, long, elsewhere])
    assert (found.windows, found.without_place, found.too_long) == ((), 2, 1)
    with pytest.raises(ValueError, match="no question to train on"):
        fit_reader(reader, found.windows, SMALL.training)


def test_training_learns_and_the_same_seed_gives_the_same_weights(tmp_path: Path) -> None:
    import torch

    save_tiny_encoder(tmp_path / "base")
    options = replace(SMALL.training, epochs=25)
    losses, weights = [], []
    for seed in (0, 0, 1):
        seeded = replace(options, seed=seed)
        reader = untrained_reader(tmp_path / "base", seeded)
        windows = training_windows(reader, planted_questions(24)).windows
        losses.append(fit_reader(reader, windows, seeded))
        weights.append(torch.cat([p.flatten() for p in reader.model.parameters()]))
    assert losses[0] == losses[1] != losses[2]
    assert torch.equal(weights[0], weights[1])
    assert losses[0][-1] < 0.75 * losses[0][0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"epochs": 0}, "epochs: must be at least 1, not 0"),
        ({"stride": 64}, "stride: must be less than max_length, 64"),
    ],
)
def test_options_that_mean_nothing_are_refused(changes: dict[str, int], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        SpanTrainingOptions(**{"max_length": 64, "stride": 16, **changes})
