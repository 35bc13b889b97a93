"""The files of `manage.py evaluate reproduce`: by name, public files and releases, read."""

import re
from collections import ChainMap, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from tasks.management.evaluation.options import naming
from tasks.protocols import ae
from tasks.protocols.definition import AnswersError
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.interchange.campaigns.questions import read_questions
from tomahto.interchange.campaigns.ratings import read_ratings, read_suggestions
from tomahto.interchange.judgements.evaluation import read_candidates
from tomahto.interchange.judgements.places import folder_of, release_at
from tomahto.interchange.judgements.published import read_scores
from tomahto.interchange.judgements.squad import is_list_of, read_squad_answers, read_squad_gold
from tomahto.interchange.reading.input_file import InputFile
from tomahto.interchange.reading.records import DistinctKeys, InputError, RatingRow
from tomahto.interchange.reading.rows import json_rows
from tomahto.lab.reproduce.ae_files import (
    ELSEWHERE,
    NBEST,
    PREDICTIONS,
    SPLITS,
    SQUAD,
    SYSTEMS,
    AeFiles,
    RatedPair,
    RatedPairs,
    WeighedAnswers,
)
from tomahto.lab.reproduce.ae_release import AeRelease, ae_release
from tomahto.lab.reproduce.cap.release import LABELS
from tomahto.lab.reproduce.cfmatch import figures as cfmatch
from tomahto.matching.interface import Matcher
from tomahto.releases.formats.ae import QUESTION_FIELDS
from tomahto.releases.records.fields import ReleaseError
from tomahto.releases.stored.manifest import MANIFEST, read_manifest
from tomahto.releases.stored.reading import StoredRelease, stored_rows
from tomahto.scoring.squad import SquadQuestion

T = TypeVar("T")
_NAME = re.compile(r"[\w-]+")
_AE_NAMES = (*PREDICTIONS, SQUAD, NBEST, *SYSTEMS, *SPLITS)


def path_of(text: str) -> Path:
    """The file of `PATH` or `NAME=PATH`."""
    name, equals, path = text.partition("=")
    return Path(path if equals and _NAME.fullmatch(name) else text)


def named_files(
    given: Iterable[str], names: Sequence[str], *, others: bool = False
) -> dict[str, Path]:
    """Files by name: that before "=", or the first of `names` whose words the file's name has.

    With `others` any other file is named as it is called. Raises InputError.
    """
    files: dict[str, Path] = {}
    for text in given:
        name, path = _named(text, names, others=others)
        if name in files:
            raise InputError(f"is {name}, and so is {files[name]}", file=str(path))
        files[name] = path
    return files


def _named(text: str, names: Sequence[str], *, others: bool) -> tuple[str, Path]:
    before, path = text.partition("=")[0], path_of(text)
    if str(path) != str(Path(text)) and (before in names or others):
        return before, path
    words = re.split(r"[^a-z0-9]+", path.stem.lower())
    for name in names:
        if set(name.split("-")) <= set(words):
            return name, path
    if others:
        return path.stem, path
    raise InputError(f"name it, as in {names[-1]}={text}: {', '.join(names)}", file=text)


def files_at(path: Path, paper: str) -> list[Path]:
    """The file, those in the folder of a data set of CFMatch, or the manifest of a release, of a
    split too. Raises InputError for another folder."""
    folder, _ = folder_of(path)
    if folder:
        return [folder / MANIFEST]
    if not path.is_dir():
        return [path]
    if paper != "cfmatch":
        raise InputError("is a folder but not a release", file=str(path))
    return [file for _, file in files_of_models(path)]


def files_of_models(folder: Path) -> list[tuple[tuple[str, str], Path]]:
    """The answers of each model in the folder of a data set, by set and model. Raises InputError
    if it has none."""
    keys = [(kind, model) for kind in cfmatch.SETS for model in cfmatch.MODELS]
    found = [(key, path) for key in keys if (path := folder / cfmatch.file_of(*key)).is_file()]
    if not found:
        names = ", ".join(cfmatch.file_of(*key) for key in keys)
        raise InputError(f"is not a folder with any of {names}", file=str(folder))
    return found


def is_release(path: Path) -> bool:
    """Whether it is a release, or a split of one as `RELEASE:SPLIT`."""
    return folder_of(path)[0] is not None


def is_split(path: Path) -> bool:
    return bool(folder_of(path)[1])


def released(path: Path, read: Callable[[StoredRelease], T]) -> T:
    with naming(path, ReleaseError):
        return read(release_at(path))


def is_of_statements(path: Path) -> bool:
    folder = folder_of(path)[0] or path
    with naming(folder, ReleaseError):
        return set(read_manifest(folder).terms.scheme.labels) == set(LABELS)


def check_apart(releases: Iterable[Path]) -> None:
    """Refuses two releases of one campaign, or two splits, that share an item, which would count
    twice; a split may stand beside its release. Raises InputError."""
    found: dict[tuple[bool, str, str], Path] = {}
    for path in releases:
        folder, split = folder_of(path)
        keys = _item_keys(folder or path, split)
        for is_split, campaign, item in found.keys() & keys:
            other = found[is_split, campaign, item]
            raise InputError(
                f"has the item {item!r:.80} of {campaign}, and so has {other}", file=str(path)
            )
        found |= dict.fromkeys(keys, path)


def _item_keys(folder: Path, split: str) -> set[tuple[bool, str, str]]:
    """Of each item of a release or a split of one: which of both, the campaign, and the id."""
    with naming(folder, ReleaseError):
        manifest = read_manifest(folder)
        return {
            (bool(split), manifest.campaign, str(row["id"]))
            for name in ([split] if split else manifest.terms.spec.names)
            for row in stored_rows(folder, manifest, "items", name)
        }


def ae_files(
    given: Sequence[str], matchers: Mapping[str, Matcher], bootstrap: Bootstrap
) -> AeFiles:
    """Those of public files, releases, or both; what a file says goes before what a release says.
    Raises InputError."""
    files = [text for text in given if not is_release(path_of(text))]
    folders = [text for text in given if text not in files]
    if split := next((text for text in folders if is_split(path_of(text))), None):
        raise InputError("is one split, and the figures are of all three of a release", file=split)
    scored = [text for text in files if text.partition("=")[0] in ELSEWHERE]
    releases = _scored_releases(named_files(scored, ELSEWHERE), map(path_of, folders))
    named = named_files([text for text in files if text not in scored], _AE_NAMES)
    gold, nbest = named.pop(SQUAD, None), named.pop(NBEST, None)
    predictions = {PREDICTIONS[name]: named.pop(name) for name in PREDICTIONS if name in named}
    read = {one.id: one for one in read_squad_gold(gold) if one.answers} if gold else {}
    squad: Mapping[str, SquadQuestion] = _first_of(*(release.squad for release in releases))
    if gold and squad and named.keys().isdisjoint(SYSTEMS):
        # those of the release, references as the file has them
        if read.keys().isdisjoint(squad):
            fault = f"none of the {len(read):,} questions is in the release"
            raise InputError(fault, file=str(gold))
        squad = {key: read.get(key, question) for key, question in squad.items()}
    elif gold:
        squad = read
    exact = _first_of(*(release.exact for release in releases))
    rules = _first_of(*(dict.fromkeys(one.files, one.exact_rule) for one in releases))
    of_release = {
        *(name for release in releases for name in release.files if name not in named),
        *(
            f"predictions-{name}"
            for release in releases
            for name in release.predictions
            if name not in predictions
        ),
    }
    return AeFiles(
        _first_of(
            {name: _rated_pairs(path) for name, path in named.items()},
            *(release.files for release in releases),
        ),
        matchers,
        bootstrap,
        squad=squad if gold or squad else None,
        texts=_first_of(
            _texts(gold) if gold and predictions else {},
            *(release.texts for release in releases),
        ),
        predictions=_first_of(
            {name: read_squad_answers(path).texts for name, path in predictions.items()},
            *(release.predictions for release in releases),
        ),
        exact={name: keys for name, keys in exact.items() if name not in predictions},
        exact_rules={name: rule for name, rule in rules.items() if name not in named},
        unordered=frozenset().union(
            *((release.unordered - read.keys()) & squad.keys() for release in releases)
        ),
        nbest=[
            WeighedAnswers(row.texts, row.scores, row.admissible)
            for row in read_candidates(nbest, with_folds=False, with_texts=True)
            if row.texts
        ]
        if nbest
        else None,
        of_release=frozenset(of_release),
    )


def _scored_releases(elsewhere: Mapping[str, Path], folders: Iterable[Path]) -> list[AeRelease]:
    """Releases with the scores that files have of their items, by metric. Raises InputError if no
    item of a file is a release's."""
    scores = {metric: _scores_elsewhere(path) for metric, path in elsewhere.items()}
    of_items = defaultdict[str, dict[str, float]](dict)
    for metric, by_item in scores.items():
        for item, score in by_item.items():
            of_items[item][metric] = score
    releases = [released(path, lambda one: ae_release(one.dataset, of_items)) for path in folders]
    for metric, path in elsewhere.items():
        if not releases:
            message = "has scores of a release's items, but no release was given"
            raise InputError(message, file=str(path))
        if all(release.items.isdisjoint(scores[metric]) for release in releases):
            message = f"none of the {len(scores[metric]):,} ids is in the release"
            raise InputError(message, file=str(path))
    return releases


def _first_of(*given: Mapping[str, T]) -> dict[str, T]:
    """The values by name, each of the first mapping that has the name."""
    return dict(ChainMap(*map(dict, given)))


def _texts(gold: Path) -> dict[str, tuple[str, str]]:
    """The question and the context of each id; nothing for a list of ids and answers alone."""
    if is_list_of(InputFile.at(gold), "answers"):
        return {}
    return {
        one.key: (one.text, one.context) for one in read_questions(gold, format=None) if one.key
    }


def _scores_elsewhere(path: Path) -> dict[str, float]:
    """By the items' ids, of a file that `import_suggestions` reads too."""
    found, ids = {}, DistinctKeys("the id", "id")
    for row in read_suggestions(path, format=None):
        if row.item_id is None:
            raise row.source.error("is missing, but identifies the items of a release", "id")
        ids.add(row.item_id, row.source)
        found[row.item_id] = row.score
    return found


@dataclass
class _Counted:
    """The scores of an AE-example's first line, and its ratings so far."""

    scores: Mapping[str, float]
    ratings: list[bool] = field(default_factory=list)


def _rated_pairs(path: Path) -> RatedPairs:
    """The AE-examples of a file; its lines may have "scores" by metric. Raises InputError."""
    found: dict[tuple[str, ...], _Counted] = {}
    ratings = read_ratings(path, format="ae", question_keys=ae.PROTOCOL.question_keys)
    for rating, row in zip(ratings, json_rows(InputFile.at(path)), strict=True):
        label, item = _label(rating), rating.item
        assert item is not None  # noqa: S101 - a line of an AE file describes its item
        if item.question_key is None:
            raise rating.source.error("is missing", "qid")
        key = (item.question_key, item.question, item.context, *item.references, item.candidate)
        if key not in found:
            found[key] = _Counted(read_scores(row))
        found[key].ratings.append(label == "equivalent")
    if not found:
        raise InputError("holds no line", file=str(path))
    return RatedPairs(tuple(_pair(key, counted) for key, counted in found.items()))


def _pair(key: tuple[str, ...], counted: _Counted) -> RatedPair:
    qid, question, context, reference, candidate = key
    return RatedPair(
        qid,
        question,
        context,
        reference,
        candidate,
        sum(counted.ratings),
        len(counted.ratings),
        counted.scores,
    )


def _label(rating: RatingRow) -> str:
    if rating.label is not None:
        return rating.label
    try:
        return ae.PROTOCOL.outcome(rating.answers).label
    except AnswersError as error:
        raise rating.source.error(error.message, QUESTION_FIELDS[error.question]) from error
