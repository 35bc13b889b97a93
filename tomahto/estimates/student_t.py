"""Student's t distribution."""


def t_quantile(probability: float, df: float) -> float:
    """The value that is not exceeded with a probability strictly between 0 and 1.

    Raises ValueError for another probability or `df` not above 0.
    """
    from scipy.special import stdtrit  # slow to load, and few pages need it

    if not (0 < probability < 1 and df > 0):
        raise ValueError(f"no quantile for probability {probability}, {df} degrees of freedom")
    return float(stdtrit(df, probability))
