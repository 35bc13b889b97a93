"""What a release asks of systems, as its files say it."""

from functools import lru_cache

from tasks.models import Release
from tasks.release_store.local_copy import compared_folder
from tomahto.lab.leaderboards.benchmark import question_ids

_KEPT = 16  # releases and splits in memory, because reading a large one takes seconds


def known_questions(release: Release, split: str) -> frozenset[str]:
    """The ids of the questions of a split (tomahto.lab.leaderboards.benchmark).

    Raises UnknownSplit, ReleaseError or StoreError.
    """
    return _known(release.path, release.digest, split)


@lru_cache(maxsize=_KEPT)
def _known(
    path: str,
    digest: str,  # noqa: ARG001 - with the place it names what is read
    split: str,
) -> frozenset[str]:
    with compared_folder(path) as folder:
        return question_ids(folder, split)
