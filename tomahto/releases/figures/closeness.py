"""Are figures the same, but for what another machine rounds otherwise?"""

from math import isclose
from typing import Any

from tomahto.releases.dataset.labels import DECIMALS

LAST_DECIMAL = 1.5 * 10**-DECIMALS  # how far numbers rounded to DECIMALS can be rounded apart


def is_same(found: Any, expected: Any, *, tolerance: float = 1e-12) -> bool:
    """Whether two JSON values are equal, numbers up to `tolerance` or a billionth of them."""
    if isinstance(expected, dict):
        return (
            isinstance(found, dict)
            and found.keys() == expected.keys()
            and all(is_same(found[key], expected[key], tolerance=tolerance) for key in expected)
        )
    if isinstance(expected, list | tuple):
        return (
            isinstance(found, list | tuple)
            and len(found) == len(expected)
            and all(
                is_same(one, other, tolerance=tolerance)
                for one, other in zip(found, expected, strict=True)
            )
        )
    if isinstance(expected, float) and type(found) in (int, float):
        return isclose(found, expected, rel_tol=1e-9, abs_tol=tolerance)
    return type(found) is type(expected) and bool(found == expected)
