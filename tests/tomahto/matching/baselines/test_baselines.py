"""The baselines: other people's metrics behind the matchers' interface."""

import math
import shlex
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile

import pytest

from tests.tomahto.matching.baselines.one_sense import make_meteor
from tests.tomahto.matching.examples import pair
from tomahto.extras import PackageMissingError, is_installed
from tomahto.matching.baselines import words
from tomahto.matching.baselines.words import Bleu, NltkBleu, RougeL, load_meteor


def test_bleu_of_a_shortened_answer() -> None:
    # "the northern hills" against "in the northern hills": 3 of 3 words, 2 of 2 pairs and the one
    # triple occur there; no order of four exists. Brevity penalty exp(1 - 4/3) = 0.7165.
    assert Bleu().score([pair("The northern hills", "in the northern hills")]) == [
        pytest.approx(math.exp(1 - 4 / 3))
    ]


def test_nltk_bleu_keeps_case_and_punctuation() -> None:
    # "the Red fox." against "the red fox .": one of 3 words and of 4 orders matches; brevity
    # penalty exp(1 - 4/3). An order without a match counts as the smallest float there is.
    [score] = NltkBleu().score([pair("the Red fox.", "the red fox .")])
    tiny = sys.float_info.min
    assert score == pytest.approx(math.exp(1 - 4 / 3) * (1 / 3) ** 0.25 * tiny**0.75, rel=1e-9)


def test_nltk_bleu_of_four_words() -> None:
    # 4/5 words, 3/4 pairs, 2/3 triples, 1/2 of the two runs of four
    [score, whole] = NltkBleu().score(
        [pair("a b c d x", "a b c d e"), pair("a b c d", "x", "a b c d")]
    )
    assert score == pytest.approx((4 / 5 * 3 / 4 * 2 / 3 * 1 / 2) ** 0.25)
    assert whole == 1.0


@pytest.mark.filterwarnings("ignore")
def test_nltk_bleu_is_the_default_of_nltk() -> None:
    from nltk.translate.bleu_score import sentence_bleu

    texts = ("the northern hills", "in the northern hills of the isle", "Hills", "")
    pairs = [(one, other) for one in texts for other in texts]
    assert NltkBleu().score([pair(one, other) for one, other in pairs]) == [
        sentence_bleu([other.split()], one.split()) for one, other in pairs
    ]


def test_rouge_l_of_reordered_words() -> None:
    # longest common subsequence of "the red fox" and "fox the red": "the red", 2 of 3 both ways
    assert RougeL().score([pair("the red fox", "fox the red")]) == [pytest.approx(2 / 3)]


def test_rouge_l_knows_stems() -> None:
    assert RougeL().score([pair("rising rivers", "rise river")]) == [1.0]


def test_meteor_matches_words_stems_and_synonyms() -> None:
    # both words match, as stem and as synonym, in one chunk: F = 1, penalty 0.5 * (1/2)^3
    assert make_meteor().score([pair("red auto", "reds car")]) == [
        pytest.approx(1 - 0.5 * (1 / 2) ** 3)
    ]


def test_meteor_of_empty_texts() -> None:
    assert make_meteor().score([pair("", "a"), pair("", "river"), pair("the", "river")]) == [
        1,
        0,
        0,
    ]


def test_versions_name_what_decides_the_score() -> None:
    assert Bleu().version.startswith("bleu|nrefs:1|case:lc|eff:yes|tok:13a|smooth:exp|version:")
    assert NltkBleu().version == (
        "bleu-nltk|nrefs:1|case:mixed|eff:no|tok:split|smooth:none|agg:max-ref"
        f"|nltk:{version('nltk')}|v1"
    )
    assert RougeL().version.startswith(
        "rouge-l|case:lc|tok:ascii-words|stem:porter|agg:max-ref|rouge-score:"
    )
    assert make_meteor().version.startswith(
        "meteor|case:lc|tok:squad|stem:porter|synonyms:one-sense|agg:max-ref|nltk:"
    )


@pytest.fixture
def no_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing can be found that has not been imported: as where the extras are not installed."""
    for name in ("sacrebleu", "rouge_score", "nltk", "bert_score"):
        monkeypatch.setitem(sys.modules, name, None)


@pytest.mark.usefixtures("no_packages")
@pytest.mark.parametrize(
    ("make", "name"),
    [
        (Bleu, "sacrebleu"),
        (RougeL, "rouge_score"),
        (NltkBleu, "nltk"),
        (load_meteor, "nltk"),
    ],
)
def test_missing_package_is_named(make: Any, name: str) -> None:
    with pytest.raises(PackageMissingError) as caught:
        make()
    assert str(caught.value) == (
        f"this needs the package {name}, which is not installed: install Tomahto's extra "
        "`baselines` (docs/library.md)"
    )


@pytest.mark.usefixtures("no_packages")
def test_missing_package_is_not_installed() -> None:
    assert not is_installed("sacrebleu")
    assert not words.has_wordnet()


@pytest.mark.slow
def test_meteor_without_wordnet_prints_a_command_that_starts_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A `python` that happens to be on the path may be another one, without NLTK."""
    import nltk

    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    with pytest.raises(PackageMissingError) as caught:
        load_meteor()
    command = shlex.split(str(caught.value).split("`")[1])
    assert command[1:] == ["-m", "nltk.downloader", "wordnet"]
    nowhere = {"PATH": str(tmp_path), "HOME": str(tmp_path)}
    helped = subprocess.run(
        [*command, "--help"], env=nowhere, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert "Usage: " in helped.stdout


def test_wordnet_is_looked_for_where_nltk_looks() -> None:
    import nltk

    assert [str(folder) for folder in words.nltk_folders()] == nltk.data.path


@pytest.mark.parametrize("name", ["wordnet", "wordnet.zip"])
def test_wordnet_is_there_as_a_folder_or_as_an_archive(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str
) -> None:
    monkeypatch.setattr(words, "nltk_folders", lambda: [tmp_path / "none", tmp_path])
    assert not words.has_wordnet()
    (tmp_path / "corpora" / name).mkdir(parents=True)
    assert words.has_wordnet()


def test_wordnet_is_its_files_or_the_archive_they_are_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import nltk
    from nltk.data import FileSystemPathPointer, ZipFilePathPointer

    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    folder = tmp_path / "wordnet"
    folder.mkdir()
    for name in ("index.noun", "data.noun"):
        (folder / name).write_text(name)
    archive = tmp_path / "wordnet.zip"
    with ZipFile(archive, "w") as packed:
        packed.write(folder / "data.noun", "wordnet/data.noun")
    for root, expected in (
        (FileSystemPathPointer(str(folder)), [folder / "data.noun", folder / "index.noun"]),
        (ZipFilePathPointer(str(archive), "wordnet/"), [archive]),
    ):
        monkeypatch.setattr("nltk.corpus.wordnet", SimpleNamespace(root=root))
        assert words.wordnet_files() == expected
