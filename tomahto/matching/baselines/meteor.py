"""METEOR (Banerjee and Lavie 2005) as NLTK computes it."""

import os
import shlex
import sys
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from tomahto.extras import PackageMissingError, is_installed, require_package
from tomahto.matching.baselines.references import best_reference_scores
from tomahto.matching.interface import Pair
from tomahto.text.normalisation import tokens


class Synonyms(Protocol):
    """What METEOR asks WordNet: the senses of a word, each with its lemmas."""

    def synsets(self, lemma: str) -> Iterable[Any]: ...


class Meteor:
    """Scores METEOR with the closest reference: words, then stems, then synonyms, in order.

    Texts are split into SQuAD's tokens, so articles and punctuation count for nothing. The
    threshold is not calibrated: tune one on labelled answers (`evaluate metric_vs_human`).
    """

    name = "meteor"
    threshold = 0.5

    def __init__(self, synonyms: Synonyms, *, synonyms_name: str) -> None:
        """`synonyms_name` goes into the version. Raises PackageMissingError."""
        require_package("nltk", extra="baselines")
        from nltk.translate.meteor_score import single_meteor_score

        self._synonyms, self._meteor = synonyms, single_meteor_score
        self.version = (
            f"meteor|case:lc|tok:squad|stem:porter|synonyms:{synonyms_name}|agg:max-ref"
            f"|nltk:{version('nltk')}|v1"
        )

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score per pair. Raises MissingReferenceError."""
        return best_reference_scores(pairs, self._compare)

    def _compare(self, candidate: str, reference: str) -> float:
        given, wanted = tokens(candidate), tokens(reference)
        if not given or not wanted:
            return float(given == wanted)
        return float(self._meteor(wanted, given, wordnet=self._synonyms))


def has_wordnet() -> bool:
    """Whether NLTK is installed and WordNet lies where NLTK looks.

    NLTK is not imported for it: that takes seconds.
    """
    return is_installed("nltk") and any(
        (folder / "corpora" / name).exists()
        for folder in nltk_folders()
        for name in ("wordnet", "wordnet.zip")
    )


def nltk_folders() -> list[Path]:
    """Where NLTK looks for its data: what `nltk.data.path` is as long as nobody changes it."""
    named = [name for name in os.environ.get("NLTK_DATA", "").split(os.pathsep) if name]
    # unlike a Path's, this one takes an account without a home
    own = [Path(os.path.expanduser(name)) for name in (*named, "~/nltk_data")]  # noqa: PTH111
    places = [Path(sys.prefix, part) for part in ("", "share", "lib")]
    places += map(Path, ("/usr/share", "/usr/local/share", "/usr/lib", "/usr/local/lib"))
    return [*own, *(place / "nltk_data" for place in places)]


def wordnet_files() -> list[Path]:
    """WordNet among NLTK's data: its files, or the archive that they are in.

    Raises LookupError if NLTK does not find it.
    """
    from nltk.corpus import wordnet

    archive = getattr(wordnet.root, "zipfile", None)
    if archive is not None:
        return [Path(archive.filename)]
    return sorted(path for path in Path(wordnet.root).iterdir() if path.is_file())


def load_meteor() -> Meteor:
    """METEOR with the WordNet among NLTK's data. Raises PackageMissingError."""
    require_package("nltk", extra="baselines")
    from nltk.corpus import wordnet

    try:
        wordnet.ensure_loaded()
    except LookupError as error:
        message = (
            "meteor needs WordNet, which NLTK does not find: run "
            f"`{shlex.quote(sys.executable)} -m nltk.downloader wordnet`, or set NLTK_DATA to the "
            "folder that has it (docs/baselines.md)"
        )
        raise PackageMissingError(message) from error
    return Meteor(wordnet, synonyms_name=f"wordnet-{wordnet.get_version()}")
