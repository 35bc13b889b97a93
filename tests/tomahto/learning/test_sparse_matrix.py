import numpy as np

from tomahto.learning.token_rows import SparseMatrix

# ⎡ 2 0 5 ⎤
# ⎣ 0 0 0 ⎦, the 5 in two parts
MATRIX = SparseMatrix(
    n_rows=2,
    n_columns=3,
    row=np.array([0, 0, 0]),
    column=np.array([0, 2, 2]),
    value=np.array([2.0, 4.0, 1.0]),
)


def test_times_multiplies_and_keeps_empty_rows() -> None:
    # 2·1 + 0·10 + 5·100
    assert MATRIX.times(np.array([1.0, 10.0, 100.0])).tolist() == [502.0, 0.0]
