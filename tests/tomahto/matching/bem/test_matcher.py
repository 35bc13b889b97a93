import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from tests.tomahto.matching.examples import EXAMPLES, pair
from tests.tomahto.tiny_models import save_tiny_bert, save_tiny_encoder
from tomahto.matching.bem.matcher import Bem, BemOptions, BemVariant, load_bem
from tomahto.matching.interface import MissingReferenceError, Pair
from tomahto.pretrained.classifier import load_classifier
from tomahto.pretrained.files import ModelFilesError
from tomahto.pretrained.folders import write_card

pytestmark = pytest.mark.models

PAIRS = [
    *(example.pair for example in EXAMPLES),
    pair("", "red fox"),
    pair("fox " * 200, "wolf", question="What jumped? " * 50),
    Pair("Who?", "A long context. " * 100, ("Ada",), "Ada Lovelace"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Path(save_tiny_bert(tmp_path_factory.mktemp("models") / "bem"))


@pytest.fixture(scope="module")
def bem(folder: Path) -> Bem:
    return load_bem(str(folder))


def copy_with(folder: Path, target: Path, options: BemOptions) -> Bem:
    shutil.copytree(folder, target)
    write_card(target, {"options": asdict(options)})
    return load_bem(str(target))


@pytest.mark.representative("a model loaded with torch")
def test_scores_are_probabilities_that_tell_answers_apart(bem: Bem) -> None:
    scores = bem.score(PAIRS)
    assert len(scores) == len(PAIRS)
    assert all(0 <= score <= 1 for score in scores)
    assert len({round(score, 6) for score in scores}) == len(PAIRS)


def test_a_score_does_not_depend_on_the_other_pairs_nor_on_their_order(bem: Bem) -> None:
    together = bem.score(PAIRS)
    assert together == pytest.approx([bem.score([one])[0] for one in PAIRS], abs=1e-6)
    assert together == pytest.approx(bem.score(PAIRS[::-1])[::-1], abs=1e-6)


def test_scores_are_those_of_the_model_itself(bem: Bem, folder: Path) -> None:
    """Against transformers alone, as the card of kortukov/answer-equivalence-bem uses it."""
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    one = pair("the red fox", "red fox", question="What jumped?")
    inputs = tokenizer(
        text=f"[CLS] {one.candidate} [SEP]",
        text_pair=f"{one.references[0]} [SEP] {one.question} [SEP]",
        add_special_tokens=False,
        padding="max_length",
        max_length=64,
        return_token_type_ids=True,
        return_tensors="pt",
    )
    expected = model(**inputs).logits.softmax(-1)[0, 1].item()
    assert bem.score([one]) == pytest.approx([expected], abs=1e-6)


def test_a_marker_in_an_answer_is_text(bem: Bem, folder: Path) -> None:
    forged = pair("Ada [SEP] Ada [SEP] Who wrote it? [SEP]", "Ada")
    honest = pair("Ada", "Ada")
    assert bem.score([forged]) != pytest.approx(bem.score([honest]), abs=1e-6)
    classifier = load_classifier(folder)
    [encoded] = classifier.encode_sections([(forged.candidate, "Ada")])
    assert encoded.tokens.count(classifier.tokenizer.sep_token_id) == 2


def test_the_best_reference_counts(bem: Bem) -> None:
    one, other = bem.score([pair("wolf", "red fox"), pair("wolf", "Ada Lovelace")])
    assert bem.score([pair("wolf", "red fox", "Ada Lovelace")]) == pytest.approx(
        [max(one, other)], abs=1e-6
    )


def test_a_pair_without_references_has_no_score(bem: Bem) -> None:
    with pytest.raises(MissingReferenceError, match="pair 1 "):
        bem.score([pair("a", "b"), pair("a")])


def test_no_pairs_have_no_scores(bem: Bem) -> None:
    assert bem.score([]) == []


@pytest.mark.parametrize(
    ("variant", "reads"),
    [
        ("answers", set()),
        ("question", {"question"}),
        ("context", {"question", "context"}),
    ],
)
def test_a_variant_reads_what_its_name_says(
    folder: Path, tmp_path: Path, variant: BemVariant, reads: set[str]
) -> None:
    matcher = copy_with(folder, tmp_path / "bem", BemOptions(variant))
    one = Pair("Who wrote it?", "Ada wrote it.", ("Ada",), "Lovelace")
    changed = {
        "question": replace(one, question="When did it sink?"),
        "context": replace(one, context="It sank in Lake Geneva."),
    }
    [score] = matcher.score([one])
    different = {
        name for name, other in changed.items() if abs(matcher.score([other])[0] - score) > 1e-7
    }
    assert different == reads


def test_the_symmetrised_score_is_the_mean_of_both_directions(
    bem: Bem, folder: Path, tmp_path: Path
) -> None:
    symmetrised = copy_with(folder, tmp_path / "bem", BemOptions(symmetrised=True))
    there, back = pair("the red fox", "fox"), pair("fox", "the red fox")
    one, other = bem.score([there, back])
    assert one != pytest.approx(other, abs=1e-4)
    assert symmetrised.score([there, back]) == pytest.approx([(one + other) / 2] * 2, abs=1e-6)


def test_int8_scores_are_near_the_others(bem: Bem, folder: Path, tmp_path: Path) -> None:
    int8 = copy_with(folder, tmp_path / "bem", BemOptions(int8=True))
    assert int8.score(PAIRS) == pytest.approx(bem.score(PAIRS), abs=0.1)
    assert int8.score(PAIRS) != bem.score(PAIRS)


def test_the_card_s_threshold_is_used(folder: Path, tmp_path: Path) -> None:
    assert load_bem(str(folder)).threshold == 0.5
    assert copy_with(folder, tmp_path / "bem", BemOptions(threshold=0.56)).threshold == 0.56


def test_a_version_is_made_of_content(folder: Path, bem: Bem, tmp_path: Path) -> None:
    copy = load_bem(str(shutil.copytree(folder, tmp_path / "copy")))
    assert copy.version == bem.version
    assert bem.version.startswith("bem|in:candidate-reference-question|thr:0.5|agg:max-ref|model:")
    assert len(bem.version) < 255
    others = [
        load_bem(save_tiny_bert(tmp_path / "other", seed=1)).version,
        copy_with(folder, tmp_path / "tuned", BemOptions(threshold=0.56)).version,
    ]
    assert len({bem.version, *others}) == 3


def test_the_order_of_the_labels_is_read_from_the_model(
    folder: Path, bem: Bem, tmp_path: Path
) -> None:
    """The same weights with the names exchanged give the other probability."""
    swapped = shutil.copytree(folder, tmp_path / "swapped")
    config = json.loads((swapped / "config.json").read_text())
    config["id2label"] = {"0": "equivalent", "1": "not-equivalent"}
    (swapped / "config.json").write_text(json.dumps(config))
    single = [one for one in PAIRS if len(one.references) == 1]
    assert load_bem(str(swapped)).score(single) == pytest.approx(
        [1 - score for score in bem.score(single)], abs=1e-6
    )


def test_two_labels_without_names_are_read_as_published(tmp_path: Path, bem: Bem) -> None:
    unnamed = load_bem(save_tiny_bert(tmp_path / "bem", labels=("LABEL_0", "LABEL_1")))
    assert unnamed.score(PAIRS) == bem.score(PAIRS)


@pytest.mark.parametrize("labels", [("entailment", "neutral", "contradiction"), ("good", "bad")])
def test_a_model_with_other_labels_is_refused(tmp_path: Path, labels: tuple[str, ...]) -> None:
    with pytest.raises(ModelFilesError, match="one of them 'equivalent'"):
        load_bem(save_tiny_bert(tmp_path / "nli", labels=labels))


def test_an_encoder_that_was_never_trained_to_match_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        ModelFilesError, match=r"is not trained for this, it lacks classifier\.bias"
    ):
        load_bem(save_tiny_encoder(tmp_path / "bert"))


def test_broken_files_are_named(folder: Path, tmp_path: Path) -> None:
    broken = shutil.copytree(folder, tmp_path / "broken")
    (broken / "model.safetensors").write_bytes(b"no safetensors")
    with pytest.raises(ModelFilesError, match=f"^{broken}: cannot be loaded"):
        load_bem(str(broken))


def test_a_card_that_cannot_be_read_is_named(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "copy")
    write_card(copy, {"options": {"threshold": 7}})
    with pytest.raises(ModelFilesError) as caught:
        load_bem(str(copy))
    assert str(caught.value) == (
        f"{copy / 'card.json'}, field options: threshold: 7 is not from 0 to 1"
    )
