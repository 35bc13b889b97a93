"""The order in which labels stand in a table of who is confused with whom."""

from tomahto.votes.scheme import LabelScheme


def labels_by_rank(scheme: LabelScheme) -> list[str]:
    """The labels from the highest rank to the lowest; equal ranks as in the scheme."""
    return sorted(scheme.labels, key=lambda label: (-scheme.rank_of[label], scheme.index_of[label]))
