import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from tests.tomahto.matching.examples import EXAMPLES, examples_of
from tests.tomahto.tiny_models import save_tiny_encoder
from tomahto.matching.bem.matcher import load_bem
from tomahto.matching.bem.training import (
    BemTrainingOptions,
    Optimiser,
    middle_threshold,
    optimiser_of,
    train_bem,
    untrained_classifier,
)
from tomahto.pretrained.files import digest_folder

OPTIONS = BemTrainingOptions(epochs=12, batch_size=4, learning_rate=0.003, seed=3)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> str:
    return save_tiny_encoder(tmp_path_factory.mktemp("models") / "tiny-bert")


TRAIN = examples_of(EXAMPLES)


@pytest.mark.models
def test_training_lowers_the_loss_and_is_reproducible(base: str, tmp_path: Path) -> None:
    lines: list[str] = []
    one = train_bem(TRAIN, tmp_path / "one", base=base, options=OPTIONS, progress=lines.append)
    other = train_bem(TRAIN, tmp_path / "other", base=base, options=OPTIONS)
    assert one == other
    assert digest_folder(tmp_path / "one") == digest_folder(tmp_path / "other")
    assert one.fit.epochs[-1].loss < one.fit.epochs[0].loss
    assert one.fit.best_epoch == 12
    assert [line.split(":")[0] for line in lines] == [
        f"epoch {n}, step 3 of 3" for n in range(1, 13)
    ]

    another = replace(OPTIONS, seed=4)
    assert train_bem(TRAIN, tmp_path / "seed", base=base, options=another).version != one.version


@pytest.mark.models
def test_a_trained_model_is_served_with_its_threshold_and_card(base: str, tmp_path: Path) -> None:
    out = tmp_path / "bem"
    options = replace(OPTIONS, variant="answers", symmetrised=True)
    report = train_bem(TRAIN, out, base=base, options=options)
    bem = load_bem(str(out))
    assert (bem.version, bem.threshold) == (report.version, report.threshold)
    assert bem.version.startswith("bem|in:candidate-reference|symmetrised|thr:")
    labels = [score >= bem.threshold for score in bem.score([e.pair for e in EXAMPLES])]
    right = sum(label == e.correct for label, e in zip(labels, EXAMPLES, strict=True))
    assert report.accuracy_tuned.value == right / len(EXAMPLES) >= report.accuracy.value
    assert report.tuned_on == "train"
    card = json.loads((out / "card.json").read_text())
    assert set(card.pop("libraries")) == {"torch", "transformers", "tokenizers"}
    assert card == {
        "matcher": "bem",
        "options": {
            "variant": "answers",
            "symmetrised": True,
            "threshold": report.threshold,
            "int8": False,
        },
        "base": {"model": "tiny-bert", "digest": digest_folder(Path(base))},
        "training": json.loads(json.dumps(asdict(report))),
        "data": {"train": {"file": "examples"}},
    }
    assert sorted(path.suffix for path in out.iterdir()) == [".json"] * 4 + [".safetensors"]


@pytest.mark.models
def test_the_best_epoch_on_dev_is_kept(base: str, tmp_path: Path) -> None:
    """Dev labels are the opposite of what is learned, so the first epoch is the best."""
    upside_down = [replace(example, correct=not example.correct) for example in EXAMPLES]
    dev = examples_of(upside_down)
    report = train_bem(TRAIN, tmp_path / "kept", base=base, dev=dev, options=OPTIONS)
    qualities = [(e.dev.accuracy, -e.dev.log_loss) for e in report.fit.epochs if e.dev]
    assert len(qualities) == 12
    assert qualities.index(max(qualities)) == report.fit.best_epoch - 1
    assert report.fit.best_epoch < 12
    # what is kept is what a training of so many epochs ends with
    shorter = replace(OPTIONS, epochs=report.fit.best_epoch)
    train_bem(TRAIN, tmp_path / "shorter", base=base, options=shorter)
    assert digest_folder(tmp_path / "kept") == digest_folder(tmp_path / "shorter")
    assert (report.tuned_on, report.dev_examples) == ("dev", 12)


@pytest.mark.models
def test_the_last_epoch_is_kept_where_it_is_the_best(base: str, tmp_path: Path) -> None:
    report = train_bem(TRAIN, tmp_path / "a", base=base, dev=TRAIN, options=OPTIONS)
    qualities = [(e.dev.accuracy, -e.dev.log_loss) for e in report.fit.epochs if e.dev]
    assert max(qualities) == qualities[-1]
    assert report.fit.best_epoch == 12
    without = train_bem(TRAIN, tmp_path / "b", base=base, options=OPTIONS)
    assert without.version == report.version


@pytest.mark.models
def test_a_folder_that_is_there_is_not_trained_over(base: str, tmp_path: Path) -> None:
    with pytest.raises(FileExistsError, match="already exists"):
        train_bem(TRAIN, tmp_path, base=base)


@pytest.mark.models
def test_examples_of_one_label_teach_nothing(base: str, tmp_path: Path) -> None:
    right = examples_of([e for e in EXAMPLES if e.correct], "one.jsonl")
    with pytest.raises(ValueError, match=r"one\.jsonl: all 6 examples are correct"):
        train_bem(right, tmp_path / "out", base=base)
    assert list(tmp_path.iterdir()) == []


def test_the_defaults_are_the_paper_s() -> None:
    assert BemTrainingOptions() == BemTrainingOptions(
        variant="question",
        symmetrised=False,
        epochs=1,
        batch_size=64,
        learning_rate=1e-4,
        seed=0,
        optimiser="adam",
        weight_decay=0.0,
    )


@pytest.mark.models
def test_optimiser_and_weight_decay_change_the_weights(base: str, tmp_path: Path) -> None:
    options = replace(OPTIONS, epochs=2)
    kinds: list[tuple[Optimiser, float]] = [("adam", 0.0), ("adam", 0.1), ("adamw", 0.1)]
    versions = {
        train_bem(TRAIN, tmp_path / f"{optimiser}-{decay}", base=base, options=one).version
        for optimiser, decay in kinds
        for one in [replace(options, optimiser=optimiser, weight_decay=decay)]
    }
    assert len(versions) == 3
    training = json.loads((tmp_path / "adamw-0.1" / "card.json").read_text())["training"]
    assert training["options"] == {
        **asdict(options),
        "optimiser": "adamw",
        "weight_decay": 0.1,
    }


@pytest.mark.models
def test_biases_and_normalisations_do_not_decay(base: str) -> None:
    options = replace(OPTIONS, optimiser="adamw", weight_decay=0.01)
    model = untrained_classifier(Path(base), options).model
    decay = {
        id(weight): group["weight_decay"]
        for group in optimiser_of(model, options).param_groups
        for weight in group["params"]
    }
    for name, weight in model.named_parameters():
        is_exempt = name.endswith("bias") or "LayerNorm" in name
        assert decay[id(weight)] == (0.0 if is_exempt else 0.01), name


@pytest.mark.parametrize(
    ("scores", "correct", "threshold"),
    [
        ([0.25, 0.5, 0.75], [False, True, True], 0.375),
        ([0.5, 0.75], [True, True], 0.25),
    ],
)
def test_a_threshold_lies_between_two_scores(
    scores: list[float], correct: list[bool], threshold: float
) -> None:
    assert middle_threshold(scores, correct) == threshold
