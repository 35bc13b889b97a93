"""The scores of a submission as bytes: small, exact, and the same wherever they are read."""

import json
import zlib
from collections.abc import Mapping

import numpy as np

from tomahto.ranking.rank_sets import UNIT
from tomahto.types import Floats


def pack_scores(scores: Mapping[str, Floats]) -> bytes:
    """Scores from 0 to 1 (Q,) by metric, to six decimals, as compressed JSON."""
    units = {key: np.rint(values * UNIT).astype(int).tolist() for key, values in scores.items()}
    return zlib.compress(json.dumps(units, separators=(",", ":")).encode())


def unpack_scores(packed: bytes) -> dict[str, Floats]:
    units = json.loads(zlib.decompress(packed))
    return {key: np.array(values, np.float64) / UNIT for key, values in units.items()}
