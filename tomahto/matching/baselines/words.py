"""Measures that compare words, as other packages compute them: BLEU, ROUGE-L and METEOR."""

import os
import shlex
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from tomahto.extras import PackageMissingError, is_installed, require_package
from tomahto.matching.interface import Pair, require_references
from tomahto.text.normalisation import tokens


class _BestReference(ABC):
    """Compares two texts; a pair's score is that of its best reference."""

    @abstractmethod
    def _compare(self, candidate: str, reference: str) -> float: ...

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        """One score per pair. Raises MissingReferenceError."""
        require_references(pairs)
        return [max(self._compare(pair.candidate, r) for r in pair.references) for pair in pairs]


class Bleu(_BestReference):
    """Scores BLEU between 0 and 1 with the closest reference; case counts for nothing.

    Orders that are longer than the candidate are left out (sacrebleu's effective order), as
    answers have often fewer than four words; without that nearly all would score 0. The threshold
    is not calibrated: tune one on labelled answers (`evaluate metric_vs_human`).
    """

    name = "bleu"
    threshold = 0.5

    def __init__(self) -> None:
        """Raises PackageMissingError."""
        require_package("sacrebleu", extra="baselines")
        from sacrebleu.metrics.bleu import BLEU

        self._bleu = BLEU(lowercase=True, effective_order=True)
        self._compare("a", "a")  # only then has it a signature
        self.version = f"bleu|{self._bleu.get_signature()}|agg:max-ref|v1"

    def _compare(self, candidate: str, reference: str) -> float:
        # rounding inside sacrebleu can leave 100.00000000000004
        return min(self._bleu.sentence_score(candidate, [reference]).score / 100, 1.0)


class NltkBleu(_BestReference):
    """Scores NLTK's `sentence_bleu` with the closest reference, all options as they are there.

    So did CAP (App. C.2), which says nothing of tokens or case: here they are those of NLTK's own
    examples, words as white space parts them, case kept. Always four orders without smoothing: an
    order without a match counts as 2.2e-308, so an answer of fewer than four words scores below
    1e-76 even where it is the reference, and only the order of such scores says anything.
    """

    name = "bleu-nltk"
    threshold = 0.5

    def __init__(self) -> None:
        """Raises PackageMissingError."""
        require_package("nltk", extra="baselines")
        from nltk.translate.bleu_score import sentence_bleu

        self._bleu = sentence_bleu
        self.version = (
            f"bleu-nltk|nrefs:1|case:mixed|eff:no|tok:split|smooth:none|agg:max-ref"
            f"|nltk:{version('nltk')}|v1"
        )

    def _compare(self, candidate: str, reference: str) -> float:
        # NLTK's own `method0`, less its warning for every order without a match
        def smoothed(precisions: Sequence[Any], **_others: object) -> list[Any]:
            return [one if one.numerator else sys.float_info.min for one in precisions]

        score = self._bleu([reference.split()], candidate.split(), smoothing_function=smoothed)
        return float(score)


class RougeL(_BestReference):
    """Scores the F-measure of the longest common subsequence of stemmed words.

    Only ASCII letters and digits make words there; a text without any scores 0. The threshold is
    not calibrated: tune one on labelled answers (`evaluate metric_vs_human`).
    """

    name = "rouge-l"
    threshold = 0.5

    def __init__(self) -> None:
        """Raises PackageMissingError."""
        require_package("rouge_score", extra="baselines")
        from rouge_score.rouge_scorer import RougeScorer

        self._scorer = RougeScorer(["rougeL"], use_stemmer=True)
        self.version = (
            "rouge-l|case:lc|tok:ascii-words|stem:porter|agg:max-ref"
            f"|rouge-score:{version('rouge-score')}|v1"
        )

    def _compare(self, candidate: str, reference: str) -> float:
        return float(self._scorer.score(reference, candidate)["rougeL"].fmeasure)


class Synonyms(Protocol):
    """WordNet for METEOR: the senses of a word, each with its lemmas."""

    def synsets(self, lemma: str) -> Iterable[Any]: ...


class Meteor(_BestReference):
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
    """NLTK's folders of data: those of `nltk.data.path` as long as nobody changes it."""
    named = [name for name in os.environ.get("NLTK_DATA", "").split(os.pathsep) if name]
    # unlike a Path's, this one takes an account without a home
    own = [Path(os.path.expanduser(name)) for name in (*named, "~/nltk_data")]  # noqa: PTH111 - as nltk does
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
