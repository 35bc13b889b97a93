import numpy as np
import pytest

from tomahto.estimates import bootstrap as bootstrap_module
from tomahto.estimates.bootstrap import Bootstrap
from tomahto.estimates.drawn_sums import ClusterKinds
from tomahto.types import Floats

BOOTSTRAP = Bootstrap(4000, seed=3)


def clusters(*kinds: tuple[int, tuple[float, ...]]) -> ClusterKinds:
    """Each as how many there are and their row."""
    times = np.array([number for number, _row in kinds], dtype=np.int64)
    rows = np.array([row for _number, row in kinds], dtype=np.float64)
    return ClusterKinds(times, times @ rows, rows.__getitem__)


def chances(drawn: Floats) -> list[float]:
    """The shares of 0, 1, 2 and 3."""
    return [float((drawn == number).mean()) for number in range(4)]


def test_sums_have_the_mean_and_the_covariance_of_multinomial_draws() -> None:
    # 50,000 clusters: mean rows 0.6 and 0.2, so sums 30,000 and 10,000;
    # variances 50,000 * 0.6 * 0.4 = 12,000 and 50,000 * (0.4 - 0.04) = 18,000,
    # covariance 50,000 * (0 - 0.6 * 0.2) = -6,000
    kinds = clusters((30_000, (1, 0)), (5_000, (0, 2)), (15_000, (0, 0)))
    drawn = kinds.drawn(BOOTSTRAP)
    assert drawn.mean(axis=0) == pytest.approx([30_000, 10_000], abs=4 * (18_000 / 4000) ** 0.5)
    expected = np.array([[12_000, -6_000], [-6_000, 18_000]])
    assert np.cov(drawn.T) == pytest.approx(expected, rel=0.1)


def test_a_number_of_few_clusters_is_drawn_exactly() -> None:
    # 2 of 50,000 clusters have a 1, and 47,998 a 1 in the other column: both sums are counts of
    # draws by chance, Poisson of mean 2
    kinds = clusters((2, (1, 0)), (47_998, (0, 1)), (2_000, (0, 1)))
    few, many = kinds.drawn(BOOTSTRAP).T
    poisson = [0.135, 0.271, 0.271, 0.180]  # e^-2, 2 e^-2, 2 e^-2, 4/3 e^-2
    assert chances(few) == pytest.approx(poisson, abs=0.03)
    assert many.tolist() == (50_000 - few).tolist()


def test_clusters_of_extreme_size_are_drawn_exactly() -> None:
    # Without the largest cluster the sum has a standard deviation of sqrt(50,000 / 4) = 112.
    kinds = clusters((25_000, (1,)), (25_000, (0,)), (1, (10_000,)))
    drawn = (kinds.drawn(BOOTSTRAP)[:, 0] - 25_000) / 10_000
    assert chances(drawn.round()) == pytest.approx([0.368, 0.368, 0.184, 0.061], abs=0.03)
    assert np.abs(drawn - drawn.round()).max() < 0.06


def test_a_number_that_all_clusters_have_does_not_vary() -> None:
    kinds = clusters((30_000, (1, 1 / 3)), (20_000, (0, 1 / 3)))
    assert kinds.drawn(BOOTSTRAP)[:, 1] == pytest.approx(50_000 / 3, rel=1e-12)


def test_draws_do_not_depend_on_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(1)
    kinds = [(int(generator.integers(1, 900)), tuple(generator.normal(size=3))) for _ in range(99)]
    kinds += [(1, (0.0, 0.0, 1e3)), (2, (0.0, 900.0, 0.0))]
    whole = clusters(*kinds).drawn(BOOTSTRAP)
    monkeypatch.setattr(bootstrap_module, "_CELLS", 30)
    assert clusters(*kinds).drawn(BOOTSTRAP) == pytest.approx(whole, rel=1e-9)


def test_values_without_each_cluster_come_by_kind() -> None:
    kinds = clusters((2, (1, 0)), (3, (0, 5)))
    left_out = kinds.without_each(lambda sums: sums[:, 0] / sums[:, 1])
    assert left_out.values.tolist() == [1 / 15, 2 / 10]
    assert left_out.times.tolist() == [2, 3]
