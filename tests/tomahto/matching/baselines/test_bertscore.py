from pathlib import Path

import pytest

from tests.tomahto.matching.examples import pair
from tests.tomahto.tiny_models import save_tiny_encoder
from tomahto.matching.baselines.bertscore import BertScore, load_bertscore

pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def matcher(tmp_path_factory: pytest.TempPathFactory) -> BertScore:
    return load_bertscore(save_tiny_encoder(tmp_path_factory.mktemp("encoder")))


def test_equal_texts_score_1_and_others_less(matcher: BertScore) -> None:
    same, other, both = matcher.score(
        [
            pair("the red fox", "the red fox"),
            pair("the red fox", "a grey wolf"),
            pair("the red fox", "a grey wolf", "the red fox"),
        ]
    )
    assert same == both == pytest.approx(1.0, abs=1e-5)
    assert 0 <= other < 0.99


def test_empty_texts_score_0(matcher: BertScore) -> None:
    found = matcher.score([pair(" ", "fox"), pair("fox", ""), pair("fox", "", "fox")])
    assert found == [0.0, 0.0, pytest.approx(1.0, abs=1e-5)]


def test_version_names_model_and_layer(matcher: BertScore, tmp_path: Path) -> None:
    again = load_bertscore(save_tiny_encoder(tmp_path))
    assert again.version == matcher.version
    assert "|layer:2|" in matcher.version
